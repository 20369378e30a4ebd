//! A position and its moves, in the asker's orientation.

use crate::othello::board::{After, Key, Position, Square, Symmetry, turn_to_f5};

use super::moves::{MoveKind, NodeMove, moves_of_stranger};
use super::{Node, NodeSource, Record, Searched, Values};

/// A legal move of a position, in the orientation of that position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    pub square: Square,
    pub after: After,
    /// How its value is known.
    pub kind: MoveKind,
    /// What it is worth to the side that makes it.
    pub values: Option<Values>,
    /// How that was searched: for a link whose value is that of its child the child's search, else the node's.
    pub searched: Option<Searched>,
    /// The node that a link leads to, whether it counts or is held.
    pub child: Option<Node>,
    /// For a link that is held, the record that answers for it.
    pub held_by: Option<Record>,
}

impl BookMove {
    /// What the node that a link leads to is worth to the side that makes the move, whether the link counts or
    /// not.
    pub(crate) fn link_values(&self) -> Option<Values> {
        let is_same = matches!(self.after, After::Same(_));
        Some(self.child?.values.seen_by_parent(is_same))
    }

    /// Whether its guess comes from the record of the node and not from what it leads to.
    pub(crate) fn is_of_record(&self) -> bool {
        let guess = |values: Option<Values>| values.map(|values| values.guess);
        match self.kind {
            MoveKind::Rest => true,
            MoveKind::Held => guess(self.values) != guess(self.link_values()),
            _ => false,
        }
    }
}

/// A position as the book sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    /// The position that was asked for.
    pub position: Position,
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
    pub fn of<S: NodeSource + ?Sized>(source: &S, position: Position) -> Result<Self, S::Error> {
        let (key, symmetry) = Key::with_symmetry(position);
        let node = source.node(&key)?;
        // The four first moves are images of each other, and players write f5.
        let is_start = position == Position::START && key.position() == position;
        let first = node.and_then(|node| node.rest()?.square).filter(|_| is_start);
        let symmetry = first.and_then(turn_to_f5).map_or(symmetry, Symmetry::inverse);
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
                    MoveKind::Link | MoveKind::Held => leads(known),
                    _ => known.square == in_key,
                });
                let child = found.and_then(|found| found.child).map(|(child, _)| child);
                let kind = found.map_or(MoveKind::Unknown, |found| found.kind);
                let held_by = found.and_then(|found| found.held_by);
                let values = found.map(|found| found.values);
                let searched = None;
                let mut found = BookMove { square, after, kind, values, searched, child, held_by };
                found.searched = match kind {
                    MoveKind::Link => child.map(|child| child.searched),
                    MoveKind::Held => match held_by.filter(|_| found.is_of_record()) {
                        Some(record) => Some(record.searched),
                        None => child.map(|child| child.searched),
                    },
                    MoveKind::Rest => node.map(|node| node.searched),
                    MoveKind::Terminal | MoveKind::Unknown => None,
                };
                Some(found)
            })
            .collect();
        moves.sort_by_key(|found| {
            (std::cmp::Reverse(found.values.map(|values| values.guess)), found.square)
        });
        Ok(Self { position, key, symmetry, node, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{MemoryBook, Rest, SourceId};
    use crate::othello::score::Score;
    use crate::othello::search::{Proof, Selectivity};

    #[test]
    fn the_first_move_is_f5_whichever_image_was_searched() {
        let key = Key::of(Position::START);
        for square in key.position().legal_moves() {
            let mut book = MemoryBook::new();
            let rest = Rest { square: Some(square), score: Score::ZERO, proof: Proof::None };
            let searched =
                Searched { depth: 2, selectivity: Selectivity::FULL, source: SourceId(0) };
            book.insert(key, Some(rest), searched).unwrap();
            let Ok(view) = NodeView::of(&book, Position::START);
            let (first, others) = view.moves.split_first().unwrap();
            assert_eq!((first.square.to_string(), first.kind), ("f5".to_owned(), MoveKind::Rest));
            assert!(others.iter().all(|other| other.kind == MoveKind::Unknown));
        }
    }
}
