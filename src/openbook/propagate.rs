//! Values flow from the leaves up: for one node, for all of them, or for what changed.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use crate::othello::board::{CpuLevel, Key, Position, keys_of, predecessors};

use super::derive::{Deriver, Leads};
use super::layer::MovesBelow;
use super::{
    Child, Derived, Evidence, Held, LayerValues, LineEnds, Link, MoveMask, Node, NodeSource,
    NodeStore, deepest_first,
};

/// What follows for a node from all that is kept of it and from what its links lead to: `child` gives what a
/// node is like by its key.
pub(crate) fn derived<E>(
    node: &Node,
    held: &Held,
    mut child: impl FnMut(Key) -> Result<Option<Child>, E>,
) -> Result<Derived, E> {
    let mut links = Vec::with_capacity(node.links.len());
    for (link, index) in node.children().zip(node.links.indices()) {
        let Link { child: key, same_side, .. } = link;
        links.push(Leads { index, child: key, same_side, of_child: child(key)? });
    }
    Ok(Deriver::default().derive(node.key, held, &links))
}

/// The nodes of a source that lead to a position by one move, without an index: every position
/// that could have come before is looked up.
pub(crate) fn parents<S: NodeSource + ?Sized>(source: &S, key: Key) -> Result<Vec<Node>, S::Error> {
    Ok(source.nodes(&parent_keys(key.position()))?.into_iter().flatten().collect())
}

/// The keys of all positions that lead to a position by one move, each once, in ascending order.
pub(crate) fn parent_keys(position: Position) -> Vec<Key> {
    let mut parents = Vec::with_capacity(32);
    predecessors(position, |parent| parents.push(parent));
    let mut keys = keys_of(CpuLevel::detect(), &parents);
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The moves of `parent` that lead to `child`: several when the parent is symmetric.
pub(crate) fn moves_to(parent: Key, child: Key) -> MoveMask {
    let position = parent.position();
    let leads = |square| super::child_of(position, square).is_some_and(|(key, _)| key == child);
    let legal = position.legal_moves().enumerate();
    let led = legal.filter(|&(_, square)| leads(square));
    led.fold(MoveMask::NONE, |mask, (index, _)| mask.with(index))
}

/// Nodes whose values may be out of date, by their numbers of discs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Dirty(BTreeMap<u8, Vec<Key>>);

impl Dirty {
    pub(crate) fn mark(&mut self, key: Key) {
        self.0.entry(key.discs()).or_default().push(key);
    }

    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Unmarks all.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Unmarks the marked nodes with the most discs, each once, in ascending order: nothing that is marked for them
    /// lies above.
    pub(super) fn take_deepest(&mut self) -> Vec<Key> {
        let (_, mut keys) = self.0.pop_last().unwrap_or_default();
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// Brings the values of the marked nodes and of everything above them up to date; returns how many nodes
/// changed. Every move adds one disc, so each node is looked at once.
pub(crate) fn propagate<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
) -> Result<usize, S::Error> {
    let mut changed = 0;
    let has_facts = !dirty.is_empty() && store.has_facts()?;
    let mut deriver = Deriver::default();
    loop {
        let keys = dirty.take_deepest();
        if keys.is_empty() {
            return Ok(changed);
        }
        for before in store.nodes(&keys)?.into_iter().flatten() {
            let (children, mut links) = leads(&before);
            let found = store.nodes(&children)?;
            for (link, child) in links.iter_mut().zip(&found) {
                link.of_child = child.as_ref().map(Child::from);
            }
            let mut node = before;
            let derived = match before.more {
                false => {
                    let legal = node.key.position().legal_moves();
                    let derived = deriver.derive_row(&node, legal, &links);
                    node.set_derived(&derived);
                    derived
                }
                true => {
                    let held = store.held(&before)?;
                    let derived = deriver.derive(node.key, &held, &links);
                    set_answering(&mut node, &held, &derived);
                    if node.own_record() != before.own_record() {
                        store.set_held(&node, &held)?;
                    }
                    derived
                }
            };
            if node.due && !before.due {
                store.became_due(node.key);
            }
            if node != before {
                store.replace(&node)?;
            }
            let mut differs = !is_same_from_above(&before, &node);
            if has_facts {
                differs |= propagate_facts(store, &node, &mut links, &derived)?;
            }
            changed += usize::from(differs || node != before);
            if differs {
                parent_keys(node.key.position()).into_iter().for_each(|parent| dirty.mark(parent));
            }
        }
    }
}

/// Takes over what follows for a node that has several records: the row holds the one that answers.
pub(crate) fn set_answering(node: &mut Node, held: &Held, derived: &Derived) {
    node.set_record(held.records.get(derived.answering.unwrap_or(0)).copied());
    node.set_derived(derived);
}

/// Whether the nodes above need not be looked at.
fn is_same_from_above(before: &Node, node: &Node) -> bool {
    (before.values, before.evidence, before.lines) == (node.values, node.evidence, node.lines)
}

/// The links of a node, of which nothing is known yet, with the keys that they lead to.
pub(crate) fn leads(node: &Node) -> (Vec<Key>, Vec<Leads>) {
    let links = node.children().zip(node.links.indices()).map(|(link, index)| Leads {
        index,
        child: link.child,
        same_side: link.same_side,
        of_child: None,
    });
    let links: Vec<Leads> = links.collect();
    (links.iter().map(|link| link.child).collect(), links)
}

/// Brings up to date what a node, whose own values are, is known to be worth from facts; says whether
/// that was another value, or none, before.
fn propagate_facts<S: NodeStore + ?Sized>(
    store: &mut S,
    node: &Node,
    links: &mut [Leads],
    derived: &Derived,
) -> Result<bool, S::Error> {
    let children: Vec<Key> = links.iter().map(|link| link.child).collect();
    let known = store.known(&children)?;
    let before = store.known(&[node.key])?.into_iter().flatten().next();
    let facts = store.facts_of(&node.key)?;
    if before.is_none() && facts.is_empty() && known.iter().all(Option::is_none) {
        return Ok(false);
    }
    let mut values = derived.values;
    if known.iter().any(Option::is_some) {
        for (link, known) in links.iter_mut().zip(known) {
            if let (Some(child), Some(known)) = (&mut link.of_child, known) {
                child.values = known;
            }
        }
        values = Deriver::default().derive(node.key, &store.held(node)?, links).values;
    }
    let values = values.believing(&facts);
    let now = (values != node.values).then_some(values);
    if now != before {
        store.set_known(node.key, now)?;
    }
    Ok(now != before)
}

/// A book that is read and written by layers, the nodes with equally many discs.
pub trait Layered {
    /// What can go wrong.
    type Error;

    /// The numbers of discs for which there are nodes.
    fn layers(&self) -> Result<Vec<u8>, Self::Error>;

    /// Gives every node of a layer, each once.
    fn read_layer(
        &self,
        discs: u8,
        each: &mut dyn FnMut(Node) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;

    /// All that is kept of those nodes of a layer of which more is kept than their rows hold.
    fn held_in_layer(&self, discs: u8) -> Result<HeldOfLayer, Self::Error>;

    /// Writes nodes of a layer that changed, in the order in which they were read.
    fn write_layer(&mut self, discs: u8, changed: Changes) -> Result<(), Self::Error>;
}

/// What is kept beside the rows of a layer.
pub(crate) type HeldOfLayer = HashMap<Key, Held, FixedState>;

/// What a sweep found to be different in one layer.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Nodes that follow otherwise from their records and links.
    pub nodes: Vec<Node>,
    /// Whether more of them differs than their values and how their lines end.
    pub beside_values: bool,
    /// Those of them whose row holds another of their records now.
    pub answering: Vec<Node>,
    /// Values that are less sure than before.
    pub less_sure: LessSure,
}

/// Values that became less sure.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LessSure {
    pub count: u64,
    /// The most by which an expected error grew.
    pub most: Evidence,
}

impl LessSure {
    fn note(&mut self, before: Evidence, now: Evidence) {
        if now > before {
            self.add(Self { count: 1, most: now.less(before) });
        }
    }

    /// Counts others, too.
    pub(crate) fn add(&mut self, others: Self) {
        self.count += others.count;
        self.most = self.most.max(others.most);
    }
}

impl Changes {
    /// How many nodes changed.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds what changed in the next part of the layer.
    pub(crate) fn append(&mut self, mut part: Self) {
        self.nodes.append(&mut part.nodes);
        self.beside_values |= part.beside_values;
        self.answering.append(&mut part.answering);
        self.less_sure.add(part.less_sure);
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Whether a sweep trusts the links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Links {
    /// They are right: only values are computed.
    Keep,
    /// Every move of every node is looked up, after many nodes were added or removed.
    Rebuild,
}

/// Computes the values of all nodes, deepest layer first, holding two layers in memory; returns how
/// many nodes changed.
pub fn sweep<B: Layered + ?Sized>(book: &mut B, links: Links) -> Result<u64, B::Error> {
    let mut total = 0;
    deepest_first(book.layers()?, |discs, below: Option<LayerValues>| {
        let below = below.unwrap_or_default();
        let held = book.held_in_layer(discs)?;
        let mut batch = LayerSweep::new(links, &below, &held);
        book.read_layer(discs, &mut |node| {
            batch.push(node);
            Ok(())
        })?;
        let (mut layer, changes) = batch.finish();
        total += changes.len() as u64;
        if !changes.is_empty() {
            book.write_layer(discs, changes)?;
        }
        layer.build_index();
        Ok(layer)
    })?;
    Ok(total)
}

/// The sweep of one layer, or of a part of one.
pub(crate) struct LayerSweep<'a> {
    links: Links,
    /// What is kept beside the rows.
    held: &'a HeldOfLayer,
    nodes: Vec<Node>,
    below: MovesBelow<'a>,
    deriver: Deriver,
    leads: Vec<Leads>,
    layer: LayerValues,
    changes: Changes,
}

impl<'a> LayerSweep<'a> {
    /// A sweep of nodes above these.
    pub(crate) fn new(links: Links, below: &'a LayerValues, held: &'a HeldOfLayer) -> Self {
        Self {
            links,
            held,
            nodes: Vec::with_capacity(MovesBelow::TOGETHER),
            below: MovesBelow::of(below),
            deriver: Deriver::default(),
            leads: Vec::new(),
            layer: LayerValues::default(),
            changes: Changes::default(),
        }
    }

    /// Takes the next node of the layer.
    pub(crate) fn push(&mut self, node: Node) {
        self.nodes.push(node);
        if self.nodes.len() == MovesBelow::TOGETHER {
            self.compute();
        }
    }

    fn compute(&mut self) {
        self.below.find(&self.nodes, |node| match self.links {
            Links::Keep => node.links.bits(),
            Links::Rebuild => u64::MAX,
        });
        for (number, before) in self.nodes.drain(..).enumerate() {
            let mut node = before;
            self.leads.clear();
            for (successor, of_child) in self.below.moves(number) {
                if self.links == Links::Keep || of_child.is_some() {
                    self.leads.push(Leads::of(successor, of_child));
                }
            }
            if self.links == Links::Rebuild {
                let found = self.leads.iter().map(|link| link.index);
                node.links = found.fold(MoveMask::NONE, MoveMask::with);
            }
            let held = if self.held.is_empty() { None } else { self.held.get(&node.key) };
            node.more = held.is_some();
            match held {
                None => {
                    let legal = self.below.legal(number);
                    let derived = self.deriver.derive_row(&node, legal, &self.leads);
                    node.set_derived(&derived);
                }
                Some(held) => {
                    let derived = self.deriver.derive(node.key, held, &self.leads);
                    set_answering(&mut node, held, &derived);
                    if node.own_record() != before.own_record() {
                        self.changes.answering.push(node);
                    }
                }
            }
            self.layer.push(node.key, Child::from(&node));
            if node != before {
                // A row that was only loaded, or an older program's, knows of no evidence.
                let is_first = before.lines == LineEnds::NOT_KNOWN;
                if !is_first {
                    self.changes.less_sure.note(before.evidence, node.evidence);
                }
                self.changes.beside_values |= is_first
                    || Node { values: before.values, lines: before.lines, ..node } != before;
                self.changes.nodes.push(node);
            }
        }
    }

    /// The values of all nodes in the order in which they came, not findable yet, and what is
    /// different about them.
    pub(crate) fn finish(mut self) -> (LayerValues, Changes) {
        self.compute();
        (self.layer, self.changes)
    }
}
