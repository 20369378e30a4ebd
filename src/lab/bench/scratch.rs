//! Large legal books for measuring, grown as a real one is: where least is given away, with
//! transpositions as they come, but judged by a cheap static rule instead of a search.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::app::grow::stand_in::{judged, mixed, moves_by};
use crate::openbook::{MoveMask, Rest, Searched, SourceId};
use crate::othello::board::{Key, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};
use crate::store::{NewNode, storage_order};

/// Discs where such a book is largest, and how far it spreads to both sides.
const MEAN_DISCS: f64 = 21.0;
const SPREAD_DISCS: f64 = 3.7;
/// Every layer of the opening has so many nodes, if there are as many.
const FEWEST: usize = 16;
/// A node brings at most so many of its moves up for the next layer.
const MOVES_OF_A_NODE: usize = 4;
/// How many sources the nodes name.
pub(super) const SOURCES: u32 = 3;

/// The positions of a layer.
type Keys = HashSet<Key, FixedState>;

/// A node of a layer while it is made: what its line gives away, in centidiscs.
#[derive(Clone, Copy)]
struct Candidate {
    key: Key,
    cost: i32,
}

/// Grows a book of about so many positions and hands out its records layer by layer, each layer in
/// storage order; the same for the same number.
pub fn grow_scratch<E>(
    positions: u64,
    mut layer_done: impl FnMut(Vec<NewNode>) -> Result<(), E>,
) -> Result<(), E> {
    let mut layer = vec![Candidate { key: Key::of(Position::START), cost: 0 }];
    for discs in 4..60 {
        let next = next_layer(&layer, wanted(positions, discs + 1));
        // A search among tens of millions in order waits for memory two dozen times.
        let children: Keys = next.iter().map(|node| node.key).collect();
        let records = layer.iter().map(|node| record(node.key, &children)).collect();
        drop(children);
        layer_done(records)?;
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    Ok(())
}

/// How many nodes a layer is to have.
fn wanted(positions: u64, discs: u8) -> usize {
    let share = |discs: u8| {
        let away = (f64::from(discs) - MEAN_DISCS) / SPREAD_DISCS;
        (-away * away / 2.0).exp()
    };
    let all: f64 = (4..60).map(share).sum();
    let wanted = (positions as f64 * share(discs) / all).round() as usize;
    // A share of nothing in the opening would end the book before it began.
    if f64::from(discs) < MEAN_DISCS { wanted.max(FEWEST) } else { wanted }
}

/// The cheapest positions one move on, in storage order.
fn next_layer(layer: &[Candidate], wanted: usize) -> Vec<Candidate> {
    let mut next = Vec::new();
    for node in layer {
        let mut moves: Vec<(i32, Key)> = judged_moves(node.key.position())
            .filter_map(|(score, _, child)| Some((score, child?)))
            .collect();
        moves.sort_by_key(|&(score, key)| (-score, key));
        let best = moves.first().map_or(0, |&(score, _)| score);
        let candidates = moves.into_iter().take(MOVES_OF_A_NODE);
        next.extend(
            candidates.map(|(score, key)| Candidate { key, cost: node.cost + best - score }),
        );
    }
    let order = |node: &Candidate| storage_order(node.key);
    next.sort_unstable_by_key(|node| (order(node), node.cost));
    next.dedup_by_key(|node| node.key);
    if next.len() > wanted {
        if wanted == 0 {
            return Vec::new();
        }
        next.select_nth_unstable_by_key(wanted - 1, |node| (node.cost, mixed(node.key)));
        next.truncate(wanted);
        next.sort_unstable_by_key(order);
    }
    next.shrink_to_fit();
    next
}

/// The node with its best move that does not lead into the next layer.
fn record(key: Key, next: &Keys) -> NewNode {
    let best = judged_moves(key.position())
        .filter(|(_, _, child)| child.is_none_or(|child| !next.contains(&child)))
        .max_by_key(|&(score, square, _)| (score, square));
    let links = judged_moves(key.position())
        .filter(|(_, _, child)| child.is_some_and(|child| next.contains(&child)))
        .fold(0, |set, (_, square, _)| set | square.bit());
    let mix = mixed(key);
    let rest = best.map(|(score, square, child)| {
        let proof = match (child, mix % 128) {
            (None, _) => Proof::Exact,
            (_, 0) if key.discs() > 24 => Proof::Win,
            (_, 1) if key.discs() > 24 => Proof::Loss,
            _ => Proof::None,
        };
        let score = if proof == Proof::Exact { score / 100 * 100 } else { score };
        Rest { square: Some(square), score: Score::from_centidiscs(score as i16), proof }
    });
    let depth = 10 + (mix >> 8) as u8 % 8;
    let selectivity = Selectivity::OURS[(mix >> 16) as usize % 6];
    let source = SourceId((mix >> 24) as u32 % SOURCES);
    let searched = Searched { depth, selectivity, source };
    let left_out = MoveMask::of_squares(key, links);
    NewNode { key, rest, searched, left_out, held: None }
}

/// All moves with their worth in centidiscs for the side that makes them, and where they lead.
fn judged_moves(position: Position) -> impl Iterator<Item = (i32, Square, Option<Key>)> {
    moves_by(position, judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_as_large_as_asked_and_in_order() {
        let mut all = Vec::new();
        let Ok(()) = grow_scratch(20_000, |layer| {
            all.extend(layer);
            Ok::<_, std::convert::Infallible>(())
        });
        assert!((18_000..=20_100).contains(&all.len()), "{}", all.len());
        assert!(all.is_sorted_by_key(|record| storage_order(record.key)));
        let known: std::collections::HashSet<Key> = all.iter().map(|record| record.key).collect();
        assert_eq!(known.len(), all.len());
        // No rest leads into the book.
        let leads_inside = |record: &NewNode| {
            let after = record.key.position().after(record.rest?.square?)?;
            Some(known.contains(&Key::of(after.position()?)))
        };
        assert!(!all.iter().any(|record| leads_inside(record) == Some(true)));
    }
}
