//! A position: the discs of the side to move and of the other side.

use std::fmt;

use super::moves::can_move;
use super::{Bitboard, Square, Squares, flips, legal_moves};

/// Black or White. Positions do not store it: it is a fact of the question asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Side {
    /// The other side.
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// "black" or "white".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }

    /// `X` for Black, `O` for White, as boards are written.
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'X',
            Self::White => 'O',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The discs on the board, seen by the side to move. A position and its colour swap are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Discs of the side to move.
    pub mover: Bitboard,
    /// Discs of the other side.
    pub opponent: Bitboard,
}

/// What follows a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum After {
    /// The opponent is to move in this position, and can.
    Opponent(Position),
    /// The opponent has no move: the same side moves again, in this position.
    Same(Position),
    /// Neither side can move: the final score in discs, from the point of view of the side that
    /// made the move; empties go to the winner.
    Over(i8),
}

impl After {
    /// The position that is to be played next, if the game goes on.
    pub const fn position(self) -> Option<Position> {
        match self {
            Self::Opponent(position) | Self::Same(position) => Some(position),
            Self::Over(_) => None,
        }
    }
}

impl Position {
    /// The start: Black (to move) on e4 and d5, White on d4 and e5.
    pub const START: Self = Self { mover: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000 };

    /// The four squares that have a disc from the start of a game to its end: d4, e4, d5 and e5.
    pub(crate) const CENTRE: Bitboard = 0x0000_0018_1800_0000;

    /// The squares of the centre without a disc: none in any position of a game.
    pub(crate) const fn empty_centre(self) -> Squares {
        Squares(Self::CENTRE & !self.occupied())
    }

    /// Every square with a disc.
    pub const fn occupied(self) -> Bitboard {
        self.mover | self.opponent
    }

    /// Every empty square.
    pub const fn empty_squares(self) -> Bitboard {
        !self.occupied()
    }

    /// Number of discs on the board, 0..=64.
    pub const fn discs(self) -> u8 {
        self.occupied().count_ones() as u8
    }

    /// Number of empty squares, 0..=64.
    pub const fn empties(self) -> u8 {
        64 - self.discs()
    }

    /// The moves of the side to move.
    pub const fn legal_moves(self) -> Squares {
        Squares(legal_moves(self.mover, self.opponent))
    }

    /// Whether the side to move has a move.
    pub const fn can_move(self) -> bool {
        can_move(self.mover, self.opponent)
    }

    /// Whether neither side has a move.
    pub const fn is_over(self) -> bool {
        !self.can_move() && !self.passed().can_move()
    }

    /// The same board seen by the other side.
    #[must_use]
    pub const fn passed(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }

    /// The board after a move, seen by the other side; none when the move is illegal.
    #[must_use]
    pub const fn play(self, square: Square) -> Option<Self> {
        if self.occupied() & square.bit() != 0 {
            return None;
        }
        let turned = flips(square, self.mover, self.opponent);
        if turned == 0 {
            return None;
        }
        Some(self.with_move(square, turned))
    }

    /// The board after a move whose turned discs are known, seen by the other side.
    #[must_use]
    #[inline]
    pub(crate) const fn with_move(self, square: Square, turned: Bitboard) -> Self {
        Self { mover: self.opponent ^ turned, opponent: self.mover ^ turned ^ square.bit() }
    }

    /// What follows a move, passes and the end of the game included; none when it is illegal.
    pub const fn after(self, square: Square) -> Option<After> {
        let Some(next) = self.play(square) else { return None };
        if next.can_move() {
            return Some(After::Opponent(next));
        }
        let again = next.passed();
        if again.can_move() {
            return Some(After::Same(again));
        }
        Some(After::Over(again.final_score()))
    }

    /// Disc difference for the side to move with the empties given to the winner, in discs.
    pub const fn final_score(self) -> i8 {
        let mover = self.mover.count_ones() as i8;
        let opponent = self.opponent.count_ones() as i8;
        let empties = 64 - mover - opponent;
        let difference = mover - opponent;
        if difference > 0 {
            difference + empties
        } else if difference < 0 {
            difference - empties
        } else {
            0
        }
    }

    /// 64 characters, a1 to h1 first: `X` and `O` by colour, `-` for empty.
    pub fn squares_text(self, side: Side) -> String {
        let (mover, opponent) = (side.letter(), side.other().letter());
        Square::all()
            .map(|square| match square.bit() {
                bit if self.mover & bit != 0 => mover,
                bit if self.opponent & bit != 0 => opponent,
                _ => '-',
            })
            .collect()
    }

    /// The 64 squares, a blank, and the side to move: what [`super::parse_board`] reads.
    pub fn board_text(self, side: Side) -> String {
        format!("{} {}", self.squares_text(side), side.letter())
    }
}

/// Squares with the mover as `X`.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.board_text(Side::Black))
    }
}
