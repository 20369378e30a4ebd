//! The cheapest leaf below each position, kept up between choices.
//!
//! Where no limit holds for whole lines, what is cheapest below a node does not depend on the way to it: it is the
//! least, over its moves, of what the move gives away, the price of a ply and what is cheapest below; or something
//! to be searched at the node itself. That is renewed along the parents like a value, and a choice is a walk down.
//! A node is looked into only once it is the cheapest that nothing is known of: so no more of a book is known
//! here than the walk ([`frontier`](crate::openbook::policy::frontier)) enters, and the order of what is equally cheap is that of the walk.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::FixedState;

use super::shared::{Kind, Terms, place};
use crate::openbook::policy::request::Reason;
use crate::openbook::policy::rules::{Offer, Rules};
use crate::othello::board::{Key, Placed, Side, Square};

/// What a move gives away that is not followed.
pub(super) const CLOSED: i32 = i32::MAX;
/// Stands for the node itself, into which nothing has looked yet.
pub(super) const UNOPENED: u8 = u8::MAX;
/// Leads to what is at the node itself.
pub(super) const HERE: u8 = u8::MAX;

/// A move of a node that was looked into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) child: u32,
    /// What it gives away, in centidiscs.
    pub(super) more: i32,
    pub(super) square: Square,
}

/// Something to be searched at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offered {
    pub(super) offer: Offer,
    /// What it costs more than the way to the node, in centidiscs.
    pub(super) extra: i32,
    /// It was found, is being searched, or the walk passes it over.
    pub(super) is_aside: bool,
}

/// What is cheapest below a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cheapest {
    /// More than the way to the node, in centidiscs.
    pub(super) cost: i32,
    pub(super) at: u32,
    pub(super) offer: u8,
    /// The move that leads there.
    pub(super) by: u8,
}

/// A node, or a position that may become one.
#[derive(Debug)]
pub(super) struct State {
    pub(super) key: Key,
    pub(super) cheapest: Option<Cheapest>,
    pub(super) edges: Vec<Edge>,
    pub(super) offers: Vec<Offered>,
    /// The nodes that were looked into and have a move to it.
    pub(super) parents: Vec<u32>,
    /// The node as it was looked into.
    pub(super) print: u32,
    pub(super) side: Side,
    pub(super) is_open: bool,
}

/// All that is known.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) terms: Terms,
    states: Vec<State>,
    /// Where the side to move matters, each side's for itself.
    pub(super) by_key: HashMap<(Key, bool), u32, FixedState>,
    /// Offers that are left out for now: the node, what it is about and why.
    pub(super) aside: Vec<(u32, Key, Reason)>,
    /// Nodes to which a held link leads that no search makes count, as long as nothing behind them changes.
    pub(super) watched: HashSet<Key, FixedState>,
    /// Nodes of which the cheapest is to be found anew, those with most discs first.
    stale: BTreeSet<(Reverse<u8>, u32)>,
    /// Nodes whose offers are others.
    touched: HashSet<u32, FixedState>,
    /// Edges, offers and parents, in bytes.
    pub(super) lists: usize,
}

/// The only root.
pub(super) const ROOT: u32 = 0;

impl Fold {
    /// Whether what is cheapest below a node does not depend on the way there.
    pub(super) fn fits(rules: Rules<'_>) -> bool {
        let limits = rules.request.limits;
        rules.penalty > 0
            && rules.request.roots.len() == 1
            && !limits.line_loss.is_set()
            && limits.total.is_none()
    }

    pub(super) fn of(rules: Rules<'_>) -> Self {
        let mut fold = Self {
            terms: Terms::of(rules),
            states: Vec::new(),
            by_key: HashMap::default(),
            aside: Vec::new(),
            watched: HashSet::default(),
            stale: BTreeSet::new(),
            touched: HashSet::default(),
            lists: 0,
        };
        if let Some(&Placed { position, side }) = rules.request.roots.first() {
            fold.state(Key::of(position), side, rules);
        }
        fold
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<State>()
            + self.by_key.capacity() * (size_of::<((Key, bool), u32)>() + 1)
            + self.lists
    }

    /// How many nodes are known.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    fn name(key: Key, side: Side, rules: Rules<'_>) -> (Key, bool) {
        (key, rules.tells_sides() && side == Side::White)
    }

    /// The state of a position, which is not open if it is new.
    pub(super) fn state(&mut self, key: Key, side: Side, rules: Rules<'_>) -> u32 {
        let new = self.states.len() as u32;
        let index = *self.by_key.entry(Self::name(key, side, rules)).or_insert(new);
        if index == new {
            let cheapest = Some(Cheapest { cost: 0, at: new, offer: UNOPENED, by: HERE });
            let (edges, offers, parents) = (Vec::new(), Vec::new(), Vec::new());
            let (print, is_open) = (0, false);
            self.states.push(State { key, cheapest, edges, offers, parents, print, side, is_open });
        }
        index
    }

    pub(super) fn at(&self, index: u32) -> &State {
        &self.states[index as usize]
    }

    pub(super) fn at_mut(&mut self, index: u32) -> &mut State {
        &mut self.states[index as usize]
    }

    pub(super) fn mark(&mut self, index: u32) {
        self.stale.insert((Reverse(self.at(index).key.discs()), index));
    }

    /// What is offered at a node is something else.
    pub(super) fn touch(&mut self, index: u32) {
        self.touched.insert(index);
        self.mark(index);
    }

    /// In which order the walk comes to what costs the same.
    fn rank(&self, cheapest: Cheapest) -> (Key, Kind, Key, i32, Key, u8) {
        let State { key, offers, .. } = self.at(cheapest.at);
        match offers.get(usize::from(cheapest.offer)) {
            None => (*key, Kind::Way, *key, 0, *key, 0),
            Some(&Offered { offer, extra, .. }) => {
                let is_late = extra <= 0 && offer.key <= *key;
                let (anchor, kind) =
                    if is_late { (*key, Kind::Late) } else { (offer.key, Kind::Offer) };
                (anchor, kind, offer.key, -extra, *key, place(offer.reason))
            }
        }
    }

    fn is_before(&self, one: Cheapest, other: Option<Cheapest>) -> bool {
        other.is_none_or(|other| {
            one.cost < other.cost
                || one.cost == other.cost
                    && (one.at, one.offer) != (other.at, other.offer)
                    && self.rank(one) < self.rank(other)
        })
    }

    /// What is cheapest at and below a node, by what is known of its children.
    fn cheapest(&self, index: u32, penalty: i32) -> Option<Cheapest> {
        let State { edges, offers, is_open, .. } = self.at(index);
        if !is_open {
            return Some(Cheapest { cost: 0, at: index, offer: UNOPENED, by: HERE });
        }
        let mut first: Option<Cheapest> = None;
        for (number, offered) in offers.iter().enumerate().filter(|(_, it)| !it.is_aside) {
            let (cost, offer) = (offered.extra, number as u8);
            let here = Cheapest { cost, at: index, offer, by: HERE };
            if self.is_before(here, first) {
                first = Some(here);
            }
        }
        for (by, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.more != CLOSED) {
            let Some(below) = self.at(edge.child).cheapest else { continue };
            let cost = below.cost.saturating_add(edge.more).saturating_add(penalty);
            let there = Cheapest { cost, by: by as u8, ..below };
            if self.is_before(there, first) {
                first = Some(there);
            }
        }
        first
    }

    /// Brings what is cheapest up to date wherever it depends on what has changed.
    pub(super) fn settle(&mut self, penalty: i32) {
        while let Some((_, index)) = self.stale.pop_first() {
            let now = self.cheapest(index, penalty);
            let before = std::mem::replace(&mut self.at_mut(index).cheapest, now);
            let seen = |cheapest: Option<Cheapest>| cheapest.map(|it| (it.cost, it.at, it.offer));
            let is_other =
                seen(now) != seen(before) || now.is_some_and(|now| self.touched.contains(&now.at));
            // What became dearer matters only where it was the cheapest.
            let cost = |cheapest: Option<Cheapest>| cheapest.map_or(i32::MAX, |it| it.cost);
            let is_dearer = cost(now) > cost(before);
            let item = |cheapest: Option<Cheapest>| cheapest.map(|it| (it.at, it.offer));
            if is_other {
                for number in 0..self.at(index).parents.len() {
                    let parent = self.at(index).parents[number];
                    if !is_dearer || item(self.at(parent).cheapest) == item(before) {
                        self.mark(parent);
                    }
                }
            }
        }
        self.touched.clear();
    }

    /// Whether a way of at most this cost leads to a node. `failed` has what was tried.
    pub(super) fn reaches(
        &self,
        index: u32,
        most: i32,
        penalty: i32,
        failed: &mut HashMap<u32, i32, FixedState>,
    ) -> bool {
        if index == ROOT {
            return most >= 0;
        }
        let plies = self.at(index).key.discs().saturating_sub(self.at(ROOT).key.discs());
        if most < penalty * i32::from(plies) || failed.get(&index).is_some_and(|&it| it >= most) {
            return false;
        }
        let is_reached = self.at(index).parents.iter().any(|&parent| {
            let edge = self.at(parent).edges.iter().find(|edge| edge.child == index);
            edge.is_some_and(|edge| {
                edge.more != CLOSED
                    && self.reaches(
                        parent,
                        most.saturating_sub(edge.more + penalty),
                        penalty,
                        failed,
                    )
            })
        });
        if !is_reached {
            failed.insert(index, most);
        }
        is_reached
    }
}
