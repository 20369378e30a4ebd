//! How far a book's value of a position may be off, given how far each search may be.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use foldhash::fast::FixedState;

use crate::board::Key;
use crate::book::regret::of_move;
use crate::book::{MoveKind, Node, NodeMove, NodeSource};
use crate::search::Estimate;

/// The share of the variance of a search's error that searches of neighbouring positions have in common,
/// since one evaluator judges them all: it does not shrink where the best of several moves is taken.
/// Measured (the notes of the book).
const SHARED: f64 = 0.2;
/// So many positions at most are looked into, those that lines of good moves come to first: more
/// changed nothing that could be measured.
const LOOKED_INTO: usize = 16;
/// Moves that give away more than this are not followed, in centidiscs.
const NEAR: i32 = 200;
/// A ply counts like giving away so much, in centidiscs, when it is chosen what is looked into.
const PLY: i32 = 25;
/// Less than is ever told, in discs: what is proven, but for moves that can never catch up.
const NONE: f64 = 0.005;

/// What may be wrong with a value, in discs squared.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Doubt {
    /// What the best of several moves has less of.
    own: f64,
    /// What all moves have in common.
    shared: f64,
}

impl Doubt {
    fn of_search(error: f64) -> Self {
        let variance = error * error;
        Self { own: variance * (1.0 - SHARED), shared: variance * SHARED }
    }

    fn error(self) -> f64 {
        let error = (self.own + self.shared).sqrt();
        if error < NONE { 0.0 } else { error }
    }
}

/// The standard error in discs of the guess of a node: that of the best of its moves, each of which may
/// be off by what its own search or the best of the moves after it is. Several moves that are equally
/// good are surer than one. 0 where the node is exact, none where nothing was searched.
///
/// # Errors
/// The book cannot be read.
pub fn expected_error<S: NodeSource + ?Sized>(book: &S, key: Key) -> Result<Option<f64>, S::Error> {
    let Some(node) = book.node(&key)? else { return Ok(None) };
    if node.values.is_exact() {
        return Ok(Some(0.0));
    }
    let mut looked_into = look_into(book, node)?;
    if looked_into.first().is_none_or(|(_, moves)| moves.is_empty()) {
        return Ok(None);
    }
    // What comes later on a line has more discs.
    looked_into.sort_by_key(|(node, _)| Reverse(node.key.discs()));
    let mut known: HashMap<Key, Doubt, FixedState> = HashMap::default();
    let mut last = Doubt::default();
    for (node, moves) in looked_into {
        last = of_best(&node, moves, &known);
        known.insert(node.key, last);
    }
    Ok(Some(last.error()))
}

/// The positions that lines of good moves from a node come to first, with their moves.
fn look_into<S: NodeSource + ?Sized>(
    book: &S,
    root: Node,
) -> Result<Vec<(Node, Vec<NodeMove>)>, S::Error> {
    let mut looked_into: Vec<(Node, Vec<NodeMove>)> = Vec::with_capacity(LOOKED_INTO);
    let mut waiting: HashMap<Key, Node, FixedState> = HashMap::from_iter([(root.key, root)]);
    let mut order = BinaryHeap::from([Reverse((0, root.key))]);
    while looked_into.len() < LOOKED_INTO
        && let Some(Reverse((cost, key))) = order.pop()
    {
        // A position that two lines come to waits once.
        let Some(node) = waiting.remove(&key) else { continue };
        let moves = node.moves(book)?;
        for found in &moves {
            let Some((child, _)) = found.child else { continue };
            let more = of_move(node.values, found.values.guess);
            let is_known = looked_into.iter().any(|(known, _)| known.key == child.key);
            if more < NEAR && !child.values.is_exact() && !is_known {
                waiting.insert(child.key, child);
                order.push(Reverse((cost + more + PLY, child.key)));
            }
        }
        looked_into.push((node, moves));
    }
    Ok(looked_into)
}

/// What may be wrong with the best of a node's moves.
fn of_best(
    node: &Node,
    mut moves: Vec<NodeMove>,
    known: &HashMap<Key, Doubt, FixedState>,
) -> Doubt {
    moves.sort_by_key(|found| Reverse(found.values.guess));
    let each = moves.iter().map(|found| {
        let known = found.child.and_then(|(child, _)| known.get(&child.key));
        let doubt = known.copied().unwrap_or_else(|| of_one(node, found));
        (Estimate { value: found.values.guess.discs(), variance: doubt.own }, doubt.shared)
    });
    let best = each.reduce(|(best, shared), (other, of_other)| {
        let (larger, chance) = best.larger(other);
        (larger, shared * chance + of_other * (1.0 - chance))
    });
    // Nothing is known of its moves: its last search is all there is.
    best.map_or_else(
        || Doubt::of_search(node.search_error()),
        |(best, shared)| Doubt { own: best.variance, shared },
    )
}

/// What may be wrong with the value of a move, as far as it is not looked into: the search of what
/// comes after it.
fn of_one(node: &Node, found: &NodeMove) -> Doubt {
    match (found.kind, found.child) {
        (MoveKind::Terminal, _) => Doubt::default(),
        (_, _) if found.values.is_exact() => Doubt::default(),
        (_, Some((child, _))) => Doubt::of_search(child.search_error()),
        (_, None) => Doubt::of_search(node.search_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Square};
    use crate::book::{MemoryBook, Rest, Searched, SourceId, child_of};
    use crate::score::Score;
    use crate::search::{Proof, Selectivity};

    const DEEP: u8 = 12;

    fn searched() -> Searched {
        Searched { depth: DEEP, selectivity: Selectivity::FULL, source: SourceId(0) }
    }

    fn rest(square: Option<Square>, centidiscs: i16) -> Option<Rest> {
        let score = Score::from_centidiscs(centidiscs);
        Some(Rest { square, score, proof: Proof::None })
    }

    /// A book of the start, f5 and the replies to it, which are worth so much to who plays them.
    fn book(replies: &[i16]) -> (MemoryBook, Key) {
        let mut book = MemoryBook::new();
        let after = child_of(Position::START, "f5".parse().unwrap()).unwrap().0;
        book.insert(after, None, searched()).unwrap();
        for (square, &worth) in after.position().legal_moves().zip(replies) {
            let reply = child_of(after.position(), square).unwrap().0;
            book.insert(reply, rest(reply.position().legal_moves().next(), -worth), searched())
                .unwrap();
        }
        let left = after.position().legal_moves().nth(replies.len());
        book.set_rest(after, left.and_then(|square| rest(Some(square), -3000)), searched())
            .unwrap();
        book.settle();
        (book, after)
    }

    fn error(book: &MemoryBook, key: Key) -> f64 {
        let Ok(error) = expected_error(book, key);
        error.unwrap()
    }

    #[test]
    fn one_good_move_is_as_sure_as_its_search_and_several_are_surer() {
        let alone = crate::search::standard_error(58, DEEP, Selectivity::FULL);
        let (one, key) = book(&[0]);
        assert!((error(&one, key) - alone).abs() < 0.01, "{}", error(&one, key));
        let (two, key) = book(&[0, 0]);
        let (three, key_of_three) = book(&[0, 0, 0]);
        // The variance of the larger of two normal errors is 1 - 1/pi of theirs.
        let of_two = alone * (SHARED + (1.0 - SHARED) * (1.0 - std::f64::consts::FRAC_1_PI)).sqrt();
        assert!((error(&two, key) - of_two).abs() < 0.01, "{} {of_two}", error(&two, key));
        assert!(error(&three, key_of_three) < error(&two, key));
        let (far, key) = book(&[0, -900]);
        assert!((error(&far, key) - alone).abs() < 0.05, "{}", error(&far, key));
    }

    #[test]
    fn what_is_not_known_has_no_error_and_what_is_proven_has_none_to_expect() {
        let (mut book, key) = book(&[0]);
        assert_eq!(expected_error(&book, Key::of(Position::START)), Ok(None));
        for link in book.node(&key).unwrap().unwrap().children().collect::<Vec<_>>() {
            let square = link.child.position().legal_moves().next();
            let exact = Rest { square, score: Score::ZERO, proof: Proof::Exact };
            book.set_rest(link.child, Some(exact), searched()).unwrap();
            book.settle();
            assert_eq!(expected_error(&book, link.child), Ok(Some(0.0)));
        }
        // A move that is far worse by a search cannot shake a proof.
        assert_eq!(expected_error(&book, key), Ok(Some(0.0)));
    }
}
