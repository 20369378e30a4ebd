//! What a node of Zebra's book carries.

use crate::othello::board::{Position, Side, Square};

/// A score that is none.
pub(super) const NO_SCORE: i16 = 9999;
/// Added to the margin of a proven win for Black, taken from that of a loss.
pub(super) const PROVEN: i16 = 30_000;

/// The mark of a traversal that Zebra leaks into files.
const SCRATCH: u16 = 8;

/// The two numbers at the start of `book.bin` and of its text form.
pub(super) const MAGIC: [i16; 2] = [2718, 2818];

/// Before the first record of `book.bin`: the two numbers and the count. A packed book, too, starts
/// with so many bytes.
pub(super) const HEADER_BYTES: usize = 8;
/// A record of `book.bin`.
pub(super) const RECORD_BYTES: usize = 18;

/// Which file a book is kept in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ZebraShape {
    /// `book.bin`: hashes and fields.
    #[default]
    Bin,
    /// The same as decimal text.
    Text,
    /// `book.cmp`: a tree without hashes.
    Packed,
    /// `book.cmp.z`: the same, gzip'd.
    Gzipped,
}

/// The five fields of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZebraNode {
    /// Minimax value for when the program plays Black.
    pub black_score: i16,
    /// Minimax value for when it plays White.
    pub white_score: i16,
    /// Best move that leads out of the book, `10 * row + column` in the hash's orientation; -1 none
    /// is stored, -2 none is left.
    pub alternative: i16,
    /// Its score for Black in 1/128 disc; 9999 is none.
    pub alternative_score: i16,
    /// Side to move, solved marks, depth.
    pub flags: u16,
}

impl ZebraNode {
    pub(super) const BLACK: u16 = 1;
    pub(super) const WHITE: u16 = 2;
    pub(super) const WLD: u16 = 4;
    pub(super) const EXACT: u16 = 16;
    pub(super) const DEPTH_SHIFT: u32 = 10;

    /// The side to move; none where no mark is set, as at the end of a game.
    pub const fn side(&self) -> Option<Side> {
        if self.flags & Self::BLACK != 0 {
            Some(Side::Black)
        } else if self.flags & Self::WHITE != 0 {
            Some(Side::White)
        } else {
            None
        }
    }

    /// Whether the score is the exact result.
    pub const fn is_exact(&self) -> bool {
        self.flags & Self::EXACT != 0
    }

    /// Whether the winner is known.
    pub const fn is_solved(&self) -> bool {
        self.flags & (Self::EXACT | Self::WLD) != 0
    }

    /// Depth of the alternative's score, 0..=63.
    pub const fn depth(&self) -> u8 {
        (self.flags >> Self::DEPTH_SHIFT) as u8
    }

    /// The flags as they are to be written.
    pub(super) const fn clean_flags(&self) -> u16 {
        self.flags & !SCRATCH
    }
}

/// A node with its board: as it was first reached from the start where it was read, in any
/// orientation where it is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZebraEntry {
    /// The board, seen by Black.
    pub board: Position,
    /// The side to move by the rules of the game; none where it is over.
    pub turn: Option<Side>,
    pub node: ZebraNode,
}

/// A square from `10 * row + column`, rows and columns from 1.
pub(super) fn square_of(number: i16) -> Option<Square> {
    let (row, column) = (number / 10, number % 10);
    let sound = (1..=8).contains(&row) && (1..=8).contains(&column);
    let index = u8::try_from((row - 1) * 8 + column - 1).ok()?;
    Square::try_new(index).filter(|_| sound)
}

/// `10 * row + column`.
pub(super) const fn number_of(square: Square) -> i16 {
    10 * (square.row() as i16 + 1) + square.column() as i16 + 1
}

/// A board seen by Black, after a move; none when it is illegal.
pub(super) fn play(board: Position, side: Side, square: Square) -> Option<Position> {
    match side {
        Side::Black => board.play(square).map(Position::passed),
        Side::White => board.passed().play(square),
    }
}

/// The board seen by a side.
pub(super) const fn seen_by(board: Position, side: Side) -> Position {
    match side {
        Side::Black => board,
        Side::White => board.passed(),
    }
}

/// The side to move after `side` has moved to this board.
pub(super) const fn next_turn(board: Position, side: Side) -> Option<Side> {
    let other = side.other();
    if seen_by(board, other).can_move() {
        Some(other)
    } else if seen_by(board, side).can_move() {
        Some(side)
    } else {
        None
    }
}

/// Zebra's fixed order of moves: it makes packed files come out byte for byte.
pub(super) const MOVE_ORDER: [i16; 60] = [
    11, 18, 81, 88, 13, 16, 31, 38, 61, 68, 83, 86, 33, 36, 63, 66, 14, 15, 41, 48, 51, 58, 84, 85,
    34, 35, 43, 46, 53, 56, 64, 65, 24, 25, 42, 47, 52, 57, 74, 75, 23, 26, 32, 37, 62, 67, 73, 76,
    12, 17, 21, 28, 71, 78, 82, 87, 22, 27, 72, 77,
];

/// The legal moves of a side in that order.
pub(super) fn moves(board: Position, side: Side) -> impl Iterator<Item = Square> {
    let legal = seen_by(board, side).legal_moves();
    MOVE_ORDER.into_iter().filter_map(square_of).filter(move |&square| legal.contains(square))
}

/// The side that the walk plays for at a node: that of the flags where it can move, else that of
/// the rules.
pub(super) fn walking_side(node: &ZebraNode, board: Position, turn: Option<Side>) -> Option<Side> {
    node.side().filter(|&side| seen_by(board, side).can_move()).or(turn)
}
