//! Nodes that the one writer has read or written recently: growth asks for the same ones again and again.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::openbook::Node;
use crate::othello::board::Key;

type Nodes = HashMap<Key, Node, FixedState>;

/// Some nodes as the book has them. What was not asked for in a while is forgotten: when the new ones are
/// full they become the old ones, and the old ones go.
#[derive(Default, Debug)]
pub(super) struct Recall {
    new: Nodes,
    old: Nodes,
    /// The most new ones.
    most: usize,
}

impl Recall {
    /// Room for twice so many nodes, of some 80 bytes each.
    pub(super) fn of(most: usize) -> Self {
        Self { most: most.max(1), ..Self::default() }
    }

    /// A node, if it is remembered.
    pub(super) fn get(&mut self, key: &Key) -> Option<Node> {
        if let Some(node) = self.new.get(key) {
            return Some(*node);
        }
        let node = self.old.remove(key)?;
        self.put(node);
        Some(node)
    }

    /// Remembers a node as it is now.
    pub(super) fn put(&mut self, node: Node) {
        if self.new.len() >= self.most && !self.new.contains_key(&node.key) {
            self.old = std::mem::take(&mut self.new);
        }
        self.new.insert(node.key, node);
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.new.clear();
        self.old.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Searched, SourceId};
    use crate::othello::search::Selectivity;
    use crate::store::sample::reachable;

    fn node(key: Key, depth: u8) -> Node {
        let searched = Searched { depth, selectivity: Selectivity::FULL, source: SourceId(0) };
        Node::new(key, None, searched)
    }

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let keys = reachable(9);
        let mut recall = Recall::of(2);
        recall.put(node(keys[0], 1));
        recall.put(node(keys[1], 1));
        recall.put(node(keys[2], 1));
        // The first two are old now, and the first is asked for.
        assert_eq!(recall.get(&keys[0]), Some(node(keys[0], 1)));
        recall.put(node(keys[3], 1));
        assert_eq!(recall.get(&keys[1]), None);
        assert_eq!(recall.get(&keys[0]), Some(node(keys[0], 1)));
        // What is written counts, wherever the node was.
        recall.put(node(keys[0], 7));
        recall.put(node(keys[2], 7));
        assert_eq!(recall.get(&keys[0]), Some(node(keys[0], 7)));
        assert_eq!(recall.get(&keys[2]), Some(node(keys[2], 7)));
        recall.clear();
        assert_eq!(recall.get(&keys[0]), None);
    }
}
