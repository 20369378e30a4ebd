//! The graph that a book is: positions, and the moves of one of them in the asker's orientation.

use crate::board::{After, Key, Position, Square, Symmetry};

use super::moves::{NodeMove, moves_of_stranger};
use super::{Node, Searched, Values};

/// Where nodes are read from: a book file, or memory.
pub trait NodeSource {
    /// What can go wrong while reading.
    type Error;

    /// The node of this key, or none when the position is not in the book.
    ///
    /// # Errors
    /// The source cannot be read.
    fn node(&self, key: &Key) -> Result<Option<Node>, Self::Error>;

    /// The nodes of several keys, in the order asked for. Sources for which that is faster than one
    /// after the other do better.
    ///
    /// # Errors
    /// The source cannot be read.
    fn nodes(&self, keys: &[Key]) -> Result<Vec<Option<Node>>, Self::Error> {
        keys.iter().map(|key| self.node(key)).collect()
    }

    /// Some nodes on which a search is due ([`Node::is_incomplete`]), by number of discs, at most
    /// `limit`.
    ///
    /// # Errors
    /// The source cannot be read.
    fn incomplete(&self, limit: usize) -> Result<Vec<Key>, Self::Error>;
}

/// Where nodes can also be written.
pub trait NodeStore: NodeSource {
    /// Adds a node that is not there yet.
    ///
    /// # Errors
    /// The store cannot be written.
    fn add(&mut self, node: &Node) -> Result<(), Self::Error>;

    /// Replaces what is known of a node.
    ///
    /// # Errors
    /// The store cannot be written.
    fn replace(&mut self, node: &Node) -> Result<(), Self::Error>;
}

/// How the value of a move is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// It leads to another node.
    Link,
    /// It is the node's rest.
    Rest,
    /// It ends the game.
    Terminal,
    /// Its own value is not known. With a rest it is no better than the rest.
    Unknown,
}

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

/// The node that a move leads to: its key, and whether the same side moves there because the other
/// one must pass. None for an illegal move and for one that ends the game.
#[must_use]
pub fn child_of(position: Position, square: Square) -> Option<(Key, bool)> {
    match position.after(square)? {
        After::Opponent(next) => Some((Key::of(next), false)),
        After::Same(next) => Some((Key::of(next), true)),
        After::Over(_) => None,
    }
}

/// A line of moves, each in the orientation of the key that it is played on, as moves from
/// `position` on. Stops at a move that is not legal there.
#[must_use]
pub fn line_from(position: Position, moves: impl IntoIterator<Item = Square>) -> Vec<Square> {
    let mut at = Some(position);
    let mut line = Vec::new();
    for square in moves {
        let Some(position) = at else { break };
        let (_, symmetry) = Key::with_symmetry(position);
        let square = symmetry.inverse().square(square);
        let Some(after) = position.after(square) else { break };
        line.push(square);
        at = after.position();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Line;

    #[test]
    fn a_line_over_keys_is_a_line_from_any_image() {
        let line: Line = "f5d6c3d3c4".parse().unwrap();
        let in_keys: Vec<_> = line
            .steps()
            .iter()
            .map(|step| Key::with_symmetry(step.before.position).1.square(step.square))
            .collect();
        let again = line_from(Position::START, in_keys);
        let mut replayed = Line::default();
        assert!(again.iter().all(|&square| replayed.push(square)));
        let key = |line: &Line| Key::of(line.board().position);
        assert_eq!(key(&replayed), key(&line));
    }
}
