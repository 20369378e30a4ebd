//! A position of the book.

use crate::board::{After, Key, Square, Squares};
use crate::score::Score;
use crate::search::{Proof, Selectivity};

use super::Values;

/// The row of the store's `source` table that says which program, evaluator and level a search
/// result came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub u32);

/// How a node was searched: the provenance of its rest, kept also when no rest is left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Searched {
    /// Plies looked ahead from the node.
    pub depth: u8,
    /// Confidence.
    pub selectivity: Selectivity,
    /// Who searched.
    pub source: SourceId,
}

/// The best move that is not a link, in the key's orientation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rest {
    /// The move; none where another program's book knows a value but no move.
    pub square: Option<Square>,
    /// Its score for the side to move of the node.
    pub score: Score,
    /// What the score proves: it bounds every move that is not a link.
    pub proof: Proof,
}

/// A set of legal moves: bit `i` is the `i`-th legal move in ascending square order, in the key's
/// orientation. Symmetric moves that lead to the same node are all in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct MoveMask(pub u64);

impl MoveMask {
    /// The set of these squares, all of them legal moves of the key's position.
    #[must_use]
    pub fn of_squares(key: Key, squares: u64) -> Self {
        let legal = key.position().legal_moves();
        let mask = legal
            .enumerate()
            .filter(|(_, square)| squares & square.bit() != 0)
            .fold(0, |mask, (index, _)| mask | 1 << index);
        Self(mask)
    }

    /// The set of the first `count` legal moves.
    #[must_use]
    pub const fn all_of(count: usize) -> Self {
        Self(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    /// The set as squares.
    #[must_use]
    pub fn squares(self, key: Key) -> u64 {
        let legal = key.position().legal_moves();
        legal
            .enumerate()
            .filter(|&(index, _)| self.0 >> index & 1 != 0)
            .fold(0, |squares, (_, square)| squares | square.bit())
    }
}

/// A position of the book with what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// The position.
    pub key: Key,
    /// The moves that lead to other nodes.
    pub links: MoveMask,
    /// The best other move, unless every move is a link or ends the game, or a search is due.
    pub rest: Option<Rest>,
    /// How the node was searched.
    pub searched: Searched,
    /// The maximum over links and rest.
    pub values: Values,
}

impl Node {
    /// Whether a search is due: a move that does not end the game is neither a link nor covered by
    /// a rest, so the values are over what is known only.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.rest.is_none()
            && self
                .unlinked()
                .any(|square| !matches!(self.key.position().after(square), Some(After::Over(_))))
    }

    /// The legal moves that are not links, in ascending order, in the key's orientation.
    pub fn unlinked(&self) -> impl Iterator<Item = Square> {
        let links = self.links.0;
        let legal = self.key.position().legal_moves();
        legal.enumerate().filter(move |(index, _)| links >> index & 1 == 0).map(|(_, at)| at)
    }

    /// The moves that are links, in ascending order, in the key's orientation.
    pub fn linked(&self) -> impl Iterator<Item = Square> {
        let links = self.links.0;
        let legal = self.key.position().legal_moves();
        legal.enumerate().filter(move |(index, _)| links >> index & 1 != 0).map(|(_, at)| at)
    }

    /// Takes moves into the links. A rest that is one of them is no rest any more, nor is one when
    /// no move is left for it.
    pub fn link(&mut self, moves: MoveMask) {
        self.links.0 |= moves.0;
        if self.rest.is_some() {
            self.drop_linked_rest(self.key.position().legal_moves());
        }
    }

    /// As [`Node::link`], for one who knows the legal moves already.
    pub(crate) fn link_among(&mut self, moves: MoveMask, legal: Squares) {
        self.links.0 |= moves.0;
        self.drop_linked_rest(legal);
    }

    fn drop_linked_rest(&mut self, legal: Squares) {
        let all = MoveMask::all_of(legal.len());
        let Some(rest) = self.rest else { return };
        let taken = rest.square.is_some_and(|at| {
            let before = Squares(legal.0 & (at.bit() - 1));
            legal.contains(at) && self.links.0 >> before.len() & 1 != 0
        });
        if taken || self.links == all {
            self.rest = None;
        }
    }
}
