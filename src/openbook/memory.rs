//! A book in memory: for tests, and for small books that are made and thrown away.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::sync::Arc;

use crate::othello::board::Key;

use super::propagate::{Changes, Dirty, HeldOfLayer, Layered, propagate};
use super::{
    Bounds, Found, Held, Inserted, Node, NodeError, NodeSource, NodeStore, Rest, Searched,
    SourceOrder, Values, check_node, edit,
};

/// Nodes by number of discs and key.
#[derive(Clone, Default, Debug)]
pub struct MemoryBook {
    nodes: BTreeMap<(u8, Key), Node>,
    /// What is kept of nodes of which their rows do not hold all.
    held: HashMap<Key, Held>,
    facts: HashMap<Key, Vec<Bounds>>,
    /// What nodes are known to be worth from facts.
    known: HashMap<Key, Values>,
    dirty: Dirty,
}

impl MemoryBook {
    /// An empty book.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes by number of discs, then key.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.values()
    }

    /// Adds a node, or a search to one that is there; the search left out what leads to nodes.
    /// [`MemoryBook::settle`] must follow before values are read.
    pub fn insert(
        &mut self,
        key: Key,
        rest: Option<Rest>,
        searched: Searched,
    ) -> Result<Inserted, NodeError> {
        self.take(key, &Found { rest, searched, left_out: None })
    }

    /// As [`MemoryBook::insert`], of a search that left these moves out.
    pub fn take(&mut self, key: Key, found: &Found) -> Result<Inserted, NodeError> {
        check_node(key, found.rest)?;
        let mut dirty = std::mem::take(&mut self.dirty);
        let Ok(inserted) = edit::insert(self, &mut dirty, key, found);
        self.dirty = dirty;
        Ok(inserted)
    }

    /// Changes what is kept of a node; false when there is no such node.
    pub fn change(&mut self, key: Key, change: impl FnOnce(&mut Held)) -> bool {
        let mut dirty = std::mem::take(&mut self.dirty);
        let Ok(known) = edit::change(self, &mut dirty, key, change);
        self.dirty = dirty;
        known
    }

    /// Adds a search to a node; false when there is no such node.
    pub fn set_rest(
        &mut self,
        key: Key,
        rest: Option<Rest>,
        searched: Searched,
    ) -> Result<bool, NodeError> {
        check_node(key, rest)?;
        let mut dirty = std::mem::take(&mut self.dirty);
        let found = Found { rest, searched, left_out: None };
        let Ok(known) = edit::set_record(self, &mut dirty, key, &found);
        self.dirty = dirty;
        Ok(known)
    }

    /// Adds a fact, whatever it says.
    pub fn add_fact(&mut self, key: Key, fact: Bounds) {
        self.facts.entry(key).or_default().push(fact);
        self.dirty.mark(key);
    }

    pub fn positions_of_facts(&self) -> impl Iterator<Item = Key> {
        self.facts.keys().copied()
    }

    /// Brings all values up to date; returns how many nodes changed.
    pub fn settle(&mut self) -> usize {
        let mut dirty = std::mem::take(&mut self.dirty);
        let Ok(changed) = propagate(self, &mut dirty);
        changed
    }

    /// Puts a node as it is, with nothing checked and nothing propagated.
    pub fn put_raw(&mut self, node: Node) {
        self.nodes.insert((node.key.discs(), node.key), node);
    }
}

impl NodeSource for MemoryBook {
    type Error = Infallible;

    fn node(&self, key: &Key) -> Result<Option<Node>, Infallible> {
        Ok(self.nodes.get(&(key.discs(), *key)).copied())
    }

    fn all_nodes(&self, most: usize) -> Result<Option<Vec<Node>>, Infallible> {
        let is_whole = self.nodes.len() <= most;
        Ok(is_whole.then(|| self.nodes.values().copied().collect()))
    }

    fn held(&self, node: &Node) -> Result<Held, Infallible> {
        Ok(self.held.get(&node.key).cloned().unwrap_or_else(|| Held::of(node)))
    }

    fn has_facts(&self) -> Result<bool, Infallible> {
        Ok(!self.facts.is_empty())
    }

    fn facts_of(&self, key: &Key) -> Result<Vec<Bounds>, Infallible> {
        Ok(self.facts.get(key).cloned().unwrap_or_default())
    }

    fn known(&self, keys: &[Key]) -> Result<Vec<Option<Values>>, Infallible> {
        Ok(keys.iter().map(|key| self.known.get(key).copied()).collect())
    }
}

impl NodeStore for MemoryBook {
    fn add(&mut self, node: &Node) -> Result<(), Infallible> {
        self.put_raw(*node);
        Ok(())
    }

    fn replace(&mut self, node: &Node) -> Result<(), Infallible> {
        self.put_raw(*node);
        Ok(())
    }

    fn held_apart(&self, key: &Key) -> Result<Held, Infallible> {
        Ok(self.held.get(key).cloned().unwrap_or_default())
    }

    fn set_held(&mut self, node: &Node, held: &Held) -> Result<(), Infallible> {
        match held.is_more() {
            true => self.held.insert(node.key, held.clone()),
            false => self.held.remove(&node.key),
        };
        Ok(())
    }

    fn remove(&mut self, node: &Node) -> Result<(), Infallible> {
        self.nodes.remove(&(node.key.discs(), node.key));
        if let Some(mut held) = self.held.remove(&node.key) {
            held.records.clear();
            held.judgement = None;
            if held.is_more() {
                self.held.insert(node.key, held);
            }
        }
        Ok(())
    }

    fn source_order(&self) -> Result<Arc<SourceOrder>, Infallible> {
        Ok(Arc::default())
    }

    fn set_known(&mut self, key: Key, values: Option<Values>) -> Result<(), Infallible> {
        match values {
            Some(values) => self.known.insert(key, values),
            None => self.known.remove(&key),
        };
        Ok(())
    }
}

impl Layered for MemoryBook {
    type Error = Infallible;

    fn layers(&self) -> Result<Vec<u8>, Infallible> {
        let mut layers: Vec<u8> = self.nodes.keys().map(|&(discs, _)| discs).collect();
        layers.dedup();
        Ok(layers)
    }

    fn read_layer(
        &self,
        discs: u8,
        each: &mut dyn FnMut(Node) -> Result<(), Infallible>,
    ) -> Result<(), Infallible> {
        self.nodes().filter(|node| node.key.discs() == discs).try_for_each(|&node| each(node))
    }

    fn held_in_layer(&self, discs: u8) -> Result<HeldOfLayer, Infallible> {
        let of_layer = self.held.iter().filter(|(key, _)| key.discs() == discs);
        Ok(of_layer.map(|(&key, held)| (key, held.clone())).collect())
    }

    fn write_layer(&mut self, _: u8, changed: Changes) -> Result<(), Infallible> {
        changed.nodes.iter().for_each(|&node| self.put_raw(node));
        Ok(())
    }
}
