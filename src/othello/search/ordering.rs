//! The order in which moves are tried: a good first move saves most of the tree.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::othello::board::{Bitboard, CORNERS, Cpu, Position, Square, Squares, with_neighbours};
use crate::othello::eval::classic::quick_rating;

/// With four discs or more no more squares are empty, with fewer there are few moves. In games no
/// more than 33 have been seen, but boards that no game leads to can have more.
pub(super) const MOST_MOVES: usize = 60;

/// How moves are rated where a search sorts them. What the transposition table names comes first in
/// either case.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MoveOrdering {
    /// By shallow searches and by the replies that a move leaves.
    #[default]
    Rosebill,
    /// By the kind of square alone ([`quick_rating`]): to be compared with.
    Quick,
}

impl MoveOrdering {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Rosebill, Self::Quick];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Rosebill => "rosebill",
            Self::Quick => "quick",
        }
    }
}

impl fmt::Display for MoveOrdering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MoveOrdering {
    type Err = MoveOrderingError;

    fn from_str(text: &str) -> Result<Self, MoveOrderingError> {
        let named = |ordering: &Self| ordering.name() == text;
        Self::ALL.into_iter().find(named).ok_or_else(|| MoveOrderingError(text.to_owned()))
    }
}

/// A text that names no ordering of moves.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not an ordering of moves: expected rosebill or quick")]
pub struct MoveOrderingError(String);

/// One move of a list.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub square: Square,
    /// The discs that it turns.
    pub turned: Bitboard,
    /// Higher is tried sooner.
    pub rating: i32,
}

/// The moves of a position, handed out best first. They are rated in two steps, as most often a move
/// that the table names ends the node, and the others need not be looked at.
#[derive(Clone)]
pub(super) struct Moves {
    list: [Move; MOST_MOVES],
    len: usize,
    /// Moves not yet handed out.
    left: usize,
    /// Moves that are rated and not yet handed out.
    rated: usize,
}

/// Ratings of moves that the transposition table names.
const TABLE_MOVE: [i32; 2] = [1 << 30, 1 << 29];

/// The rating of a move that takes all discs.
const WIPE_OUT: i32 = i32::MAX;

/// The rating of a move that has been handed out.
const GONE: i32 = i32::MIN;

/// The rating of a move that has none yet.
const UNRATED: i32 = GONE + 1;

impl Moves {
    /// The moves `legal` of a position, not yet rated.
    #[inline(always)]
    pub fn new<C: Cpu>(cpu: C, position: Position, legal: Bitboard) -> Self {
        let nothing = Move { square: Square::new(0), turned: 0, rating: 0 };
        let mut moves = Self { list: [nothing; MOST_MOVES], len: 0, left: 0, rated: 0 };
        for square in Squares(legal) {
            let turned = cpu.flips(square, position.mover, position.opponent);
            let Some(place) = moves.list.get_mut(moves.len) else { break };
            *place = Move { square, turned, rating: UNRATED };
            moves.len += 1;
        }
        moves.left = moves.len;
        moves
    }

    /// These moves, with the discs that they turn, to be handed out in this order.
    pub(crate) fn in_order(list: impl Iterator<Item = (Square, Bitboard)>) -> Self {
        let nothing = Move { square: Square::new(0), turned: 0, rating: GONE };
        let mut moves = Self { list: [nothing; MOST_MOVES], len: 0, left: 0, rated: 0 };
        for ((square, turned), place) in list.zip(&mut moves.list) {
            *place = Move { square, turned, rating: -(moves.len as i32) };
            moves.len += 1;
        }
        (moves.left, moves.rated) = (moves.len, moves.len);
        moves
    }

    /// Takes back a move that was handed out.
    pub(crate) fn give_back(&mut self, given: Move) {
        let list = self.list.iter_mut().take(self.len);
        for place in list.filter(|place| place.square == given.square && place.rating == GONE) {
            *place = given;
            self.left += 1;
            self.rated += 1;
        }
    }

    /// All moves, in the order of their squares.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[Move] {
        &self.list[..self.len]
    }

    /// Rates the moves that need no looking ahead: one that takes all discs, then those that the
    /// table names, the better one first.
    #[inline(always)]
    pub(crate) fn rate_named(&mut self, position: Position, named: [u8; 2]) {
        for candidate in &mut self.list[..self.len] {
            let square = candidate.square.number();
            candidate.rating = if candidate.turned == position.opponent {
                WIPE_OUT
            } else if square == named[0] {
                TABLE_MOVE[0]
            } else if square == named[1] {
                TABLE_MOVE[1]
            } else {
                continue;
            };
            self.rated += 1;
        }
    }

    /// Whether a move is rated that has not yet been handed out.
    #[inline(always)]
    pub(crate) fn has_rated(&self) -> bool {
        self.rated > 0
    }

    /// The moves without a rating, each of which must get one.
    #[inline(always)]
    pub(crate) fn unrated(&mut self) -> impl Iterator<Item = &mut Move> {
        self.rated = self.left;
        self.list[..self.len].iter_mut().filter(|each| each.rating == UNRATED)
    }

    /// Whether there is a move not yet handed out.
    #[inline(always)]
    pub(crate) fn has_next(&self) -> bool {
        self.left > 0
    }

    /// The best-rated move not yet handed out, of equals the first; those without a rating last.
    #[inline(always)]
    pub(crate) fn next_best(&mut self) -> Option<Move> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.rated = self.rated.saturating_sub(1);
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

    /// Rates by the kind of square ([`MoveOrdering::Quick`]). For measurements only.
    #[cold]
    #[inline(never)]
    pub(crate) fn rate_quickly(&mut self) {
        for candidate in self.unrated() {
            candidate.rating = quick_rating(candidate.square);
        }
    }
}

/// The empty squares in quadrants that hold an odd number of them: the side that plays there first
/// also plays there last.
#[inline(always)]
pub(super) const fn odd_squares(empty: Bitboard) -> Bitboard {
    let mut parity = empty ^ (empty >> 1);
    parity ^= parity >> 2;
    parity ^= parity >> 8;
    parity ^= parity >> 16;
    // One bit a quadrant is left, at its lowest square; the product fills the quadrant with it.
    (parity & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f) & empty
}

/// The moves of a position, those to corners counted twice.
#[inline(always)]
pub(super) fn replies<C: Cpu>(cpu: C, position: Position) -> i32 {
    weighed(cpu.legal_moves(position.mover, position.opponent))
}

/// How many moves these are, those to corners counted twice.
#[inline(always)]
pub(super) const fn weighed(legal: Bitboard) -> i32 {
    (legal.count_ones() + (legal & CORNERS).count_ones()) as i32
}

/// The empty squares beside the discs of the side not to move: where moves may yet become legal.
#[inline(always)]
pub(super) fn later_replies(position: Position) -> i32 {
    (with_neighbours(position.opponent) & position.empty_squares()).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_given_back_are_handed_out_again() {
        let squares = ["d3", "f5", "c4"].map(|name| name.parse::<Square>().unwrap());
        let mut moves = Moves::in_order(squares.iter().map(|&square| (square, 1)));
        let mut all = || std::iter::from_fn(|| moves.next_best()).collect::<Vec<Move>>();
        let given = all();
        assert_eq!(given.iter().map(|each| each.square).collect::<Vec<_>>(), squares);
        moves.give_back(given[2]);
        moves.give_back(given[0]);
        moves.give_back(given[0]);
        assert!(moves.has_next() && moves.has_rated());
        let again: Vec<Square> =
            std::iter::from_fn(|| moves.next_best()).map(|each| each.square).collect();
        assert_eq!(again, [squares[0], squares[2]]);
        assert!(!moves.has_next());
    }
}
