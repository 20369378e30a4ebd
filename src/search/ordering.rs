//! The order in which moves are tried: a good first move saves most of the tree.

use crate::board::{Bitboard, Cpu, Position, Square, Squares};

use super::endgame::odd_squares;

/// With four discs or more no more squares are empty, with fewer there are few moves. In games no
/// more than 33 have been seen, but boards that no game leads to can have more.
const MOST_MOVES: usize = 60;

const CORNERS: Bitboard = 0x8100_0000_0000_0081;

/// One move of a list.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub square: Square,
    /// The discs that it turns.
    pub turned: Bitboard,
    /// Higher is tried sooner.
    pub rating: i32,
}

/// The moves of a position, handed out best first. Where there can be only a few, a short list
/// saves time.
pub(super) struct Moves<const MOST: usize = MOST_MOVES> {
    list: [Move; MOST],
    len: usize,
    /// Moves not yet handed out.
    left: usize,
}

/// Ratings of moves that the transposition table names.
pub(super) const TABLE_MOVE: [i32; 2] = [1 << 30, 1 << 29];

/// The rating of a move that takes all discs.
pub(super) const WIPE_OUT: i32 = i32::MAX;

/// The rating of a move that has been handed out.
const GONE: i32 = i32::MIN;

impl<const MOST: usize> Moves<MOST> {
    /// The moves `legal` of a position, not yet rated.
    #[inline(always)]
    pub fn new<C: Cpu>(cpu: C, position: Position, legal: Bitboard) -> Self {
        let nothing = Move { square: Square::new(0), turned: 0, rating: 0 };
        let mut moves = Self { list: [nothing; MOST], len: 0, left: 0 };
        for square in Squares(legal) {
            let turned = cpu.flips(square, position.mover, position.opponent);
            let Some(place) = moves.list.get_mut(moves.len) else { break };
            *place = Move { square, turned, rating: 0 };
            moves.len += 1;
        }
        moves.left = moves.len;
        moves
    }

    /// All moves, in the order of their squares.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        &mut self.list[..self.len]
    }

    /// Whether there is a move not yet handed out.
    #[inline(always)]
    pub fn has_next(&self) -> bool {
        self.left > 0
    }

    /// The best-rated move not yet handed out, of equals the first.
    #[inline(always)]
    pub fn next_best(&mut self) -> Option<Move> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let list = self.list.get_mut(..self.len)?;
        let mut best = 0;
        for (index, candidate) in list.iter().enumerate() {
            if candidate.rating > list[best].rating {
                best = index;
            }
        }
        let chosen = list.get_mut(best)?;
        Some(std::mem::replace(chosen, Move { rating: GONE, ..*chosen }))
    }

    /// Rates by how few replies a move leaves now, corners counted twice, and may leave later, then
    /// by parity.
    #[inline(always)]
    pub fn rate_fastest_first<C: Cpu>(&mut self, cpu: C, position: Position, table_move: u8) {
        let odd = odd_squares(position.empty_squares());
        for candidate in self.as_mut_slice() {
            let square = candidate.square.number();
            candidate.rating = if candidate.turned == position.opponent {
                WIPE_OUT
            } else if square == table_move {
                TABLE_MOVE[0]
            } else {
                let child = position.with_move(candidate.square, candidate.turned);
                let parity = i32::from(candidate.square.bit() & odd != 0);
                4 * parity - 8 * replies(cpu, child) - 2 * later_replies(child)
            };
        }
    }
}

/// The moves of a position, those to corners counted twice.
#[inline(always)]
pub(super) fn replies<C: Cpu>(cpu: C, position: Position) -> i32 {
    let legal = cpu.legal_moves(position.mover, position.opponent);
    (legal.count_ones() + (legal & CORNERS).count_ones()) as i32
}

/// The empty squares beside the discs of the side not to move: where moves may yet become legal.
#[inline(always)]
pub(super) fn later_replies(position: Position) -> i32 {
    const NOT_FIRST_COLUMN: Bitboard = 0xfefe_fefe_fefe_fefe;
    const NOT_LAST_COLUMN: Bitboard = 0x7f7f_7f7f_7f7f_7f7f;
    let discs = position.opponent;
    let row = discs | discs << 1 & NOT_FIRST_COLUMN | discs >> 1 & NOT_LAST_COLUMN;
    let near = row | row << 8 | row >> 8;
    (near & position.empty_squares()).count_ones() as i32
}
