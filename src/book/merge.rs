//! Which of two search results of one position is kept. The one rule for merging and importing.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::board::Key;
use crate::search::{Proof, Selectivity};

use super::{MoveMask, Node, Rest, Searched, Source, SourceId};

/// What another book or a file says of a position that the book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Incoming {
    /// The best move that is not a link there.
    pub rest: Option<Rest>,
    /// How it was searched.
    pub searched: Searched,
    /// The moves that are links there.
    pub links: MoveMask,
}

/// The side that the rule prefers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Preferred {
    /// What the book has.
    Present,
    /// What is brought to it.
    Incoming,
}

/// The rule: the stronger result wins ([`strength`]), and of equally strong ones our own beats a
/// foreign one; then the newer one wins, by the day of its source; then what is there stays.
///
/// A rest that is a link in the other of the two says nothing of the moves that are left once both
/// are one, and counts as none.
#[derive(Clone, Debug)]
pub struct MergeRule {
    sources: HashMap<SourceId, Source, FixedState>,
}

impl MergeRule {
    /// The rule for a book with these sources, those of what comes in among them. A source that is
    /// not there counts as ours, of no known day.
    #[must_use]
    pub fn new(sources: impl IntoIterator<Item = (SourceId, Source)>) -> Self {
        Self { sources: sources.into_iter().collect() }
    }

    /// Which search of a position is kept.
    #[must_use]
    pub fn prefer(&self, present: &Node, incoming: &Incoming) -> Preferred {
        let key = present.key;
        let rank = |rest: Option<Rest>, searched: Searched, links_of_other: MoveMask| {
            let taken = links_of_other.squares(key);
            let is_free = |rest: &Rest| rest.square.is_none_or(|square| taken & square.bit() == 0);
            let source = self.sources.get(&searched.source);
            let is_own = source.is_none_or(Source::is_own);
            let day = source.map_or("", |source| source.day.as_str());
            let Searched { depth, selectivity, .. } = searched;
            (strength(key, rest.filter(is_free), depth, selectivity), is_own, day)
        };
        let of_present = rank(present.rest, present.searched, incoming.links);
        let of_incoming = rank(incoming.rest, incoming.searched, present.links);
        if of_incoming > of_present { Preferred::Incoming } else { Preferred::Present }
    }
}

/// How strong a search result is, more is better: one with a rest before one without, which proves
/// nothing; then proven before unproven; then the deeper search; then the less selective one. A
/// search cannot look further than to the end.
#[must_use]
pub fn strength(
    key: Key,
    rest: Option<Rest>,
    depth: u8,
    selectivity: Selectivity,
) -> impl Ord + use<> {
    let proof = match rest.map(|rest| rest.proof) {
        None | Some(Proof::None) => 0,
        Some(Proof::NotLost | Proof::NotWon) => 1,
        Some(Proof::Win | Proof::Loss) => 2,
        Some(Proof::Exact) => 3,
    };
    (rest.is_some(), proof, depth.min(key.position().empties()), selectivity.percent())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::book::UNKNOWN;
    use crate::score::Score;

    /// Of these sources 0 is ours and of no known day, 1 another program's, 2 ours of a later day.
    fn rule() -> MergeRule {
        let source = |format: &str, day: &str| Source {
            format: format.to_owned(),
            day: day.to_owned(),
            ..Source::default()
        };
        let sources = [source("", ""), source("edax", "2026-01-01"), source("", "2026-02-02")];
        MergeRule::new((0..).map(SourceId).zip(sources))
    }

    fn result(rest: Option<(u8, Proof)>, depth: u8, percent: u8, source: u32) -> Incoming {
        let selectivity = Selectivity::from_percent(percent).unwrap();
        let start = Key::of(Position::START).position();
        let rest = rest.map(|(index, proof)| Rest {
            square: start.legal_moves().nth(usize::from(index)),
            score: Score::ZERO,
            proof,
        });
        let searched = Searched { depth, selectivity, source: SourceId(source) };
        Incoming { rest, searched, links: MoveMask::NONE }
    }

    fn node(Incoming { rest, searched, links }: Incoming) -> Node {
        Node { key: Key::of(Position::START), links, rest, searched, values: UNKNOWN }
    }

    #[test]
    fn each_step_of_the_rule_decides_only_when_those_before_do_not() {
        let rest = |proof| Some((0, proof));
        let ordered = [
            result(None, 30, 100, 2),
            result(rest(Proof::None), 10, 73, 1),
            result(rest(Proof::None), 10, 73, 0),
            result(rest(Proof::None), 10, 73, 2),
            result(rest(Proof::None), 10, 99, 1),
            result(rest(Proof::None), 12, 73, 1),
            result(rest(Proof::NotLost), 8, 100, 1),
            result(rest(Proof::Win), 8, 100, 1),
            result(rest(Proof::Exact), 8, 100, 1),
        ];
        let rule = rule();
        for (index, &worse) in ordered.iter().enumerate() {
            for &better in &ordered[index + 1..] {
                assert_eq!(rule.prefer(&node(worse), &better), Preferred::Incoming);
                assert_eq!(rule.prefer(&node(better), &worse), Preferred::Present);
            }
            assert_eq!(rule.prefer(&node(worse), &worse), Preferred::Present);
        }
    }

    #[test]
    fn a_rest_that_is_a_link_in_the_other_counts_as_none() {
        let rule = rule();
        let deep = result(Some((1, Proof::None)), 20, 100, 0);
        let shallow = result(Some((0, Proof::None)), 4, 73, 1);
        assert_eq!(rule.prefer(&node(deep), &shallow), Preferred::Present);
        let with_link = Incoming { links: MoveMask::NONE.with(1), ..shallow };
        assert_eq!(rule.prefer(&node(deep), &with_link), Preferred::Incoming);
        // The other way round, too.
        assert_eq!(rule.prefer(&node(shallow), &deep), Preferred::Incoming);
        assert_eq!(rule.prefer(&node(with_link), &deep), Preferred::Present);
    }

    #[test]
    fn nothing_is_deeper_than_the_end() {
        let selectivity = Selectivity::FULL;
        let key = Key::of(Position::START);
        assert!(strength(key, None, 60, selectivity) == strength(key, None, 62, selectivity));
        assert!(strength(key, None, 59, selectivity) < strength(key, None, 60, selectivity));
    }
}
