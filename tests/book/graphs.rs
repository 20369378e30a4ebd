//! Random legal books for tests.
#![allow(dead_code, clippy::unwrap_used)]

use rosebill::openbook::{MemoryBook, Node, Rest, Searched, SourceId, Values, child_of};
use rosebill::othello::board::Key;
use rosebill::othello::score::Score;
use rosebill::othello::search::{Proof, Selectivity};
use rosebill::store::{Reader, StoreError};

use crate::dice::{Dice, random_position};

/// One change of a book.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    pub key: Key,
    pub rest: Option<Rest>,
    pub searched: Searched,
    /// A node is added, or its rest set.
    pub adds: bool,
}

pub fn random_searched(dice: &mut Dice) -> Searched {
    let selectivity = Selectivity::OURS[dice.below(6)];
    let depth = dice.below(20) as u8;
    Searched { depth, selectivity, source: SourceId(dice.below(3) as u32) }
}

/// A rest for a position: an estimate, a proof of some kind, a value without a move, or none.
pub fn random_rest(dice: &mut Dice, key: Key) -> Option<Rest> {
    let position = key.position();
    let square = dice.pick(position);
    let score = (dice.below(161) as i16 - 80) * 10;
    let estimate =
        |proof| Rest { square: Some(square), score: Score::from_centidiscs(score), proof };
    Some(match dice.below(20) {
        0 | 1 => return None,
        2 => Rest { square: None, ..estimate(Proof::None) },
        3 => Rest { score: Score::from_discs(0), ..estimate(Proof::Exact) },
        4 => Rest { score: Score::from_discs((score / 100) as i8 & !1), ..estimate(Proof::Exact) },
        5 => estimate(Proof::Win),
        6 => estimate(Proof::Loss),
        7 => estimate(Proof::NotLost),
        8 => estimate(Proof::NotWon),
        _ => estimate(Proof::None),
    })
}

/// Grows a book by random moves from a position, with transpositions, passes and finished games as
/// they come, and changes some rests again on the way.
pub fn random_changes(seed: u64, plies: usize, count: usize) -> Vec<Change> {
    let mut dice = Dice(seed);
    let mut keys = vec![Key::of(random_position(&mut dice, plies))];
    let mut changes = vec![];
    let first = keys[0];
    changes.push(Change {
        key: first,
        rest: random_rest(&mut dice, first),
        searched: random_searched(&mut dice),
        adds: true,
    });
    for _ in 0..count {
        // Mostly among the newest, so that the book is deep, sometimes anywhere.
        let near = if dice.below(3) == 0 { keys.len() } else { keys.len().min(8) };
        let key = keys[keys.len() - 1 - dice.below(near)];
        let adds = dice.below(4) != 0;
        let target = if adds {
            match child_of(key.position(), dice.pick(key.position())) {
                Some((child, _)) => child,
                None => continue,
            }
        } else {
            key
        };
        let rest = random_rest(&mut dice, target);
        let searched = random_searched(&mut dice);
        changes.push(Change { key: target, rest, searched, adds });
        keys.push(target);
    }
    changes
}

/// The same changes, of searches that are alike and prove nothing: then every link counts.
pub fn estimates(mut changes: Vec<Change>) -> Vec<Change> {
    for change in &mut changes {
        (change.searched.depth, change.searched.selectivity) = (0, Selectivity::LOWEST);
        if let Some(rest) = &mut change.rest {
            rest.proof = Proof::None;
        }
    }
    changes
}

/// The book that changes make, with its values brought up to date after every so many.
pub fn grown(changes: &[Change], settle_every: usize) -> MemoryBook {
    let mut book = MemoryBook::new();
    for (index, change) in changes.iter().enumerate() {
        if change.adds {
            book.insert(change.key, change.rest, change.searched).unwrap();
        } else {
            book.set_rest(change.key, change.rest, change.searched).unwrap();
        }
        if index % settle_every == 0 {
            book.settle();
        }
    }
    book.settle();
    book
}

/// The nodes on which a search is due, by discs, then by key.
pub fn due(book: &MemoryBook) -> Vec<Key> {
    book.nodes().filter(|node| node.is_incomplete()).map(|node| node.key).collect()
}

/// The same, of a file.
pub fn due_in(book: &Reader) -> Vec<Key> {
    let mut due = Vec::new();
    book.for_each_node(|node| {
        due.extend(node.is_incomplete().then_some(node.key));
        Ok::<_, StoreError>(())
    })
    .unwrap();
    due
}

/// Guess, draw-seeking and win-seeking value in centidiscs, lower and upper bound in discs: what oracles
/// count with.
pub type Plain = [i32; 5];

/// Values as an oracle has them.
pub fn plain(values: Values) -> Plain {
    [
        values.guess.centidiscs().into(),
        values.draw_seeking.centidiscs().into(),
        values.win_seeking.centidiscs().into(),
        values.lower.into(),
        values.upper.into(),
    ]
}

/// All nodes of a book, in the order in which they are stored.
pub fn nodes(reader: &Reader) -> Vec<Node> {
    let mut nodes = Vec::new();
    reader
        .for_each_node(|node| {
            nodes.push(node);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    nodes
}
