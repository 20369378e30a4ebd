//! All nodes of a book in memory, for policies whose ranking goes through most of them.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::openbook::{Held, Node, NodeSource};
use crate::othello::board::{Key, KeyFilter};

/// The nodes by key.
pub(super) type Nodes = HashMap<Key, Node, FixedState>;

/// What one node takes, in bytes: where the table has just grown, half of it is empty.
pub(super) const EACH: usize = 2 * (size_of::<(Key, Node)>() + 1);

/// A book with its nodes in memory.
pub(in crate::openbook::policy) struct Loaded<'a, S: ?Sized> {
    pub(super) book: &'a S,
    pub(super) nodes: &'a Nodes,
}

impl<S: NodeSource + ?Sized> NodeSource for Loaded<'_, S> {
    type Error = S::Error;

    fn node(&self, key: &Key) -> Result<Option<Node>, S::Error> {
        Ok(self.nodes.get(key).copied())
    }

    fn is_in_memory(&self) -> bool {
        true
    }

    fn filter(&self, most: u64) -> Result<Option<KeyFilter>, S::Error> {
        if self.nodes.len() as u64 > most {
            return Ok(None);
        }
        let mut filter = KeyFilter::with_capacity(self.nodes.len());
        self.nodes.keys().for_each(|&key| filter.insert(key));
        Ok(Some(filter))
    }

    fn held(&self, node: &Node) -> Result<Held, S::Error> {
        self.book.held(node)
    }
}
