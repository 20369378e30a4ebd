//! What is known of the records that nodes link to, for many nodes together: the memory of the layer
//! below then serves many questions side by side, and not one after the other.

use crate::board::{Key, Square};
use crate::book::{Link, Node};
use crate::store::Reader;

use super::terms::{Failure, KeyMap, Steps};

/// Nodes whose links are looked up together.
const BATCH: usize = 64;

/// A link of a node.
#[derive(Clone, Copy)]
pub(super) struct Child<T> {
    /// The move.
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
    all: Vec<Child<T>>,
    /// Where the links of each node end.
    ends: Vec<usize>,
}

impl<T: Copy> Children<T> {
    fn find(&mut self, nodes: &[Node], below: &KeyMap<T>) {
        self.all.clear();
        self.ends.clear();
        for node in nodes {
            self.all.extend(node.children().map(|link| {
                let Link { square, child: key, same_side } = link;
                Child { square, key, same_side, known: None }
            }));
            self.ends.push(self.all.len());
        }
        for child in &mut self.all {
            child.known = below.get(&child.key).copied();
        }
    }

    fn each<'a>(&'a self, nodes: &'a [Node]) -> impl Iterator<Item = (&'a Node, &'a [Child<T>])> {
        let mut first = 0;
        nodes.iter().zip(&self.ends).map(move |(node, &end)| {
            let links = self.all.get(first..end).unwrap_or_default();
            first = end;
            (node, links)
        })
    }
}

/// Makes records of the nodes of a layer.
pub(super) trait LayerMaker {
    /// What a record must know of those that it links to.
    type Facts: Copy;

    /// What is known of the layer below.
    fn below(&self) -> &KeyMap<Self::Facts>;

    /// Makes the record of a node.
    fn node(&mut self, node: &Node, links: &[Child<Self::Facts>]) -> Result<(), Failure>;
}

/// Gives a maker all nodes of a layer in the order of the store.
pub(super) fn each_with_links<M: LayerMaker>(
    book: &Reader,
    discs: u8,
    maker: &mut M,
    steps: &mut Steps<'_>,
) -> Result<(), Failure> {
    let mut nodes = Vec::with_capacity(BATCH);
    let mut children = Children { all: Vec::new(), ends: Vec::with_capacity(BATCH) };
    let mut take = |nodes: &mut Vec<Node>| -> Result<(), Failure> {
        children.find(nodes, maker.below());
        for (node, links) in children.each(nodes) {
            maker.node(node, links)?;
        }
        nodes.clear();
        Ok(())
    };
    book.for_each_in_layer(discs, |node| -> Result<(), Failure> {
        steps.step()?;
        nodes.push(node);
        if nodes.len() == BATCH { take(&mut nodes) } else { Ok(()) }
    })?;
    take(&mut nodes)
}
