//! Changing a book node by node, with links and values kept right.

use thiserror::Error;

use crate::board::{Key, Square};
use crate::score::Score;

use super::propagate::{Dirty, moves_to, parents};
use super::{
    Link, MoveMask, Node, NodeStore, Rest, Searched, UNKNOWN, Values, links_of, node_values,
};

/// A node that no book may hold.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum NodeError {
    /// The side to move has no move: such a position is passed over or finished.
    #[error("{0:?} has no move and cannot be in a book")]
    NoMove(Key),
    /// A square of the centre is empty, as in no game.
    #[error("{0:?} has an empty square in the centre and cannot be in a book")]
    NoCentre(Key),
    /// The score of the rest is no result of a game.
    #[error("the rest of {key:?} is worth {score} discs: expected -64 to 64")]
    Score {
        /// The node.
        key: Key,
        /// The score.
        score: Score,
    },
    /// The rest is not a legal move.
    #[error("the rest {square} of {key:?} is not a legal move")]
    IllegalRest {
        /// The node.
        key: Key,
        /// The move.
        square: Square,
    },
}

/// Whether a position may be a node with this rest.
///
/// # Errors
/// [`NodeError`] says why not.
pub fn check_node(key: Key, rest: Option<Rest>) -> Result<(), NodeError> {
    let legal = key.position().legal_moves();
    if legal.is_empty() {
        return Err(NodeError::NoMove(key));
    }
    if !key.position().empty_centre().is_empty() {
        return Err(NodeError::NoCentre(key));
    }
    if let Some(Rest { score, .. }) = rest
        && !(Score::MIN..=Score::MAX).contains(&score)
    {
        return Err(NodeError::Score { key, score });
    }
    match rest.and_then(|rest| rest.square) {
        Some(square) if !legal.contains(square) => Err(NodeError::IllegalRest { key, square }),
        _ => Ok(()),
    }
}

/// What adding a node did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// The node is new.
    New,
    /// It was there; its rest was set.
    Known,
}

/// Adds a node: finds its links, becomes a link of all its parents (a parent whose rest it was
/// loses that rest), and marks what must be propagated. The node must have passed [`check_node`].
/// A rest that turns out to be a link is dropped.
///
/// # Errors
/// Those of the store.
pub fn insert<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    key: Key,
    rest: Option<Rest>,
    searched: Searched,
) -> Result<Inserted, S::Error> {
    if set_rest(store, dirty, key, rest, searched)? {
        // Its parents link to it, but in a damaged book: there they do from now on.
        link_parents(store, dirty, key)?;
        return Ok(Inserted::Known);
    }
    let (linked, known) = known_children(store, key)?;
    let mut node = Node { key, links: MoveMask::NONE, rest, searched, values: UNKNOWN };
    node.link(linked);
    let Ok(values) = node_values(&node, |child| {
        let found = known.iter().find(|&&(key, _)| key == child);
        Ok::<_, std::convert::Infallible>(found.map(|&(_, values)| values))
    });
    node.values = values;
    store.add(&node)?;
    if store.has_facts()? {
        // A fact acts from now on.
        dirty.mark(key);
    }
    link_parents(store, dirty, key)?;
    Ok(Inserted::New)
}

/// Moves that lead to nodes, and what these are worth.
type KnownChildren = (MoveMask, Vec<(Key, Values)>);

/// The moves of a position that lead to nodes.
fn known_children<S: NodeStore + ?Sized>(store: &S, key: Key) -> Result<KnownChildren, S::Error> {
    let children: Vec<Link> = links_of(key, MoveMask::all_of(64)).collect();
    let keys: Vec<Key> = children.iter().map(|link| link.child).collect();
    let mut linked = 0;
    let mut known: Vec<(Key, Values)> = Vec::new();
    for (link, found) in children.iter().zip(store.nodes(&keys)?) {
        if let Some(found) = found {
            linked |= link.square.bit();
            known.push((link.child, found.values));
        }
    }
    Ok((MoveMask::of_squares(key, linked), known))
}

/// Makes a node a link of all its parents.
fn link_parents<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    key: Key,
) -> Result<(), S::Error> {
    for before in parents(store, key)? {
        let mut parent = before;
        parent.link(moves_to(parent.key, key));
        if parent != before {
            store.replace(&parent)?;
            dirty.mark(parent.key);
        }
    }
    Ok(())
}

/// Sets the rest of a node and how it was searched; false when there is no such node. A rest that
/// is a link is dropped.
///
/// # Errors
/// Those of the store.
pub fn set_rest<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    key: Key,
    rest: Option<Rest>,
    searched: Searched,
) -> Result<bool, S::Error> {
    let Some(before) = store.node(&key)? else { return Ok(false) };
    let mut node = Node { rest, searched, ..before };
    node.link(MoveMask::NONE);
    if rest.is_none() && node.is_incomplete() {
        // Nothing is left to search, so the links are what is missing: the book is damaged.
        node.link(known_children(store, key)?.0);
    }
    if node != before {
        store.replace(&node)?;
        dirty.mark(key);
    }
    Ok(true)
}
