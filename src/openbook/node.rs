//! A position of the book.

use crate::othello::board::{After, Key, Square, Squares};
use crate::othello::search::{Level, Proof};

use super::{Evidence, Held, LineEnds, MoveMask, Record, Rest, Searched, UNKNOWN, Values};

/// A position of the book with what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub key: Key,
    /// The moves that lead to other nodes.
    pub links: MoveMask,
    /// What its own search found, whether that is still valid or not: of several records the one that
    /// answers.
    pub record: Option<Rest>,
    /// How it was searched itself.
    pub searched: Searched,
    /// The moves that its search left out; it covered all others.
    pub left_out: MoveMask,
    /// What searches alone say, by the rules of [`super::Derived`]. What is known from facts is kept beside
    /// ([`super::facts`]).
    pub values: Values,
    /// How sure the values are.
    pub evidence: Evidence,
    pub lines: LineEnds,
    /// Whether the record is valid: its best move does not count as a link.
    pub stands: bool,
    /// Whether a search is due: for some move nothing answers, so the values are over what is known only.
    pub due: bool,
    /// Whether records, bounds or a judgement are kept beside the row.
    pub more: bool,
}

impl Node {
    /// A node that is in no graph yet: its search left the moves out that are links.
    pub fn new(key: Key, record: Option<Rest>, searched: Searched) -> Self {
        Self {
            key,
            links: MoveMask::NONE,
            record,
            searched,
            left_out: MoveMask::NONE,
            values: UNKNOWN,
            evidence: Evidence::unsearched(key.position().empties()),
            lines: LineEnds::NOT_KNOWN,
            stands: record.is_some(),
            due: record.is_none(),
            more: false,
        }
    }

    /// The search of the node's row.
    pub fn own_record(&self) -> Option<Record> {
        let Self { record, searched, left_out, .. } = *self;
        record.map(|rest| Record { rest, searched, left_out })
    }

    /// What its search says of the moves that it answers for, if it is still valid: the best of them with
    /// its score. It is what other programs call the leaf, or the best other move.
    #[inline]
    pub fn rest(&self) -> Option<Rest> {
        self.record.filter(|_| self.stands)
    }

    /// Whether a search is due.
    pub const fn is_incomplete(&self) -> bool {
        self.due
    }

    /// Whether a move is no link and does not end the game, so that only a record can answer for it; never of an
    /// exact position.
    pub(crate) fn has_open_move(&self) -> bool {
        let is_open = |square| !matches!(self.key.position().after(square), Some(After::Over(_)));
        !self.values.is_exact() && self.unlinked().any(is_open)
    }

    /// Puts a record into its row, or none.
    pub(crate) fn set_record(&mut self, record: Option<Record>) {
        match record {
            Some(Record { rest, searched, left_out }) => {
                (self.record, self.searched, self.left_out) = (Some(rest), searched, left_out);
            }
            None => (self.record, self.left_out) = (None, self.links),
        }
    }

    /// Drops a record whose best move is a link, or that covers no move: as files of other programs have it, where
    /// what they say of a position is of the moves that lead nowhere in the file.
    pub(crate) fn drop_linked_rest(&mut self) {
        if self.links.is_empty() {
            return;
        }
        let legal = self.key.position().legal_moves();
        let is_link =
            |rest: Rest| rest.square.is_some_and(|square| self.is_link_among(square, legal));
        let all = self.links.len() == legal.len();
        if all || self.record.is_some_and(is_link) {
            self.record = None;
            self.stands = false;
        }
    }

    /// As programs see it that know no held links: a record whose best move leads to a node is none.
    pub(crate) fn for_other_programs(self) -> Self {
        let is_link = |rest: Rest| rest.square.is_some_and(|square| self.is_link(square));
        Self { stands: self.stands && !self.record.is_some_and(is_link), ..self }
    }

    /// The standard error of its own search, in discs: 0 where that is exact.
    pub fn search_error(&self) -> f64 {
        let empties = self.key.position().empties();
        let error = self.own_record().map(|record| record.error(empties));
        error.unwrap_or_else(|| Evidence::unsearched(empties)).standard_error()
    }

    /// Whether it was searched as a level or a higher one would. Where every move is a link nothing had to be.
    pub(crate) fn reaches(&self, level: Level) -> bool {
        self.reaches_all_levels() || self.searched.meets(level, self.key.position().empties())
    }

    /// Whether it is as one that was searched at any level: its rest is proven, or all of its moves are links.
    pub(crate) fn reaches_all_levels(&self) -> bool {
        match self.rest() {
            Some(rest) => rest.proof == Proof::Exact,
            None => !self.is_incomplete(),
        }
    }

    /// The legal moves that are not links, in ascending order, in the key's orientation.
    pub fn unlinked(&self) -> impl Iterator<Item = Square> {
        let (links, legal) = (self.links, self.key.position().legal_moves());
        legal.enumerate().filter(move |&(index, _)| !links.contains(index)).map(|(_, at)| at)
    }

    /// Whether a move, in the key's orientation, is a link.
    pub(crate) fn is_link(&self, square: Square) -> bool {
        self.is_link_among(square, self.key.position().legal_moves())
    }

    fn is_link_among(&self, square: Square, legal: Squares) -> bool {
        legal.contains(square) && self.links.contains(legal.index_of(square))
    }

    /// The moves that are links, in ascending order, in the key's orientation.
    pub fn linked(&self) -> impl Iterator<Item = Square> {
        let (links, legal) = (self.links, self.key.position().legal_moves());
        legal.enumerate().filter(move |&(index, _)| links.contains(index)).map(|(_, at)| at)
    }
}

impl Held {
    /// What a node has that nothing is kept of beside its row.
    pub fn of(node: &Node) -> Self {
        Self { records: node.own_record().into_iter().collect(), ..Self::default() }
    }
}
