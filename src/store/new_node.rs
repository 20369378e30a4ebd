//! A node on its way into a book.

use crate::openbook::{Held, LineEnds, MoveMask, Node, NodeSource, Rest, Searched};
use crate::othello::board::Key;

use super::{Reader, StoreError};

/// A node as another book or a file brings it: links and values follow from the whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewNode {
    pub key: Key,
    /// The best move of its search, in the key's orientation, with its score.
    pub rest: Option<Rest>,
    pub searched: Searched,
    /// The moves that its search left out.
    pub left_out: MoveMask,
    /// All that is kept of it, where that is more: the record above is then one of these.
    pub held: Option<Box<Held>>,
}

impl NewNode {
    pub fn of(node: &Node, book: &Reader) -> Result<Self, StoreError> {
        let held = if node.more { Some(Box::new(book.held(node)?)) } else { None };
        let Node { key, record: rest, searched, left_out, .. } = *node;
        Ok(Self { key, rest, searched, left_out, held })
    }

    pub(super) fn all(&self) -> Held {
        let row = || Held::of(&self.unlinked());
        self.held.as_deref().cloned().unwrap_or_else(row)
    }

    /// The node before its links are known. Its row is as short as it can be, as is its search
    /// ([`super::row::pack_short`]): rows that come in order fill seven eighths of their pages, and the sweep that follows lets them
    /// grow into what is left.
    pub(super) fn unlinked(&self) -> Node {
        let Self { key, rest, searched, left_out, .. } = *self;
        let node = Node::new(key, rest, searched);
        Node { links: left_out, left_out, lines: LineEnds::USUAL, ..node }
    }
}
