//! What games reach and the book is not sure of, searched deeper.

use std::collections::BTreeMap;

use crate::openbook::{Node, NodeSource, ReadOnce, end_of_best_line};
use crate::othello::board::{Key, Square};
use crate::othello::search::Level;

use super::popular::played_positions;
use super::{Deepen, Leaf, Policy, Reason, Request, share_of};

/// Searches again what the values of played positions rest on: the search of the position itself, and
/// the one at the end of its best line, which its value comes from. That comes first on which the most
/// doubt falls, the games that it matters to times its standard error in discs. What was searched as a
/// level asks for, or is proven, is left as it is. The priority is that doubt, negated.
#[derive(Clone, PartialEq, Debug)]
pub struct Doubt {
    /// The level that searches are raised to.
    deepen: Deepen,
    /// Played positions with how many games came through them, those of most games first.
    positions: Vec<(Key, u32)>,
}

impl Doubt {
    /// Counts the positions of games, each given by its moves from the start position; those that
    /// fewer than `least` games reach are left out.
    pub fn of_games<'g>(
        games: impl IntoIterator<Item = &'g [Square]>,
        least: u32,
        level: Level,
    ) -> Self {
        Self { deepen: Deepen { level }, positions: played_positions(games, least) }
    }

    /// Whether a node is to be searched, and why.
    fn reason(&self, node: &Node) -> Option<Reason> {
        match node.is_incomplete() {
            true => Some(Reason::Due),
            false => self.deepen.wants(node).then_some(Reason::Deepen),
        }
    }
}

impl<S: NodeSource + ?Sized> Policy<S> for Doubt {
    fn ranks_by_centidiscs(&self) -> bool {
        false
    }

    fn batch(&self, _: u64, _: u64) -> usize {
        share_of(self.positions.len() as u64, 1024)
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let book = ReadOnce::new(book);
        let mut games: BTreeMap<Key, (u64, Node)> = BTreeMap::new();
        for &(key, count) in &self.positions {
            // The most doubtful may come last.
            if request.give_up.is_due() {
                return Ok(Vec::new());
            }
            let Some(node) = book.node(&key)? else { continue };
            // The node whose own search decides what this one is worth.
            let end = end_of_best_line(&book, node, |_| false)?.node;
            let own = (end.key != node.key).then_some(node);
            for node in own.into_iter().chain([end]) {
                games.entry(node.key).or_insert((0, node)).0 += u64::from(count);
            }
        }
        let mut leaves: Vec<Leaf> = games
            .into_iter()
            .filter(|(key, _)| !request.in_flight.contains(key))
            .filter_map(|(key, (games, node))| {
                let reason = self.reason(&node)?;
                if reason == Reason::Deepen && !request.deepens(key) {
                    return None;
                }
                // A number that no book reaches stands for all beyond it.
                let priority = -(games as f64 * node.search_error()) as i32;
                Some(Leaf { priority, ..Leaf::without_line(key, reason) })
            })
            .collect();
        // Stable: of equals the first key.
        leaves.sort_by_key(|leaf| leaf.priority);
        leaves.truncate(request.count);
        Ok(leaves)
    }
}
