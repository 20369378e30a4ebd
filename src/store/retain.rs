//! Cutting a book: which nodes stay, and taking out the others.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rusqlite::params;

use crate::board::{Key, Square};
use crate::book::propagate::{Layered, Links, sweep};
use crate::book::{LayerValues, Node, NodeStore, Values, child_of};

use super::row::storage_order;
use super::{Book, StoreError};

/// Which nodes of a book are to stay: a bit for each, layer by layer in storage order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Kept {
    layers: BTreeMap<u8, Vec<u64>>,
    counts: BTreeMap<u8, u64>,
    marked: BTreeMap<u8, u64>,
}

impl Kept {
    /// Says of the next node of a layer, in storage order, whether it stays.
    pub fn push(&mut self, discs: u8, stays: bool) {
        let count = self.counts.entry(discs).or_default();
        let words = self.layers.entry(discs).or_default();
        if count.is_multiple_of(64) {
            words.push(0);
        }
        if let Some(word) = words.last_mut() {
            *word |= u64::from(stays) << (*count % 64);
        }
        *count += 1;
        *self.marked.entry(discs).or_default() += u64::from(stays);
    }

    /// How many nodes stay.
    #[must_use]
    pub fn staying(&self) -> u64 {
        self.marked.values().sum()
    }

    /// How many nodes go.
    #[must_use]
    pub fn going(&self) -> u64 {
        self.counts.values().sum::<u64>() - self.staying()
    }

    /// Discs, nodes that stay, and nodes there are now, by layer.
    pub fn by_layer(&self) -> impl Iterator<Item = (u8, u64, u64)> {
        self.counts.iter().map(|(&discs, &count)| {
            (discs, self.marked.get(&discs).copied().unwrap_or_default(), count)
        })
    }

    fn stays(&self, discs: u8, index: usize) -> bool {
        let word = self.layers.get(&discs).and_then(|words| words.get(index / 64));
        word.is_some_and(|word| word >> (index % 64) & 1 != 0)
    }
}

impl Book {
    /// Takes all nodes out that do not stay; what they were worth becomes the rest of their
    /// parents, whose guesses stay the same; of proofs only who wins is kept. `kept` must have been made from this book as it is.
    /// Returns how many nodes went.
    ///
    /// # Errors
    /// The book cannot be written; then everything since the last commit is forgotten.
    pub fn retain(&mut self, kept: &Kept) -> Result<u64, StoreError> {
        let gone = self.settle().and_then(|_| self.cut(kept));
        self.whole_or_nothing(gone)
    }

    fn cut(&mut self, kept: &Kept) -> Result<u64, StoreError> {
        self.begin()?;
        let mut layers = Layered::layers(self)?;
        layers.sort_unstable_by_key(|&discs| Reverse(discs));
        let mut gone = 0;
        // Of the layer below: what went, with its values.
        let mut below = (64, LayerValues::default());
        for discs in layers {
            if below.0 != discs + 1 {
                below = (discs + 1, LayerValues::default());
            }
            let mut removed = LayerValues::default();
            let mut deleted = Vec::new();
            let mut changed = Vec::new();
            let mut index = 0;
            self.reader.each_in_layer(discs, |mut node, _| {
                if !kept.stays(discs, index) {
                    removed.push(node.key, node.values);
                    deleted.push(node.key);
                } else if !below.1.is_empty() {
                    let lost = lost_links(&node, &below.1);
                    if !lost.is_empty() {
                        node.fold(&lost);
                        changed.push(node);
                    }
                }
                index += 1;
                Ok::<_, StoreError>(())
            })?;
            changed.iter().try_for_each(|node| self.replace(node))?;
            deleted.iter().try_for_each(|&key| self.delete(key))?;
            gone += deleted.len() as u64;
            removed.build_index();
            below = (discs, removed);
        }
        sweep(self, Links::Keep)?;
        Ok(gone)
    }

    fn delete(&mut self, key: Key) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        self.reader
            .connection
            .prepare_cached("DELETE FROM node WHERE discs = ?1 AND mover = ?2 AND opponent = ?3")
            .and_then(|mut statement| statement.execute(params![discs, mover, opponent]))
            .map_err(|cause| self.reader.failed(cause))?;
        *self.added.entry(discs).or_default() -= 1;
        Ok(())
    }

    /// Takes all nodes and sources out, to be filled anew before the next commit.
    ///
    /// # Errors
    /// The book cannot be written.
    pub fn clear(&mut self) -> Result<(), StoreError> {
        self.settle()?;
        self.begin()?;
        self.reader
            .connection
            .execute_batch(
                "DELETE FROM node; DELETE FROM layer; DELETE FROM source; DELETE FROM original",
            )
            .map_err(|cause| self.reader.failed(cause))?;
        self.added.clear();
        Ok(())
    }

    /// Writes the file anew without the room that removed nodes left. Commits first.
    ///
    /// # Errors
    /// The book cannot be written, or there is no room for a second copy.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        self.commit()?;
        let failed = |cause| StoreError::database(&self.reader.path, cause);
        self.reader.connection.execute_batch("VACUUM").map_err(failed)?;
        self.checkpoint()
    }
}

/// The links of a node that lead to nodes that went, with what they were worth to it.
fn lost_links(node: &Node, removed: &LayerValues) -> Vec<(Square, Values)> {
    let position = node.key.position();
    let lost = |square| {
        let (child, same_side) = child_of(position, square)?;
        Some((square, removed.get(child)?.seen_by_parent(same_side)))
    };
    node.linked().filter_map(lost).collect()
}
