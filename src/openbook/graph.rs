//! The graph that a book is: positions, and the moves between them.

use std::sync::Arc;

use crate::othello::board::{After, Key, KeyFilter, Position, Square};

use super::{Bounds, Held, MoveMask, Node, SourceOrder, Values};

/// Where nodes are read from: a book file, or memory.
pub trait NodeSource {
    /// What can go wrong while reading.
    type Error;

    /// The node of this key, or none when the position is not in the book.
    fn node(&self, key: &Key) -> Result<Option<Node>, Self::Error>;

    /// The nodes of several keys, in the order asked for. Sources for which that is faster than one
    /// after the other do better.
    fn nodes(&self, keys: &[Key]) -> Result<Vec<Option<Node>>, Self::Error> {
        keys.iter().map(|key| self.node(key)).collect()
    }

    /// Whether all nodes are in memory: then there is nothing to be gained by keeping those that were read.
    fn is_in_memory(&self) -> bool {
        false
    }

    /// A set that holds the keys of all nodes and few others, for a caller that asks for very many
    /// positions of which few are nodes; none where there are more nodes than `most`, or where asking for
    /// each is as quick.
    fn filter(&self, _most: u64) -> Result<Option<KeyFilter>, Self::Error> {
        Ok(None)
    }

    /// All nodes, for work that asks for most of them; none where there are more than `most`, or where asking for
    /// each is as quick.
    fn all_nodes(&self, _most: usize) -> Result<Option<Vec<Node>>, Self::Error> {
        Ok(None)
    }

    /// Whether there are facts: proofs of others. Where there are none nothing else is asked of them.
    fn has_facts(&self) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// The facts of a position, whether it is a node or not.
    fn facts_of(&self, _key: &Key) -> Result<Vec<Bounds>, Self::Error> {
        Ok(Vec::new())
    }

    /// All that is kept of a node: its records, bounds and a person's judgement.
    fn held(&self, node: &Node) -> Result<Held, Self::Error>;

    /// What nodes are known to be worth from facts where that differs from what their searches say, in
    /// the order asked for.
    fn known(&self, keys: &[Key]) -> Result<Vec<Option<Values>>, Self::Error> {
        Ok(vec![None; keys.len()])
    }
}

/// Where nodes can also be written.
pub(crate) trait NodeStore: NodeSource {
    /// Adds a node that is not there yet.
    fn add(&mut self, node: &Node) -> Result<(), Self::Error>;

    /// Replaces what is known of a node.
    fn replace(&mut self, node: &Node) -> Result<(), Self::Error>;

    /// What is kept of a position that is no node yet: bounds, and a person's judgement.
    fn held_apart(&self, key: &Key) -> Result<Held, Self::Error>;

    /// Keeps all of a node that its row, which holds one of the records, has no room for.
    fn set_held(&mut self, node: &Node, held: &Held) -> Result<(), Self::Error>;

    /// Takes a node out; bounds of its position stay.
    fn remove(&mut self, node: &Node) -> Result<(), Self::Error>;

    fn source_order(&self) -> Result<Arc<SourceOrder>, Self::Error>;

    /// Hears of a node on which a search became due.
    fn became_due(&mut self, _: Key) {}

    /// Keeps what a node is known to be worth from facts; none where its searches say the same.
    fn set_known(&mut self, key: Key, values: Option<Values>) -> Result<(), Self::Error>;
}

/// The node that a move leads to: its key, and whether the same side moves there because the other
/// one must pass. None for an illegal move and for one that ends the game.
pub fn child_of(position: Position, square: Square) -> Option<(Key, bool)> {
    match position.after(square)? {
        After::Opponent(next) => Some((Key::of(next), false)),
        After::Same(next) => Some((Key::of(next), true)),
        After::Over(_) => None,
    }
}

/// A move that leads to a node, or to a position that may be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    /// The move, in the orientation of the key that it is made on.
    pub square: Square,
    /// The position that it leads to.
    pub child: Key,
    /// Whether the same side moves there, because the other must pass.
    pub same_side: bool,
}

impl Link {
    /// What the move is worth to the side that makes it, when these are the values of the child.
    #[inline]
    pub(crate) fn worth(self, of_child: Values) -> Values {
        of_child.seen_by_parent(self.same_side)
    }
}

/// The moves of a set with where they lead, in ascending order. Moves that end the game lead nowhere.
pub(crate) fn links_of(key: Key, moves: MoveMask) -> impl Iterator<Item = Link> {
    let position = key.position();
    let legal = position.legal_moves().enumerate();
    legal.filter(move |&(index, _)| moves.contains(index)).filter_map(move |(_, square)| {
        let (child, same_side) = child_of(position, square)?;
        Some(Link { square, child, same_side })
    })
}

/// As [`links_of`], of symmetric ones the first.
pub(crate) fn links_once(key: Key, moves: MoveMask) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::with_capacity(moves.len());
    for link in links_of(key, moves) {
        if links.iter().all(|known| known.child != link.child) {
            links.push(link);
        }
    }
    links
}

/// A line of moves, each in the orientation of the key that it is played on, as moves from
/// `position` on. Stops at a move that is not legal there.
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
    use crate::othello::board::Line;

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
