//! The positions of a book, in memory where very many are asked for.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::openbook::{Bounds, Held, Node, NodeSource, Values};
use crate::othello::board::Key;
use crate::store::{Reader, StoreError};

/// So many positions are read at once where many are asked for: some 100 bytes each.
const MOST_NODES: u64 = 1_000_000;

/// Of so many it is read at once which there are.
const MOST_KEYS: u64 = 4_000_000;

/// What was read at once.
enum Loaded {
    Nothing,
    Keys(HashSet<Key, FixedState>),
    Nodes(HashMap<Key, Node, FixedState>),
}

/// The positions of a book. What facts say of them is asked of the book each time.
pub(super) struct Nodes<'b> {
    book: &'b Reader,
    loaded: Loaded,
}

impl<'b> Nodes<'b> {
    /// Nothing is read yet.
    pub(super) const fn of(book: &'b Reader) -> Self {
        Self { book, loaded: Loaded::Nothing }
    }

    pub(super) const fn book(&self) -> &'b Reader {
        self.book
    }

    /// Reads all at once, or which there are, where they are not too many.
    pub(super) fn load(&mut self) -> Result<(), StoreError> {
        let count = self.book.count_positions()?;
        if count <= MOST_NODES {
            let mut nodes = HashMap::default();
            self.book.for_each_node(|node| {
                nodes.insert(node.key, node);
                Ok::<_, StoreError>(())
            })?;
            self.loaded = Loaded::Nodes(nodes);
        } else if count <= MOST_KEYS {
            let mut keys = HashSet::default();
            self.book.for_each_node(|node| {
                keys.insert(node.key);
                Ok::<_, StoreError>(())
            })?;
            self.loaded = Loaded::Keys(keys);
        }
        Ok(())
    }

    /// Whether a position may be one; quick.
    pub(super) fn may_have(&self, key: Key) -> bool {
        match &self.loaded {
            Loaded::Nothing => true,
            Loaded::Keys(keys) => keys.contains(&key),
            Loaded::Nodes(nodes) => nodes.contains_key(&key),
        }
    }
}

impl NodeSource for Nodes<'_> {
    type Error = StoreError;

    fn node(&self, key: &Key) -> Result<Option<Node>, StoreError> {
        match &self.loaded {
            Loaded::Nodes(nodes) => Ok(nodes.get(key).copied()),
            Loaded::Keys(keys) if !keys.contains(key) => Ok(None),
            _ => self.book.node(key),
        }
    }

    fn nodes(&self, keys: &[Key]) -> Result<Vec<Option<Node>>, StoreError> {
        match &self.loaded {
            Loaded::Nodes(nodes) => Ok(keys.iter().map(|key| nodes.get(key).copied()).collect()),
            _ => self.book.nodes(keys),
        }
    }

    fn held(&self, node: &Node) -> Result<Held, StoreError> {
        self.book.held(node)
    }

    fn has_facts(&self) -> Result<bool, StoreError> {
        self.book.has_facts()
    }

    fn facts_of(&self, key: &Key) -> Result<Vec<Bounds>, StoreError> {
        self.book.facts_of(key)
    }

    fn known(&self, keys: &[Key]) -> Result<Vec<Option<Values>>, StoreError> {
        self.book.known(keys)
    }
}
