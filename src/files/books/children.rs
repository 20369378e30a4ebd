//! What is known of the records that nodes link to, for many nodes together: the memory of the layer
//! below then serves many questions side by side, and not one after the other.

use crate::openbook::Node;
use crate::othello::board::{CpuLevel, Key, Square, Squares, Successor, Successors};
use crate::store::Reader;

use super::write::{KeyMap, Steps, WriteError};

/// Nodes whose links are looked up together.
const BATCH: usize = 64;

/// A link of a node.
#[derive(Clone, Copy)]
pub(super) struct Child<T> {
    pub(super) square: Square,
    /// The node that it leads to.
    pub(super) key: Key,
    /// Whether the same side moves there, because the other must pass.
    pub(super) same_side: bool,
    /// What is known of its record, if it has one.
    pub(super) known: Option<T>,
}

/// The links of a batch of nodes, in ascending order of their squares.
struct Children<T> {
    level: CpuLevel,
    successors: Successors,
    /// One for each successor.
    all: Vec<Child<T>>,
}

impl<T: Copy> Children<T> {
    fn find(&mut self, nodes: &[Node], below: &KeyMap<T>) {
        let links = nodes.iter().map(|node| (node.key.position(), node.links.bits()));
        self.successors.find_some(self.level, links);
        self.all.clear();
        self.all.extend(self.successors.all().iter().map(|found| {
            let &Successor { square, next: key, same_side, .. } = found;
            Child { square, key, same_side, known: below.get(&key).copied() }
        }));
    }

    fn each<'a>(
        &'a self,
        nodes: &'a [Node],
    ) -> impl Iterator<Item = (&'a Node, Squares, &'a [Child<T>])> {
        nodes.iter().enumerate().map(|(index, node)| {
            let links = &self.all[self.successors.range(index)];
            (node, self.successors.legal(index), links)
        })
    }
}

/// Makes records of the nodes of a layer.
pub(super) trait LayerMaker {
    /// What a record must know of those that it links to.
    type Facts: Copy;

    /// What is known of the layer below.
    fn below(&self) -> &KeyMap<Self::Facts>;

    /// Makes the record of a node; `legal` are its legal moves.
    fn node(
        &mut self,
        node: &Node,
        legal: Squares,
        links: &[Child<Self::Facts>],
    ) -> Result<(), WriteError>;
}

/// Gives a maker all nodes of a layer in the order of the store.
pub(super) fn each_with_links<M: LayerMaker>(
    book: &Reader,
    discs: u8,
    maker: &mut M,
    steps: &mut Steps<'_>,
) -> Result<(), WriteError> {
    let mut nodes = Vec::with_capacity(BATCH);
    let level = CpuLevel::detect();
    let mut children = Children { level, successors: Successors::default(), all: Vec::new() };
    let mut take = |nodes: &mut Vec<Node>| -> Result<(), WriteError> {
        children.find(nodes, maker.below());
        for (node, legal, links) in children.each(nodes) {
            maker.node(node, legal, links)?;
        }
        nodes.clear();
        Ok(())
    };
    book.for_each_in_layer(discs, |node| -> Result<(), WriteError> {
        steps.step()?;
        nodes.push(node.for_other_programs());
        if nodes.len() == BATCH { take(&mut nodes) } else { Ok(()) }
    })?;
    take(&mut nodes)
}
