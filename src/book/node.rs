//! A position of the book.

use crate::board::{After, Key, Square, Squares};
use crate::score::Score;
use crate::search::{Level, Proof, Selectivity, standard_error};

use super::{MoveMask, SourceId, Values};

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

impl Searched {
    /// The most plies that anybody can look ahead: all squares that are empty at the start.
    pub const MOST_PLIES: u8 = 60;

    /// Whether a search like this finds out what a level asks for at so many empties.
    #[must_use]
    pub fn meets(&self, level: Level, empties: u8) -> bool {
        level.is_met_by(empties, self.depth, self.selectivity)
    }
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

impl Rest {
    /// What it says the moves that are not links are worth.
    #[must_use]
    #[inline]
    pub fn values(self) -> Values {
        Values::of_search(self.score, self.proof)
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
    /// The maximum over links and rest: what searches alone say. What is known from facts is kept
    /// beside ([`super::facts`]).
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

    /// The standard error of the search that the rest comes from, in discs: 0 where it is exact.
    #[must_use]
    pub fn search_error(&self) -> f64 {
        if self.rest.is_some_and(|rest| rest.proof == Proof::Exact) {
            return 0.0;
        }
        let Searched { depth, selectivity, .. } = self.searched;
        standard_error(self.key.position().empties(), depth, selectivity)
    }

    /// Whether it was searched as a level or a higher one would. Where every move is a link nothing had to be.
    #[must_use]
    pub fn reaches(&self, level: Level) -> bool {
        self.reaches_all_levels() || self.searched.meets(level, self.key.position().empties())
    }

    /// Whether it is as one that was searched at any level: its rest is proven, or all of its moves are links.
    #[must_use]
    pub fn reaches_all_levels(&self) -> bool {
        match self.rest {
            Some(rest) => rest.proof == Proof::Exact,
            None => !self.is_incomplete(),
        }
    }

    /// The legal moves that are not links, in ascending order, in the key's orientation.
    pub fn unlinked(&self) -> impl Iterator<Item = Square> {
        let (links, legal) = (self.links, self.key.position().legal_moves());
        legal.enumerate().filter(move |&(index, _)| !links.contains(index)).map(|(_, at)| at)
    }

    /// The moves that are links, in ascending order, in the key's orientation.
    pub fn linked(&self) -> impl Iterator<Item = Square> {
        let (links, legal) = (self.links, self.key.position().legal_moves());
        legal.enumerate().filter(move |&(index, _)| links.contains(index)).map(|(_, at)| at)
    }

    /// Takes moves into the links. A rest that is one of them is no rest any more, nor is one when
    /// no move is left for it.
    pub fn link(&mut self, moves: MoveMask) {
        self.links = self.links.union(moves);
        if self.rest.is_some() {
            self.drop_linked_rest(self.key.position().legal_moves());
        }
    }

    /// As [`Node::link`], for one who knows the legal moves already.
    pub(crate) fn link_among(&mut self, moves: MoveMask, legal: Squares) {
        self.links = self.links.union(moves);
        self.drop_linked_rest(legal);
    }

    fn drop_linked_rest(&mut self, legal: Squares) {
        let all = MoveMask::all_of(legal.len());
        let Some(rest) = self.rest else { return };
        let taken = rest.square.is_some_and(|at| {
            let before = Squares(legal.0 & (at.bit() - 1));
            legal.contains(at) && self.links.contains(before.len())
        });
        if taken || self.links == all {
            self.rest = None;
        }
    }
}
