//! Positions for tests.

use crate::openbook::{MoveMask, Searched, SourceId, child_of};
use crate::othello::board::{Key, Position};
use crate::othello::search::Selectivity;

use super::NewNode;
use super::row::storage_order;

/// All positions of so many discs that can be reached, in storage order.
pub(super) fn reachable(discs: u8) -> Vec<Key> {
    let mut keys = vec![Key::of(Position::START)];
    for _ in 4..discs {
        let children = |key: &Key| {
            let position = key.position();
            let child = move |square| child_of(position, square).map(|(key, _)| key);
            position.legal_moves().filter_map(child).collect::<Vec<_>>()
        };
        keys = keys.iter().flat_map(children).collect();
        keys.sort_unstable_by_key(|&key| storage_order(key));
        keys.dedup();
    }
    keys
}

/// All of them as nodes without a value.
pub(super) fn unvalued(discs: u8) -> impl Iterator<Item = NewNode> {
    let searched = Searched { depth: 3, selectivity: Selectivity::FULL, source: SourceId(0) };
    reachable(discs).into_iter().map(move |key| NewNode {
        key,
        rest: None,
        searched,
        left_out: MoveMask::NONE,
        held: None,
    })
}
