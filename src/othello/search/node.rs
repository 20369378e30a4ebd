//! A position on the way down a search.

use crate::othello::board::{Bitboard, Position, Square};

use super::last_empties::final_score;

/// A position on the way down, with all that is known of it.
pub(super) struct Node<'s, S> {
    pub state: &'s S,
    pub position: Position,
    /// Plies still to look ahead, at most `empties`; equal to them means: to the end.
    pub depth: u8,
    pub empties: u8,
}

impl<S> Clone for Node<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Node<'_, S> {}

impl<S> Node<'_, S> {
    /// Whether the search goes to the end of the game.
    #[inline(always)]
    pub(crate) fn is_to_the_end(&self) -> bool {
        self.depth == self.empties
    }

    /// The position after a move that turns these discs, with its state, to be searched a ply less deep.
    #[inline(always)]
    pub(crate) fn after<'c>(&self, state: &'c S, square: Square, turned: Bitboard) -> Node<'c, S> {
        let position = self.position.with_move(square, turned);
        Node { state, position, depth: self.depth - 1, empties: self.empties - 1 }
    }

    /// The score in centidiscs when neither side can move.
    #[inline(always)]
    pub fn final_score(&self) -> i32 {
        100 * final_score(self.position.mover, i32::from(self.empties))
    }
}
