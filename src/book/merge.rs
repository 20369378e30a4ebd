//! Which of two search results of one position is kept. The one rule for merging and importing.

use std::cmp::Ordering;

use crate::search::Proof;

use super::{Rest, Searched};

/// A search result as far as the rule looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// What is known of the best move that is not a link.
    pub rest: Option<Rest>,
    /// How it was searched.
    pub searched: Searched,
    /// Whether it is a search of ours and not another program's value.
    pub own: bool,
}

/// The side that the rule prefers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Preferred {
    /// What the book has.
    Present,
    /// What is brought to it.
    Incoming,
}

/// The rule: proven beats unproven; then the deeper search wins, and of equally deep ones the more
/// selective loses; then our own beats a foreign one; then the newer. What is in the book is the
/// newer one unless `incoming_is_newer`. A result without a rest (every move was a link there, or a
/// search is due) proves nothing and loses to one with a rest.
///
/// `empties` caps depths: a search cannot look further than to the end.
#[must_use]
pub fn prefer(
    present: &Evidence,
    incoming: &Evidence,
    empties: u8,
    incoming_is_newer: bool,
) -> Preferred {
    match rank(present, empties).cmp(&rank(incoming, empties)) {
        Ordering::Less => Preferred::Incoming,
        Ordering::Equal if incoming_is_newer => Preferred::Incoming,
        Ordering::Greater | Ordering::Equal => Preferred::Present,
    }
}

/// Compared from the left; more is better.
fn rank(evidence: &Evidence, empties: u8) -> (bool, u8, u8, u8, bool) {
    let proof = match evidence.rest.map(|rest| rest.proof) {
        None | Some(Proof::None) => 0,
        Some(Proof::NotLost | Proof::NotWon) => 1,
        Some(Proof::Win | Proof::Loss) => 2,
        Some(Proof::Exact) => 3,
    };
    let Searched { depth, selectivity, .. } = evidence.searched;
    (evidence.rest.is_some(), proof, depth.min(empties), selectivity.percent(), evidence.own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::SourceId;
    use crate::score::Score;
    use crate::search::Selectivity;

    fn evidence(proof: Proof, depth: u8, percent: u8, own: bool) -> Evidence {
        let selectivity = Selectivity::from_percent(percent).unwrap();
        Evidence {
            rest: Some(Rest { square: None, score: Score::ZERO, proof }),
            searched: Searched { depth, selectivity, source: SourceId(0) },
            own,
        }
    }

    #[test]
    fn each_step_of_the_rule_decides_only_when_those_before_do_not() {
        let ordered = [
            Evidence { rest: None, ..evidence(Proof::None, 30, 100, true) },
            evidence(Proof::None, 10, 73, false),
            evidence(Proof::None, 10, 73, true),
            evidence(Proof::None, 10, 99, false),
            evidence(Proof::None, 12, 73, false),
            evidence(Proof::NotLost, 8, 100, false),
            evidence(Proof::Win, 8, 100, false),
            evidence(Proof::Exact, 8, 100, false),
        ];
        for (index, worse) in ordered.iter().enumerate() {
            for better in &ordered[index + 1..] {
                assert_eq!(prefer(worse, better, 60, false), Preferred::Incoming);
                assert_eq!(prefer(better, worse, 60, true), Preferred::Present);
            }
            assert_eq!(prefer(worse, worse, 60, true), Preferred::Incoming);
            assert_eq!(prefer(worse, worse, 60, false), Preferred::Present);
        }
    }

    #[test]
    fn nothing_is_deeper_than_the_end() {
        let (a, b) = (evidence(Proof::None, 20, 99, true), evidence(Proof::None, 22, 98, true));
        assert_eq!(prefer(&a, &b, 20, true), Preferred::Present);
    }
}
