//! Of which positions a book has no node, told without asking it: most moves of a book, and nearly all that could
//! have led to one of its positions, lead out of it.

use crate::othello::board::{Key, KeyFilter};

use super::{Book, StoreError};

/// Look-ups in vain in a layer before its size is asked for.
const FEW: u64 = 64;

/// A layer is read when so many of its look-ups were in vain, as a part of its nodes: by then they have cost as much
/// as reading it does.
const PART: u64 = 8;

/// The largest layer that is read: its filter takes some 4 MiB.
const LARGEST: u64 = 1 << 20;

/// A layer of a book.
#[derive(Clone, Debug)]
struct Layer {
    /// Look-ups in vain.
    misses: u64,
    /// With so many of them the layer is looked at.
    look_at: u64,
    /// Its nodes, once it was read.
    nodes: Option<KeyFilter>,
    /// Nodes that the filter still has room for.
    room: u64,
}

impl Default for Layer {
    fn default() -> Self {
        Self { misses: 0, look_at: FEW, nodes: None, room: 0 }
    }
}

/// What is known of the layers of a book while only single nodes of it change.
#[derive(Clone, Default, Debug)]
pub(super) struct Absent {
    /// By their numbers of discs.
    layers: Vec<Layer>,
    /// A layer that is to be looked at.
    due: Option<u8>,
}

impl Absent {
    fn layer(&mut self, discs: u8) -> &mut Layer {
        let index = usize::from(discs);
        if self.layers.len() <= index {
            self.layers.resize_with(index + 1, Layer::default);
        }
        &mut self.layers[index]
    }

    /// Whether the book has no node of a key; false also where that is not known.
    pub(super) fn is_absent(&self, key: Key) -> bool {
        let layer = self.layers.get(usize::from(key.discs()));
        let nodes = layer.and_then(|layer| layer.nodes.as_ref());
        nodes.is_some_and(|nodes| !nodes.may_contain(key))
    }

    /// A key was looked up in vain.
    pub(super) fn missed(&mut self, key: Key) {
        let layer = self.layer(key.discs());
        layer.misses += 1;
        if layer.misses >= layer.look_at && layer.nodes.is_none() {
            self.due = Some(key.discs());
        }
    }

    /// A node was added.
    pub(super) fn added(&mut self, key: Key) {
        let layer = self.layer(key.discs());
        let Some(nodes) = layer.nodes.as_mut().filter(|nodes| !nodes.may_contain(key)) else {
            return;
        };
        match layer.room.checked_sub(1) {
            Some(room) => {
                layer.room = room;
                nodes.insert(key);
            }
            // It would let too many pass.
            None => *layer = Layer::default(),
        }
    }

    /// The layer that is to be looked at, which has so many nodes; whether it is to be read.
    fn is_worth_reading(&mut self, discs: u8, size: u64) -> bool {
        let layer = self.layer(discs);
        if size > LARGEST {
            layer.look_at = u64::MAX;
            return false;
        }
        layer.look_at = size / PART;
        layer.misses >= layer.look_at
    }

    /// What a layer was found to hold; none where it is damaged.
    fn read(&mut self, discs: u8, keys: Option<Vec<Key>>) {
        let layer = self.layer(discs);
        let Some(keys) = keys else {
            layer.look_at = u64::MAX;
            return;
        };
        layer.room = keys.len() as u64 / 4 + FEW;
        let mut nodes = KeyFilter::with_capacity(keys.len() + layer.room as usize);
        keys.into_iter().for_each(|key| nodes.insert(key));
        layer.nodes = Some(nodes);
    }
}

impl Book {
    /// Reads a layer that was asked in vain often enough, so that it need not be any more.
    pub(super) fn read_absent(&self) -> Result<(), StoreError> {
        let Some(recall) = &self.reader.recall else { return Ok(()) };
        let Some(discs) = recall.borrow_mut().no_nodes.due.take() else { return Ok(()) };
        let added = self.added.get(&discs).copied().unwrap_or_default();
        let size = self.reader.counted_layer(discs)?.saturating_add_signed(added);
        if recall.borrow_mut().no_nodes.is_worth_reading(discs, size) {
            // A damaged layer is none of this question's.
            let keys = self.reader.keys_of_layer(discs).ok();
            let keys = keys.filter(|keys| keys.len() as u64 == size);
            recall.borrow_mut().no_nodes.read(discs, keys);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::store::sample::reachable;

    #[test]
    fn a_layer_is_read_when_it_was_asked_in_vain_often_enough() {
        let keys = reachable(9);
        let size = FEW * PART * 2;
        let mut absent = Absent::default();
        let mut asked = 0;
        loop {
            absent.missed(keys[0]);
            asked += 1;
            if absent.due.take().is_some() && absent.is_worth_reading(9, size) {
                break;
            }
        }
        assert_eq!(asked, size / PART);
        // What is too large is never read.
        let mut absent = Absent::default();
        (0..FEW).for_each(|_| absent.missed(keys[0]));
        assert!(!absent.is_worth_reading(9, LARGEST + 1));
        absent.due = None;
        (0..LARGEST).for_each(|_| absent.missed(keys[0]));
        assert_eq!(absent.due, None);
    }

    #[test]
    fn no_node_is_taken_for_absent() {
        let keys = reachable(9);
        let (there, others) = keys.split_at(keys.len() / 3);
        let mut absent = Absent::default();
        absent.read(9, Some(there.to_vec()));
        let mut book: BTreeSet<Key> = there.iter().copied().collect();
        let mut told = 0;
        for &key in others {
            told += usize::from(absent.is_absent(key));
            // Also when there are more than it has room for.
            absent.added(key);
            book.insert(key);
            assert!(book.iter().all(|&key| !absent.is_absent(key)));
        }
        assert!(told > 0);
        assert!(absent.layers[9].nodes.is_none());
        // Of a damaged layer nothing is told.
        absent.read(9, None);
        assert!(keys.iter().all(|&key| !absent.is_absent(key)));
    }
}
