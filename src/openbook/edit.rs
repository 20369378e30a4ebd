//! Changing a book node by node, with links and values kept right.

use thiserror::Error;

use crate::othello::board::{Key, Side, Square, Squares};
use crate::othello::score::Score;
use crate::othello::search::Proof;

use super::derive::Deriver;
use super::propagate::{Dirty, leads, moves_to, parent_keys, parents, set_answering};
use super::{
    Bounds, Child, Derived, Held, Link, MoveMask, Node, NodeStore, Record, Rest, Searched,
    SourcedBounds, Values, child_of, is_best_move, links_of,
};

/// A node that no book may hold.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum NodeError {
    /// The side to move has no move: such a position is passed over or finished.
    #[error("{} has no move and cannot be in a book", board_of(.0))]
    NoMove(Key),
    #[error("{} has an empty square in the center and cannot be in a book", board_of(.0))]
    NoCentre(Key),
    #[error("the search of {} is worth {score} discs: expected -64 to 64", board_of(.key))]
    Score { key: Key, score: Score },
    #[error("the best move {square} of {} is not legal", board_of(.key))]
    IllegalRest { key: Key, square: Square },
}

/// The board, with X to move.
fn board_of(key: &Key) -> String {
    key.position().board_text(Side::Black)
}

/// Whether a position may be a node with this rest.
pub(crate) fn check_node(key: Key, rest: Option<Rest>) -> Result<(), NodeError> {
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
    New,
    /// It was there; its rest was set.
    Known,
}

/// The result of a search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move that it covered, with its score; none where it left all moves out.
    pub rest: Option<Rest>,
    pub searched: Searched,
    /// The moves that it left out; none: all that lead to nodes.
    pub left_out: Option<MoveMask>,
}

impl Found {
    /// The record that it is, of a node with these links. A search that left out all links found none of them.
    fn record(&self, key: Key, links: MoveMask) -> Option<Record> {
        let Self { rest, searched, left_out } = *self;
        let record = Record { rest: rest?, searched, left_out: left_out.unwrap_or(links) };
        let squares = record.left_out.squares(key);
        let is_left_out = rest?.square.is_some_and(|square| squares & square.bit() != 0);
        let all = MoveMask::all_of(key.position().legal_moves().len());
        (!is_left_out && record.left_out != all).then_some(record)
    }
}

/// Adds a node, or a search to one that is there: finds its links, becomes a link of all its parents, and marks
/// what must be propagated. The node must have passed [`check_node`].
pub fn insert<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    key: Key,
    found: &Found,
) -> Result<Inserted, S::Error> {
    if set_record(store, dirty, key, found)? {
        // Its parents link to it, but in a damaged book: there they do from now on.
        let above = parents(store, key)?;
        link_parents(store, dirty, key, above)?;
        return Ok(Inserted::Known);
    }
    let links = linked_moves(store, key)?;
    let mut held = store.held_apart(&key)?;
    let apart = held.bounds.clone();
    let above = parents(store, key)?;
    held.bounds.extend(proven_by(store, &above, key)?);
    held.records = found.record(key, links).into_iter().collect();
    if held.is_more() {
        let order = store.source_order()?;
        held.tidy(key, &order);
    }
    let mut node = Node { links, ..Node::new(key, None, found.searched) };
    node.more = held.is_more();
    let derived = derive(store, &node, &held)?;
    set_answering(&mut node, &held, &derived);
    store.add(&node)?;
    if held.bounds != apart {
        store.set_held(&node, &held)?;
    }
    if store.has_facts()? {
        // A fact acts from now on.
        dirty.mark(key);
    }
    link_parents(store, dirty, key, above)?;
    Ok(Inserted::New)
}

/// The moves of a position that lead to nodes.
fn linked_moves<S: NodeStore + ?Sized>(store: &S, key: Key) -> Result<MoveMask, S::Error> {
    let children: Vec<Link> = links_of(key, MoveMask::all_of(64)).collect();
    let keys: Vec<Key> = children.iter().map(|link| link.child).collect();
    let found = store.nodes(&keys)?;
    let linked = children.iter().zip(found).filter(|(_, found)| found.is_some());
    let squares = linked.fold(0, |set, (link, _)| set | link.square.bit());
    Ok(MoveMask::of_squares(key, squares))
}

/// What searches of the positions above have proven of the moves to a position that is to become a node: they
/// covered these moves, so that their proofs are its own from now on.
fn proven_by<S: NodeStore + ?Sized>(
    store: &S,
    parents: &[Node],
    key: Key,
) -> Result<Vec<SourcedBounds>, S::Error> {
    let mut proven = Vec::new();
    for parent in parents {
        for record in store.held(parent)?.records {
            if record.rest.proof != Proof::None {
                let bounds = proves_of(&record, parent.key, key);
                let source = record.searched.source;
                proven.extend(bounds.map(|bounds| SourcedBounds { bounds, source }));
            }
        }
    }
    Ok(proven)
}

/// What a record proves of the position behind a move of its own; none where it did not cover that move.
fn proves_of(record: &Record, key: Key, child: Key) -> Option<Bounds> {
    let covered = moves_to(key, child).without(record.left_out);
    let (_, same_side) = child_of(key.position(), Squares(covered.squares(key)).next()?)?;
    let Values { lower, upper, .. } = record.rest.values();
    let lower = if is_best_move(key, record, child) { lower } else { -64 };
    Some(Bounds { lower, upper }.seen_by_parent(same_side))
}

fn derive<S: NodeStore + ?Sized>(store: &S, node: &Node, held: &Held) -> Result<Derived, S::Error> {
    let (children, mut links) = leads(node);
    for (link, child) in links.iter_mut().zip(store.nodes(&children)?) {
        link.of_child = child.as_ref().map(Child::from);
    }
    Ok(Deriver::default().derive(node.key, held, &links))
}

/// Finds out what follows for a node that was changed, writes it, and marks its parents where they see a
/// change.
fn settle<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    before: &Node,
    mut node: Node,
    held: &Held,
) -> Result<(), S::Error> {
    node.more = held.is_more();
    let derived = derive(store, &node, held)?;
    set_answering(&mut node, held, &derived);
    if node.more || before.more {
        store.set_held(&node, held)?;
    }
    if node == *before {
        return Ok(());
    }
    store.replace(&node)?;
    if store.has_facts()? {
        dirty.mark(node.key);
    }
    if Child::from(before) != Child::from(&node) {
        parent_keys(node.key.position()).into_iter().for_each(|parent| dirty.mark(parent));
    }
    Ok(())
}

/// Makes a node a link of all its parents.
fn link_parents<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    key: Key,
    parents: Vec<Node>,
) -> Result<(), S::Error> {
    for before in parents {
        let links = before.links.union(moves_to(before.key, key));
        if links != before.links {
            let held = store.held(&before)?;
            settle(store, dirty, &before, Node { links, ..before }, &held)?;
        }
    }
    Ok(())
}

/// Adds a search to a node; false when there is no such node. One that is at least as deep as all that the
/// node has takes their place, since it searched all that is not surer than itself; a shallower one is kept
/// for the moves that no greater one covered. Without a score the node is left with what its links say.
pub(crate) fn set_record<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    key: Key,
    found: &Found,
) -> Result<bool, S::Error> {
    let Some(before) = store.node(&key)? else { return Ok(false) };
    let mut held = store.held(&before)?;
    let order = store.source_order()?;
    let mut node = before;
    match found.record(key, before.links) {
        Some(record) => {
            if !record.left_out.without(before.links).is_empty() {
                // What it left out leads to nodes, so links are missing: the book is damaged.
                node.links = before.links.union(linked_moves(store, key)?);
            }
            match held.records.iter().all(|known| known.is_met_by(key, &record)) {
                true => held.replace(key, Some(record), &order),
                false => held.add(key, record, &order),
            }
        }
        None => {
            held.replace(key, None, &order);
            node.searched = found.searched;
            if before.links.len() < key.position().legal_moves().len() {
                // Where nothing was left to search links are missing: the book is damaged.
                node.links = linked_moves(store, key)?;
            }
        }
    }
    settle(store, dirty, &before, node, &held)?;
    Ok(true)
}

/// Takes a node out: the records of its parents answer for the moves to it again, else a search of these is
/// due. False when there is no such node.
pub fn remove<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    key: Key,
) -> Result<bool, S::Error> {
    let Some(node) = store.node(&key)? else { return Ok(false) };
    store.remove(&node)?;
    for before in parents(store, key)? {
        let links = before.links.without(moves_to(before.key, key));
        let held = store.held(&before)?;
        settle(store, dirty, &before, Node { links, ..before }, &held)?;
    }
    Ok(true)
}

/// Changes what is kept of a node; false when there is no such node.
pub fn change<S: NodeStore + ?Sized>(
    store: &mut S,
    dirty: &mut Dirty,
    key: Key,
    change: impl FnOnce(&mut Held),
) -> Result<bool, S::Error> {
    let Some(before) = store.node(&key)? else { return Ok(false) };
    let mut held = store.held(&before)?;
    change(&mut held);
    let order = store.source_order()?;
    held.tidy(key, &order);
    settle(store, dirty, &before, before, &held)?;
    Ok(true)
}
