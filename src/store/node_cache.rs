//! Positions that the one writer has looked up or written of late: growth asks for the same ones again and
//! again, and for most of them in vain.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::openbook::Node;
use crate::othello::board::Key;

use super::absent_keys::Absent;

/// What was noted of some keys. What was not asked for in a while is forgotten: when the new ones are full they
/// become the old ones, and the old ones go.
#[derive(Debug)]
struct Recent<V> {
    new: HashMap<Key, V, FixedState>,
    old: HashMap<Key, V, FixedState>,
    /// The most new ones.
    most: usize,
}

impl<V: Copy> Recent<V> {
    fn of(most: usize) -> Self {
        Self { new: HashMap::default(), old: HashMap::default(), most: most.max(1) }
    }

    fn get(&mut self, key: &Key) -> Option<V> {
        if let Some(value) = self.new.get(key) {
            return Some(*value);
        }
        let value = self.old.remove(key)?;
        self.put(*key, value);
        Some(value)
    }

    fn put(&mut self, key: Key, value: V) {
        if self.new.len() >= self.most && !self.new.contains_key(&key) {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(key, value);
    }

    fn forget(&mut self, key: &Key) {
        self.new.remove(key);
        self.old.remove(key);
    }
}

/// Some nodes as the book has them, and keys that it has no node of.
#[derive(Debug)]
pub(super) struct Recall {
    nodes: Recent<Node>,
    absent: Recent<()>,
    pub(super) no_nodes: Absent,
    /// Whether it ends with the transaction.
    pub(super) is_passing: bool,
}

impl Recall {
    /// Room for twice so many nodes, of some 80 bytes each, and for twice so many keys without one, of some 20.
    pub(super) fn of(most: usize) -> Self {
        Self {
            nodes: Recent::of(most),
            absent: Recent::of(most),
            no_nodes: Absent::default(),
            is_passing: false,
        }
    }

    /// What a transaction remembers by itself.
    pub(super) fn passing() -> Self {
        Self { is_passing: true, ..Self::of(1 << 16) }
    }

    /// A node, or that there is none, if it is remembered.
    pub(super) fn get(&mut self, key: &Key) -> Option<Option<Node>> {
        if self.no_nodes.is_absent(*key) {
            return Some(None);
        }
        let node = self.nodes.get(key).map(Some);
        node.or_else(|| self.absent.get(key).map(|()| None))
    }

    /// Remembers a node as it is now, or that there is none.
    pub(super) fn found(&mut self, key: Key, node: Option<Node>) {
        match node {
            Some(node) => self.nodes.put(key, node),
            None => {
                self.no_nodes.missed(key);
                self.absent.put(key, ());
            }
        }
    }

    /// As [`Self::found`], where something else may be remembered.
    pub(super) fn wrote(&mut self, key: Key, node: Option<Node>) {
        match node {
            Some(node) => {
                self.absent.forget(&key);
                self.no_nodes.added(key);
                self.nodes.put(key, node);
            }
            None => {
                self.nodes.forget(&key);
                self.absent.put(key, ());
            }
        }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        let Self { nodes: Recent { most, .. }, is_passing, .. } = *self;
        *self = Self { is_passing, ..Self::of(most) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Searched, SourceId};
    use crate::othello::search::Selectivity;
    use crate::store::sample::reachable;
    use proptest::prelude::*;

    fn node(key: Key, depth: u8) -> Node {
        let searched = Searched { depth, selectivity: Selectivity::FULL, source: SourceId(0) };
        Node::new(key, None, searched)
    }

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let keys = reachable(9);
        let mut recall = Recall::of(2);
        for &key in &keys[..3] {
            recall.found(key, Some(node(key, 1)));
        }
        // The first two are old now, and the first is asked for.
        assert_eq!(recall.get(&keys[0]), Some(Some(node(keys[0], 1))));
        recall.found(keys[3], Some(node(keys[3], 1)));
        assert_eq!(recall.get(&keys[1]), None);
        assert_eq!(recall.get(&keys[0]), Some(Some(node(keys[0], 1))));
        // Absences have room of their own.
        recall.found(keys[4], None);
        recall.found(keys[5], None);
        assert_eq!(recall.get(&keys[4]), Some(None));
        assert_eq!(recall.get(&keys[0]), Some(Some(node(keys[0], 1))));
        recall.clear();
        assert_eq!(recall.get(&keys[0]), None);
        assert_eq!(recall.get(&keys[4]), None);
    }

    proptest! {
        /// Whatever is remembered is what a map says that forgets nothing.
        #[test]
        fn what_is_remembered_is_so(
            steps in prop::collection::vec((0..4_u8, 0..30_usize, any::<u8>()), 1..400),
            most in 1..20_usize,
        ) {
            let keys = reachable(9);
            let mut book: HashMap<Key, Node> = HashMap::new();
            let mut recall = Recall::of(most);
            for (what, at, depth) in steps {
                let key = keys[at];
                match what {
                    0 => {
                        book.insert(key, node(key, depth));
                        recall.wrote(key, Some(node(key, depth)));
                    }
                    1 => {
                        book.remove(&key);
                        recall.wrote(key, None);
                    }
                    _ => {
                        let there = book.get(&key).copied();
                        match recall.get(&key) {
                            Some(remembered) => prop_assert_eq!(remembered, there),
                            None => recall.found(key, there),
                        }
                    }
                }
            }
        }
    }
}
