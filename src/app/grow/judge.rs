//! Whether what a worker says to have found still counts: only if the book asks exactly that.

use crate::openbook::propagate::{moves_to, parents};
use crate::openbook::{Evidence, Link, MoveMask, Node, NodeSource, child_of, links_of};
use crate::othello::board::Bitboard;
use crate::othello::board::Key;
use crate::othello::score::Score;
use crate::othello::search::{Goal, Limits, Proof, Selectivity};
use crate::store::StoreError;

use super::crew::Refusal;
use super::work::{Depth, Done, Spot, SpotResult, Work};

/// Why a result does not count, if so. `is_ours` says that exactly this work was handed out by this
/// run: then no line to a new position is asked for.
pub(super) fn refusal(
    book: &impl NodeSource<Error = StoreError>,
    done: &Done,
    is_ours: bool,
) -> Result<Option<Refusal>, StoreError> {
    let depth = done.depth;
    let impossible = spots(done).map_or(Some(Refusal::Impossible), |mut spots| {
        spots.find_map(|(spot, found)| defect(&spot, found, &limits(done.work, spot.key, depth)))
    });
    if impossible.is_some() {
        return Ok(impossible);
    }
    match done.work {
        Work::New(spot) => {
            let refusal = of_new(book, &spot, depth)?;
            let is_asked = is_ours || !parents(book, spot.key)?.is_empty();
            Ok(refusal.or((!is_asked).then_some(Refusal::Unasked)))
        }
        Work::Rest { spot, solve } => {
            let Some(node) = book.node(&spot.key)? else { return Ok(Some(Refusal::Unasked)) };
            let error = error_of(&limits(done.work, spot.key, depth), spot.key);
            if left_out(book, spot.key, error)? != spot.linked {
                return Ok(Some(Refusal::OtherLinks));
            }
            let covers_more = node.left_out.squares(node.key) & !spot.linked != 0;
            Ok((!covers_more && !asks_again(&node, depth, solve)).then_some(Refusal::Known))
        }
        Work::Expand { child, parent } => {
            let Some(node) = book.node(&parent.key)? else { return Ok(Some(Refusal::Unasked)) };
            let refusal = of_new(book, &child, depth)?;
            if refusal.is_some() {
                return Ok(refusal);
            }
            let led = moves_to(parent.key, child.key).squares(parent.key);
            let leads = node.rest().and_then(|rest| rest.square).is_some_and(|square| {
                child_of(parent.key.position(), square).is_some_and(|(key, _)| key == child.key)
            });
            let error = error_of(&limits(done.work, parent.key, depth), parent.key);
            let linked = left_out(book, parent.key, error)? | led;
            Ok(match (leads, linked == parent.linked) {
                (false, _) => Some(Refusal::Unasked),
                (true, false) => Some(Refusal::OtherLinks),
                (true, true) => None,
            })
        }
    }
}

/// What was searched, each with what was found.
fn spots(done: &Done) -> Option<impl Iterator<Item = (Spot, &SpotResult)>> {
    let (first, second) = match done.work {
        Work::Rest { spot, .. } | Work::New(spot) => (spot, None),
        Work::Expand { child, parent } => (child, Some(parent)),
    };
    let spots = std::iter::once(first).chain(second);
    (done.found.len() == spots.clone().count()).then(|| spots.zip(&done.found))
}

fn limits(work: Work, key: Key, depth: Depth) -> Limits {
    match work {
        Work::Rest { solve: true, .. } => Limits::solve(Goal::Score),
        _ => depth.limits(key.position().empties()),
    }
}

/// What no search of this spot within these limits can find.
fn defect(spot: &Spot, found: &SpotResult, limits: &Limits) -> Option<Refusal> {
    let position = spot.key.position();
    let empties = position.empties();
    let depth = limits.depth.min(empties);
    let allowed = position.legal_moves().0 & !spot.linked;
    let Some(rest) = found.rest else {
        let is_right = allowed == 0 && found.depth == depth;
        return (!is_right || found.selectivity != limits.selectivity)
            .then_some(Refusal::Impossible);
    };
    if rest.square.is_none_or(|square| allowed & square.bit() == 0) {
        return Some(Refusal::IllegalMove);
    }
    let selectivity = if depth == 0 { Selectivity::FULL } else { limits.selectivity };
    let is_whole = depth > 0 && depth == empties && selectivity.is_full();
    let proof = if is_whole { Proof::Exact } else { Proof::None };
    let is_result = |score: Score| score.centidiscs() % 200 == 0;
    let is_right = (found.depth, found.selectivity, rest.proof) == (depth, selectivity, proof)
        && (Score::MIN..=Score::MAX).contains(&rest.score)
        && (!is_whole || is_result(rest.score));
    (!is_right).then_some(Refusal::Impossible)
}

fn of_new(
    book: &impl NodeSource<Error = StoreError>,
    spot: &Spot,
    depth: Depth,
) -> Result<Option<Refusal>, StoreError> {
    if book.node(&spot.key)?.is_some() {
        return Ok(Some(Refusal::Known));
    }
    let error = error_of(&depth.limits(spot.key.position().empties()), spot.key);
    Ok((left_out(book, spot.key, error)? != spot.linked).then_some(Refusal::OtherLinks))
}

/// Whether the best other move of a node is still to be found, or to be found better.
fn asks_again(node: &Node, depth: Depth, solve: bool) -> bool {
    let empties = node.key.position().empties();
    let is_enough = match depth {
        Depth::Level(level) => node.searched.meets(level, empties),
        Depth::Fixed { depth, selectivity } => {
            (node.searched.depth, node.searched.selectivity) >= (depth.min(empties), selectivity)
        }
    };
    let better = match node.record {
        Some(rest) if solve => rest.proof != Proof::Exact,
        Some(rest) => rest.square.is_none() || rest.proof == Proof::None && !is_enough,
        // All of its moves are links, none of them sure enough for a node above.
        None => matches!(depth, Depth::Fixed { .. }) && !is_enough,
    };
    node.is_incomplete() || better
}

/// The error to expect of a search within these limits.
pub(super) fn error_of(limits: &Limits, key: Key) -> Evidence {
    let empties = key.position().empties();
    match limits.depth >= empties && limits.selectivity.is_full() {
        true => Evidence::EXACT,
        false => Evidence::of_search(empties, limits.depth, limits.selectivity),
    }
}

/// The moves of a position, in the book or not, that a search of this error leaves out: they lead to nodes that
/// are as sure.
pub(super) fn left_out(
    book: &impl NodeSource<Error = StoreError>,
    key: Key,
    error: Evidence,
) -> Result<Bitboard, StoreError> {
    let moves: Vec<Link> = links_of(key, MoveMask::all_of(64)).collect();
    let children: Vec<Key> = moves.iter().map(|link| link.child).collect();
    let found = book.nodes(&children)?.into_iter().zip(moves);
    let links = found.filter(|(child, _)| child.is_some_and(|child| child.evidence.bears(error)));
    Ok(links.fold(0, |linked, (_, link)| linked | link.square.bit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::policy::Deepen;
    use crate::openbook::{Rest, Searched, SourceId, Values};
    use crate::othello::board::Line;
    use crate::othello::search::Level;

    /// What is handed out, what comes in and what stays in a part of a book go by one rule.
    #[test]
    fn all_agree_on_what_a_level_asks_for() {
        let levels = || (0..=Level::MAX.number()).filter_map(Level::new);
        let mut line = Line::default();
        for _ in 0..40 {
            let position = line.board().position;
            let (key, empties) = (Key::of(position), position.empties());
            let square = key.position().legal_moves().next();
            let rest = Some(Rest { square, score: Score::from_discs(2), proof: Proof::None });
            let values = Values::of_search(Score::from_discs(2), Proof::None);
            for searched in levels() {
                let (depth, selectivity) = searched.plan(empties);
                let searched = Searched { depth, selectivity, source: SourceId(0) };
                let node = Node { due: false, values, ..Node::new(key, rest, searched) };
                for level in levels() {
                    let is_met = searched.meets(level, empties);
                    let agree = [
                        node.reaches(level),
                        !Deepen { level }.wants(&node),
                        !asks_again(&node, Depth::Level(level), false),
                    ];
                    assert_eq!(agree, [is_met; 3], "{searched:?} for {level} at {empties}");
                }
            }
            let first = position.legal_moves().next();
            assert!(first.is_some_and(|square| line.push(square)));
        }
    }
}
