//! Values flow from the leaves up: for one node, for all of them, or for what changed.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::board::{After, CpuLevel, Key, Position, Successors, keys_of, predecessors};

use super::{LayerValues, Link, MoveMask, Node, NodeSource, NodeStore, Values, deepest_first};

/// The values of a node whose moves are all unknown.
pub const UNKNOWN: Values = Values {
    guess: crate::score::Score::ZERO,
    draw_seeking: crate::score::Score::ZERO,
    win_seeking: crate::score::Score::ZERO,
    lower: -64,
    upper: 64,
};

/// The values of a node: the maximum over its links and its rest.
///
/// Without a rest the moves that end the game count with their final scores, and a move that
/// nothing is known of leaves the upper bound open. `child` gives the values of a node by its key,
/// from that node's point of view.
///
/// # Errors
/// Those of `child`.
pub fn node_values<E>(
    node: &Node,
    mut child: impl FnMut(Key) -> Result<Option<Values>, E>,
) -> Result<Values, E> {
    let mut best = Maximum::default();
    for link in node.children() {
        best.raise(child(link.child)?, link.same_side);
    }
    Ok(best.with_rest(node))
}

/// The values of a node whose links all lead to nodes, together worth `of_links` to it:
/// [`Values::NONE`] without links.
#[must_use]
pub fn values_with_rest(node: &Node, of_links: Values) -> Values {
    Maximum { values: of_links, open: false }.with_rest(node)
}

/// The maximum over the links of a node, while it is found.
pub(super) struct Maximum {
    values: Values,
    /// A link leads to no node: nothing is known of that move.
    open: bool,
}

impl Default for Maximum {
    fn default() -> Self {
        Self { values: Values::NONE, open: false }
    }
}

impl Maximum {
    /// Counts one more link.
    pub(super) fn raise(&mut self, child: Option<Values>, same_side: bool) {
        match child {
            Some(values) => self.values = self.values.max(values.seen_by_parent(same_side)),
            None => self.open = true,
        }
    }

    /// The values of the node, with what is known of its other moves.
    pub(super) fn with_rest(self, node: &Node) -> Values {
        let Self { values: mut best, mut open } = self;
        if let Some(rest) = node.rest {
            best = best.max(rest.values());
        } else {
            for square in node.unlinked() {
                match node.key.position().after(square) {
                    Some(After::Over(discs)) => best = best.max(Values::of_final(discs)),
                    _ => open = true,
                }
            }
        }
        if best.guess == Values::NONE.guess {
            return UNKNOWN;
        }
        if open {
            best.upper = 64;
        }
        best.within_bounds()
    }
}

/// The nodes of a source that lead to a position by one move, without an index: every position
/// that could have come before is looked up.
///
/// # Errors
/// Those of the source.
pub fn parents<S: NodeSource + ?Sized>(source: &S, key: Key) -> Result<Vec<Node>, S::Error> {
    Ok(source.nodes(&parent_keys(key.position()))?.into_iter().flatten().collect())
}

/// The keys of all positions that lead to a position by one move, each once, in ascending order.
#[must_use]
pub fn parent_keys(position: Position) -> Vec<Key> {
    let mut parents = Vec::with_capacity(32);
    predecessors(position, |parent| parents.push(parent));
    let mut keys = keys_of(CpuLevel::detect(), &parents);
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The moves of `parent` that lead to `child`: several when the parent is symmetric.
#[must_use]
pub fn moves_to(parent: Key, child: Key) -> MoveMask {
    let position = parent.position();
    let leads = |square| super::child_of(position, square).is_some_and(|(key, _)| key == child);
    let legal = position.legal_moves().enumerate();
    let led = legal.filter(|&(_, square)| leads(square));
    led.fold(MoveMask::NONE, |mask, (index, _)| mask.with(index))
}

/// Nodes whose values may be out of date, deepest first.
#[derive(Clone, Default, Debug)]
pub struct Dirty(BTreeSet<(Reverse<u8>, Key)>);

impl Dirty {
    /// Marks a node.
    pub fn mark(&mut self, key: Key) {
        self.0.insert((Reverse(key.discs()), key));
    }

    /// Whether nothing is marked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Unmarks all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Unmarks the marked nodes with the most discs: nothing that is marked for them lies above.
    pub(super) fn take_deepest(&mut self) -> Vec<Key> {
        let Some(&(discs, _)) = self.0.first() else { return Vec::new() };
        let mut keys = Vec::new();
        while let Some(&(next, key)) = self.0.first()
            && next == discs
        {
            self.0.pop_first();
            keys.push(key);
        }
        keys
    }
}

/// Brings the values of the marked nodes and of everything above them up to date; returns how many
/// nodes changed. Every move adds one disc, so each node is looked at once.
///
/// # Errors
/// Those of the store.
pub fn propagate<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
) -> Result<usize, S::Error> {
    let mut changed = 0;
    let has_facts = !dirty.is_empty() && store.has_facts()?;
    loop {
        let keys = dirty.take_deepest();
        if keys.is_empty() {
            return Ok(changed);
        }
        for mut node in store.nodes(&keys)?.into_iter().flatten() {
            let links: Vec<Link> = node.children().collect();
            let children: Vec<Key> = links.iter().map(|link| link.child).collect();
            let found = store.nodes(&children)?;
            let mut best = Maximum::default();
            for (child, link) in found.iter().zip(&links) {
                best.raise(child.map(|child| child.values), link.same_side);
            }
            let values = best.with_rest(&node);
            let mut differs = values != node.values;
            if differs {
                node.values = values;
                store.replace(&node)?;
            }
            if has_facts {
                differs |= propagate_facts(store, &node, &links, &children, &found)?;
            }
            if differs {
                changed += 1;
                parent_keys(node.key.position()).into_iter().for_each(|parent| dirty.mark(parent));
            }
        }
    }
}

/// Brings up to date what a node, whose own values are, is known to be worth from facts; says whether
/// that was another value, or none, before.
fn propagate_facts<S: NodeStore + ?Sized>(
    store: &mut S,
    node: &Node,
    links: &[Link],
    children: &[Key],
    found: &[Option<Node>],
) -> Result<bool, S::Error> {
    let known = store.known(children)?;
    let before = store.known(&[node.key])?.into_iter().flatten().next();
    let facts = store.facts(&node.key)?;
    if before.is_none() && facts.is_empty() && known.iter().all(Option::is_none) {
        return Ok(false);
    }
    let mut best = Maximum::default();
    for ((child, known), link) in found.iter().zip(known).zip(links) {
        best.raise(known.or(child.map(|child| child.values)), link.same_side);
    }
    let values = best.with_rest(node).believing(&facts);
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
    ///
    /// # Errors
    /// The book cannot be read.
    fn layers(&self) -> Result<Vec<u8>, Self::Error>;

    /// Gives every node of a layer, each once.
    ///
    /// # Errors
    /// The book cannot be read, or `each` failed.
    fn read_layer(
        &self,
        discs: u8,
        each: &mut dyn FnMut(Node) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;

    /// Writes nodes of a layer that changed, in the order in which they were read.
    ///
    /// # Errors
    /// The book cannot be written.
    fn write_layer(&mut self, discs: u8, changed: Changes) -> Result<(), Self::Error>;
}

/// What a sweep found to be different in one layer.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Nodes of which only the values changed.
    pub values: Vec<(Key, Values)>,
    /// Nodes of which links or rest changed too.
    pub nodes: Vec<Node>,
    /// Of how many of them all less is proven than before.
    pub lost_proofs: LostProofs,
}

/// Nodes of which less is proven than before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LostProofs {
    /// How many.
    pub count: u64,
    /// The most empties of one of them.
    pub most_empties: u8,
}

impl LostProofs {
    /// Counts a node.
    fn note(&mut self, key: Key) {
        self.add(Self { count: 1, most_empties: key.position().empties() });
    }

    /// Counts others, too.
    pub fn add(&mut self, others: Self) {
        self.count += others.count;
        self.most_empties = self.most_empties.max(others.most_empties);
    }
}

impl Changes {
    /// How many nodes changed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() + self.nodes.len()
    }

    /// Adds what changed in the next part of the layer.
    pub fn append(&mut self, mut part: Self) {
        self.values.append(&mut part.values);
        self.nodes.append(&mut part.nodes);
        self.lost_proofs.add(part.lost_proofs);
    }

    /// Whether nothing changed.
    #[must_use]
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
///
/// # Errors
/// Those of the book.
pub fn sweep<B: Layered + ?Sized>(book: &mut B, links: Links) -> Result<u64, B::Error> {
    let mut total = 0;
    deepest_first(book.layers()?, |discs, below: Option<LayerValues>| {
        let below = below.unwrap_or_default();
        let mut batch = LayerSweep::new(links, &below);
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

/// The sweep of one layer, or of a part of one. Some nodes at a time are worked on together, since a
/// look-up is mostly waiting for memory.
#[derive(Debug)]
pub struct LayerSweep<'a> {
    links: Links,
    below: &'a LayerValues,
    nodes: Vec<Node>,
    cpu: CpuLevel,
    /// What their moves lead to.
    successors: Successors,
    children: Vec<Key>,
    found: Vec<Option<Values>>,
    layer: LayerValues,
    changes: Changes,
}

impl<'a> LayerSweep<'a> {
    const SIZE: usize = 64;

    /// A sweep of nodes above these.
    #[must_use]
    pub fn new(links: Links, below: &'a LayerValues) -> Self {
        Self {
            links,
            below,
            nodes: Vec::with_capacity(Self::SIZE),
            cpu: CpuLevel::detect(),
            successors: Successors::default(),
            children: Vec::new(),
            found: Vec::new(),
            layer: LayerValues::default(),
            changes: Changes::default(),
        }
    }

    /// Takes the next node of the layer.
    pub fn push(&mut self, node: Node) {
        self.nodes.push(node);
        if self.nodes.len() == Self::SIZE {
            self.compute();
        }
    }

    fn compute(&mut self) {
        let asked = |node: &Node| match self.links {
            Links::Keep => node.links.bits(),
            Links::Rebuild => u64::MAX,
        };
        let positions = self.nodes.iter().map(|node| (node.key.position(), asked(node)));
        self.successors.find_some(self.cpu, positions);
        self.children.clear();
        for successor in self.successors.all() {
            self.children.push(successor.next);
        }
        self.found.clear();
        self.below.get_all(&self.children, &mut self.found);
        for (number, before) in self.nodes.drain(..).enumerate() {
            let mut node = before;
            let mut best = Maximum::default();
            let mut mask = MoveMask::NONE;
            let range = self.successors.range(number);
            let moves = self.successors.all().get(range.clone()).unwrap_or_default();
            let found = self.found.get(range).unwrap_or_default();
            for (successor, &child) in moves.iter().zip(found) {
                if self.links == Links::Keep || child.is_some() {
                    mask = mask.with(usize::from(successor.index));
                    best.raise(child, successor.same_side);
                }
            }
            if self.links == Links::Rebuild {
                node.links = MoveMask::NONE;
                node.link(mask);
            }
            node.values = best.with_rest(&node);
            self.layer.push(node.key, node.values);
            let (known, proven) = (before.values.bounds(), node.values.bounds());
            if proven.meet(known) != Some(proven) {
                self.changes.lost_proofs.note(node.key);
            }
            if (node.links, node.rest) != (before.links, before.rest) {
                self.changes.nodes.push(node);
            } else if node.values != before.values {
                self.changes.values.push((node.key, node.values));
            }
        }
    }

    /// The values of all nodes in the order in which they came, not findable yet, and what is
    /// different about them.
    #[must_use]
    pub fn finish(mut self) -> (LayerValues, Changes) {
        self.compute();
        (self.layer, self.changes)
    }
}
