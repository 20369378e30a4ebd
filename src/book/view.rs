//! A position and its moves, in the asker's orientation.

use crate::board::{After, Key, Position, Square, Symmetry};

use super::moves::{MoveKind, NodeMove, moves_of_stranger};
use super::{Node, NodeSource, Searched, Values};

/// A legal move of a position, in the orientation of that position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// The move.
    pub square: Square,
    /// What follows.
    pub after: After,
    /// How its value is known.
    pub kind: MoveKind,
    /// What it is worth to the side that makes it.
    pub values: Option<Values>,
    /// How that was searched: for a link the child's search, for the rest the node's.
    pub searched: Option<Searched>,
    /// The node that a link leads to.
    pub child: Option<Node>,
}

/// A position as the book sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    /// The position that was asked for.
    pub position: Position,
    /// Its key.
    pub key: Key,
    /// Turns the position into its key.
    pub symmetry: Symmetry,
    /// What is known of it; none when it is not in the book.
    pub node: Option<Node>,
    /// Its legal moves, best guess first, unknown ones last, by square among equals.
    pub moves: Vec<BookMove>,
}

impl NodeView {
    /// Looks a position and all its moves up. The position need not be in the book: its moves may
    /// lead into it all the same.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn of<S: NodeSource + ?Sized>(source: &S, position: Position) -> Result<Self, S::Error> {
        let (key, symmetry) = Key::with_symmetry(position);
        let node = source.node(&key)?;
        let known = match node {
            Some(node) => node.moves(source)?,
            None => moves_of_stranger(source, key)?,
        };
        let mut moves: Vec<BookMove> = position
            .legal_moves()
            .filter_map(|square| {
                let after = position.after(square)?;
                let in_key = Some(symmetry.square(square));
                // Of symmetric links only one is among the known moves.
                let child = after.position().map(Key::of);
                let leads = |known: &NodeMove| known.child.map(|(node, _)| node.key) == child;
                let found = known.iter().find(|known| match known.kind {
                    MoveKind::Link => leads(known),
                    _ => known.square == in_key,
                });
                let child = found.and_then(|found| found.child).map(|(child, _)| child);
                let kind = found.map_or(MoveKind::Unknown, |found| found.kind);
                let searched = match kind {
                    MoveKind::Link => child.map(|child| child.searched),
                    MoveKind::Rest => node.map(|node| node.searched),
                    MoveKind::Terminal | MoveKind::Unknown => None,
                };
                let values = found.map(|found| found.values);
                Some(BookMove { square, after, kind, values, searched, child })
            })
            .collect();
        moves.sort_by_key(|found| {
            (std::cmp::Reverse(found.values.map(|values| values.guess)), found.square)
        });
        Ok(Self { position, key, symmetry, node, moves })
    }
}
