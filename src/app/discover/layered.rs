//! A book of which whole layers are read at once, where that is quicker than many single questions.

use std::cell::RefCell;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::openbook::{Held, Node, NodeSource};
use crate::othello::board::Key;
use crate::store::{Reader, StoreError};

/// Reading a node on the way through its layer costs about a twentieth of asking for it.
const MOST_AT_ONCE: u64 = 40_000;
/// Numbers of discs that a position can have.
const LAYERS: usize = 65;

type Nodes = HashMap<Key, Option<Node>, FixedState>;

#[derive(Default)]
struct Layer {
    /// Nodes that were read, and positions that were found to have none.
    nodes: Nodes,
    /// All of it was read: what is not there is not in the book.
    whole: bool,
}

/// A book as it is at one moment, each node of which is read once.
pub(super) struct LayeredBook<'b> {
    book: &'b Reader,
    sizes: [u64; LAYERS],
    /// Layers with more nodes are asked node by node.
    most_at_once: u64,
    layers: RefCell<Vec<Layer>>,
}

impl<'b> LayeredBook<'b> {
    /// Nothing is read yet but the sizes of the layers.
    pub(super) fn of(book: &'b Reader) -> Result<Self, StoreError> {
        let mut sizes = [0; LAYERS];
        for (discs, count) in book.counts()?.layers {
            // A damaged book may count others.
            if let Some(size) = sizes.get_mut(usize::from(discs)) {
                *size = count;
            }
        }
        let layers = std::iter::repeat_with(Layer::default).take(LAYERS).collect();
        Ok(Self { book, sizes, most_at_once: MOST_AT_ONCE, layers: RefCell::new(layers) })
    }

    /// The most discs of a node; none where the book is empty.
    pub(super) fn deepest(&self) -> Option<u8> {
        self.sizes.iter().rposition(|&size| size > 0).map(|discs| discs as u8)
    }

    fn load(&self, discs: usize) -> Result<(), StoreError> {
        let size = self.sizes[discs];
        if self.layers.borrow()[discs].whole || size > self.most_at_once {
            return Ok(());
        }
        let mut nodes = Nodes::with_capacity_and_hasher(size as usize, FixedState::default());
        self.book.for_each_in_layer(discs as u8, |node| {
            nodes.insert(node.key, Some(node));
            Ok::<_, StoreError>(())
        })?;
        self.layers.borrow_mut()[discs] = Layer { nodes, whole: true };
        Ok(())
    }
}

impl NodeSource for LayeredBook<'_> {
    type Error = StoreError;

    fn node(&self, key: &Key) -> Result<Option<Node>, StoreError> {
        // No board has more than the 64 discs of the last layer.
        let discs = usize::from(key.discs());
        self.load(discs)?;
        let mut layers = self.layers.borrow_mut();
        let layer = &mut layers[discs];
        match layer.nodes.get(key) {
            Some(&known) => Ok(known),
            None if layer.whole => Ok(None),
            None => {
                let node = self.book.node(key)?;
                layer.nodes.insert(*key, node);
                Ok(node)
            }
        }
    }

    fn held(&self, node: &Node) -> Result<Held, StoreError> {
        self.book.held(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Searched, SourceId};
    use crate::othello::board::Line;
    use crate::othello::search::Selectivity;
    use crate::store::Book;

    /// Layer by layer and node by node it is the same book.
    #[test]
    fn both_ways_of_reading_find_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("a.db")).unwrap();
        let searched = Searched { depth: 3, selectivity: Selectivity::FULL, source: SourceId(0) };
        let line: Line = "f5d6c3d3c4f4c5b3c2".parse().unwrap();
        let keys: Vec<Key> =
            line.steps().iter().map(|step| Key::of(step.before.position)).collect();
        // Every other one.
        for &key in keys.iter().step_by(2) {
            book.insert(key, None, searched).unwrap();
        }
        book.settle().unwrap();
        book.commit().unwrap();
        let by_layer = LayeredBook::of(book.reader()).unwrap();
        let one_by_one = LayeredBook { most_at_once: 0, ..LayeredBook::of(book.reader()).unwrap() };
        for again in 0..2 {
            for (number, key) in keys.iter().enumerate() {
                let found = by_layer.node(key).unwrap();
                assert_eq!(found.is_some(), number % 2 == 0, "{number}, {again}");
                assert_eq!(found, one_by_one.node(key).unwrap());
            }
        }
        assert_eq!((by_layer.deepest(), one_by_one.deepest()), (Some(12), Some(12)));
    }
}
