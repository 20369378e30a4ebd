//! The moves of a node, and what they are worth to the side that makes them.

use std::cell::RefCell;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::othello::board::{After, Key, KeyFilter, Square};

use super::derive::{covered_by_valid, holding_record, is_best_move};
use super::{Bounds, Held, Link, MoveMask, Node, NodeSource, Record, Values, links_of, links_once};

/// How the value of a move is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// It leads to another node, and counts.
    Link,
    /// It leads to another node that is less sure than the search of this one, which answers for it.
    Held,
    /// It is the node's rest.
    Rest,
    /// It ends the game.
    Terminal,
    /// Its own value is not known. Where a valid record covers it, it is no better than the rest.
    Unknown,
}

impl MoveKind {
    /// Its name in what people and programs read.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Link => "book",
            Self::Held => "held",
            Self::Rest => "best other",
            Self::Terminal => "ends the game",
            Self::Unknown => "unknown",
        }
    }
}

/// A move of a node of which something is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NodeMove {
    /// The move in the key's orientation, of symmetric ones the first; none where the rest is a value
    /// without a move.
    pub square: Option<Square>,
    /// How its value is known.
    pub kind: MoveKind,
    /// What it is worth to the side that makes it; where it is held, what the record says of it.
    pub values: Values,
    /// For a link, held or not, the node that it leads to, and whether the same side moves there.
    pub child: Option<(Node, bool)>,
    /// For a link that is held, the record that answers for it.
    pub held_by: Option<Record>,
}

impl Node {
    /// The links with where they lead, in ascending order: symmetric moves each for itself.
    pub(crate) fn children(&self) -> impl Iterator<Item = Link> + use<> {
        links_of(self.key, self.links)
    }

    /// As [`Self::children`], of symmetric ones the first.
    pub(crate) fn children_once(&self) -> Vec<Link> {
        links_once(self.key, self.links)
    }

    /// The links that lead to nodes of a source, in ascending order. Symmetric moves are one.
    pub fn linked_moves<S: NodeSource + ?Sized>(
        &self,
        source: &S,
    ) -> Result<Vec<NodeMove>, S::Error> {
        linked_moves(source, self.key, self.links)
    }

    /// The links that are held: the record answers for them.
    pub(crate) fn held_links<S: NodeSource + ?Sized>(
        &self,
        source: &S,
    ) -> Result<MoveMask, S::Error> {
        let mut mask = MoveMask::NONE;
        if self.record.is_none() || (!self.more && self.links.without(self.left_out).is_empty()) {
            return Ok(mask);
        }
        let held = source.held(self)?;
        let links: Vec<Link> = self.children().collect();
        let keys: Vec<Key> = links.iter().map(|link| link.child).collect();
        for ((link, index), child) in
            links.iter().zip(self.links.indices()).zip(source.nodes(&keys)?)
        {
            if child.is_some_and(|child| holding_record(self, &held, *link, &child).is_some()) {
                mask = mask.with(index);
            }
        }
        Ok(mask)
    }

    /// The moves that a valid record of the node covers: none without a link is worth more than [`Node::rest`].
    pub(crate) fn covered<S: NodeSource + ?Sized>(&self, source: &S) -> Result<MoveMask, S::Error> {
        if self.rest().is_none() {
            return Ok(MoveMask::NONE);
        }
        if !self.more {
            let all = MoveMask::all_of(self.key.position().legal_moves().len());
            return Ok(all.without(self.left_out));
        }
        let counting = self.links.without(self.held_links(source)?);
        Ok(covered_by_valid(self.key, &source.held(self)?.records, counting))
    }

    /// All moves of which something is known: the rest, then the links as
    /// [`Node::linked_moves`] gives them, then those that end the game. A link that is held is worth what
    /// the record says of it: its score for the best move, and no more for others.
    pub fn moves<S: NodeSource + ?Sized>(&self, source: &S) -> Result<Vec<NodeMove>, S::Error> {
        let mut links = self.linked_moves(source)?;
        let is_link = |square| links.iter().any(|link: &NodeMove| link.square == square);
        // The best move of a search may lead to a node that is not as sure: it is listed there,
        // once.
        let rest = self.rest().filter(|rest| rest.square.is_none() || !is_link(rest.square));
        let rest = rest.map(|rest| NodeMove {
            square: rest.square,
            kind: MoveKind::Rest,
            values: rest.values(),
            child: None,
            held_by: None,
        });
        if !links.is_empty() && self.record.is_some() {
            let held = source.held(self)?;
            for found in &mut links {
                if let (Some(square), Some((child, same_side))) = (found.square, found.child) {
                    let link = Link { square, child: child.key, same_side };
                    let Some(record) = holding_record(self, &held, link, &child) else { continue };
                    found.kind = MoveKind::Held;
                    found.held_by = Some(record);
                    let of_record = record.rest.values();
                    found.values = match is_best_move(self.key, &record, child.key) {
                        true => of_record,
                        false => found.values.no_better_than(of_record),
                    };
                }
            }
        }
        let endings =
            endings(self.key).filter(|ending| rest.is_none_or(|r| r.square != ending.square));
        Ok(rest.into_iter().chain(links).chain(endings).collect())
    }
}

/// Where a line of best moves ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LineEnd {
    pub node: Node,
    /// Moves that lead there.
    pub plies: u8,
    /// Its best move, which leads to no node; none where nothing is known of its moves, or the line
    /// was to end there.
    pub left_by: Option<NodeMove>,
}

/// Goes along best moves, of equals the first, until a line leaves the book or comes to a node where it
/// `is_to_end`. A bound of a node may hold its guess off that of its moves: the best of them counts.
pub(crate) fn end_of_best_line<S: NodeSource + ?Sized>(
    source: &S,
    mut node: Node,
    is_to_end: impl Fn(&Node) -> bool,
) -> Result<LineEnd, S::Error> {
    let mut plies = 0;
    while !is_to_end(&node) {
        let mut moves = node.moves(source)?;
        // Of equals the last is taken.
        moves.reverse();
        let best = moves.into_iter().max_by_key(|found| found.values.guess);
        let counts = best.filter(|best| best.kind != MoveKind::Held);
        let Some((child, _)) = counts.and_then(|best| best.child) else {
            return Ok(LineEnd { node, plies, left_by: best });
        };
        (node, plies) = (child, plies + 1);
    }
    Ok(LineEnd { node, plies, left_by: None })
}

/// What is known of the moves of a position that is in no book: they may lead into it all the same.
pub(super) fn moves_of_stranger<S: NodeSource + ?Sized>(
    source: &S,
    key: Key,
) -> Result<Vec<NodeMove>, S::Error> {
    let mut moves = linked_moves(source, key, MoveMask::all_of(64))?;
    moves.extend(endings(key));
    Ok(moves)
}

fn linked_moves<S: NodeSource + ?Sized>(
    source: &S,
    key: Key,
    moves: MoveMask,
) -> Result<Vec<NodeMove>, S::Error> {
    let links = links_once(key, moves);
    let keys: Vec<Key> = links.iter().map(|link| link.child).collect();
    let found = source.nodes(&keys)?.into_iter().zip(links);
    let known = found.filter_map(|(child, link)| {
        let child = child?;
        Some(NodeMove {
            square: Some(link.square),
            kind: MoveKind::Link,
            values: link.worth(child.values),
            child: Some((child, link.same_side)),
            held_by: None,
        })
    });
    Ok(known.collect())
}

pub(super) fn endings(key: Key) -> impl Iterator<Item = NodeMove> {
    let position = key.position();
    position.legal_moves().filter_map(move |square| match position.after(square) {
        Some(After::Over(discs)) => Some(NodeMove {
            square: Some(square),
            kind: MoveKind::Terminal,
            values: Values::of_final(discs),
            child: None,
            held_by: None,
        }),
        _ => None,
    })
}

/// A source that reads each node once; facts as often as they are asked for.
pub(crate) struct ReadOnce<'a, S: ?Sized> {
    source: &'a S,
    known: RefCell<HashMap<Key, Option<Node>, FixedState>>,
}

impl<'a, S: NodeSource + ?Sized> ReadOnce<'a, S> {
    /// Nothing is read yet.
    pub(crate) fn new(source: &'a S) -> Self {
        Self { source, known: RefCell::default() }
    }
}

impl<S: NodeSource + ?Sized> NodeSource for ReadOnce<'_, S> {
    type Error = S::Error;

    fn node(&self, key: &Key) -> Result<Option<Node>, S::Error> {
        if let Some(&known) = self.known.borrow().get(key) {
            return Ok(known);
        }
        let node = self.source.node(key)?;
        self.known.borrow_mut().insert(*key, node);
        Ok(node)
    }

    fn nodes(&self, keys: &[Key]) -> Result<Vec<Option<Node>>, S::Error> {
        let new: Vec<Key> = {
            let known = self.known.borrow();
            keys.iter().filter(|key| !known.contains_key(key)).copied().collect()
        };
        if !new.is_empty() {
            let found = self.source.nodes(&new)?;
            self.known.borrow_mut().extend(new.into_iter().zip(found));
        }
        let known = self.known.borrow();
        Ok(keys.iter().map(|key| known.get(key).copied().flatten()).collect())
    }

    fn filter(&self, most: u64) -> Result<Option<KeyFilter>, S::Error> {
        self.source.filter(most)
    }

    fn held(&self, node: &Node) -> Result<Held, S::Error> {
        self.source.held(node)
    }

    fn has_facts(&self) -> Result<bool, S::Error> {
        self.source.has_facts()
    }

    fn facts_of(&self, key: &Key) -> Result<Vec<Bounds>, S::Error> {
        self.source.facts_of(key)
    }

    fn known(&self, keys: &[Key]) -> Result<Vec<Option<Values>>, S::Error> {
        self.source.known(keys)
    }
}
