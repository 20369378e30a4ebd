//! The cheapest leaf below each position, kept up between choices.
//!
//! It is the least, over a node's moves, of what the move gives away, the price of a ply and what is cheapest below;
//! or something to be searched at the node itself. That is renewed along the parents like a value. Of limits of whole
//! lines for a side it knows nothing: with them it is what a way on from there costs at least ([`ways`](super::ways)).
//! Where both sides together have one, what gives less away is known, too.
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
    /// Whether the other side has to pass.
    pub(super) same_side: bool,
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
    /// What is given away of that.
    pub(super) regret: i32,
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
    /// Where both sides together may give away so much: what is dearer, and gives less away than all before.
    pub(super) thriftier: Vec<Cheapest>,
    pub(super) edges: Vec<Edge>,
    pub(super) offers: Vec<Offered>,
    /// The nodes that were looked into and have a move to it.
    pub(super) parents: Vec<u32>,
    /// The node as it was looked into.
    pub(super) print: u32,
    pub(super) side: Side,
    pub(super) is_open: bool,
}

impl State {
    /// The cheapest, and what is thriftier.
    pub(super) fn all(&self) -> impl Iterator<Item = &Cheapest> {
        self.cheapest.iter().chain(&self.thriftier)
    }
}

/// All that is known.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) terms: Terms,
    states: Vec<State>,
    pub(super) roots: Vec<u32>,
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
    /// Edges, offers, parents and what is thriftier, in bytes.
    pub(super) lists: usize,
}

/// In which order the walk comes to what costs the same.
pub(super) type Rank = (Key, Kind, Key, i32, Key, u8);

impl Fold {
    pub(super) fn of(rules: Rules<'_>) -> Self {
        let mut fold = Self {
            terms: Terms::of(rules),
            states: Vec::new(),
            roots: Vec::new(),
            by_key: HashMap::default(),
            aside: Vec::new(),
            watched: HashSet::default(),
            stale: BTreeSet::new(),
            touched: HashSet::default(),
            lists: 0,
        };
        for &Placed { position, side } in rules.request.roots {
            let root = fold.state(Key::of(position), side, rules);
            fold.roots.push(root);
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
            let cheapest =
                Some(Cheapest { cost: 0, regret: 0, at: new, offer: UNOPENED, by: HERE });
            let (thriftier, edges, offers, parents) = Default::default();
            let (print, is_open) = (0, false);
            self.states.push(State {
                key,
                cheapest,
                thriftier,
                edges,
                offers,
                parents,
                print,
                side,
                is_open,
            });
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
    pub(super) fn rank(&self, cheapest: Cheapest) -> Rank {
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

    /// Gives what is at a node, and what is known of its moves.
    fn each(&self, index: u32, penalty: i32, mut each: impl FnMut(Cheapest)) {
        let State { edges, offers, .. } = self.at(index);
        for (offer, it) in (0..).zip(offers).filter(|(_, it)| !it.is_aside) {
            each(Cheapest { cost: it.extra, regret: it.offer.more, at: index, offer, by: HERE });
        }
        for (by, edge) in (0..).zip(edges).filter(|(_, edge)| edge.more != CLOSED) {
            for below in self.at(edge.child).all() {
                let cost = below.cost.saturating_add(edge.more).saturating_add(penalty);
                let regret = below.regret.saturating_add(edge.more);
                each(Cheapest { cost, regret, by, ..*below });
            }
        }
    }

    /// What is cheapest at and below a node, by what is known of its children, and what is thriftier.
    fn cheapest(&self, index: u32, penalty: i32) -> (Option<Cheapest>, Vec<Cheapest>) {
        if !self.at(index).is_open {
            let here = Cheapest { cost: 0, regret: 0, at: index, offer: UNOPENED, by: HERE };
            return (Some(here), Vec::new());
        }
        let Some(most) = self.terms.limits.total else {
            let mut first: Option<Cheapest> = None;
            self.each(index, penalty, |it| {
                if self.is_before(it, first) {
                    first = Some(it);
                }
            });
            return (first, Vec::new());
        };
        let mut all: Vec<Cheapest> = Vec::new();
        self.each(index, penalty, |it| all.extend(Some(it).filter(|it| it.regret <= most)));
        let in_order = |one: &Cheapest, other: &Cheapest| {
            one.cost.cmp(&other.cost).then_with(|| self.rank(*one).cmp(&self.rank(*other)))
        };
        all.sort_by(in_order);
        let mut least = i32::MAX;
        all.retain(|it| {
            let is_thriftier = it.regret < least;
            least = least.min(it.regret);
            is_thriftier
        });
        let mut all = all.into_iter();
        (all.next(), all.collect())
    }

    /// Brings what is cheapest up to date wherever it depends on what has changed.
    pub(super) fn settle(&mut self, penalty: i32) {
        while let Some((_, index)) = self.stale.pop_first() {
            let (cheapest, thriftier) = self.cheapest(index, penalty);
            self.lists += thriftier.len() * size_of::<Cheapest>();
            let state = self.at_mut(index);
            let before = std::mem::replace(&mut state.cheapest, cheapest);
            let thriftier_before = std::mem::replace(&mut state.thriftier, thriftier);
            self.lists -= thriftier_before.len() * size_of::<Cheapest>();
            let seen = |it: &Cheapest| (it.cost, it.regret, it.at, it.offer);
            let state = self.at(index);
            let is_touched = state.all().any(|it| self.touched.contains(&it.at));
            let were = before.iter().chain(&thriftier_before);
            if !is_touched && state.all().map(seen).eq(were.map(seen)) {
                continue;
            }
            // What became dearer matters only where it was the cheapest.
            let cost = |cheapest: Option<Cheapest>| cheapest.map_or(i32::MAX, |it| it.cost);
            let is_dearer = self.terms.limits.total.is_none() && cost(cheapest) > cost(before);
            let item = |cheapest: Option<Cheapest>| cheapest.map(|it| (it.at, it.offer));
            for number in 0..self.at(index).parents.len() {
                let parent = self.at(index).parents[number];
                if !is_dearer || item(self.at(parent).cheapest) == item(before) {
                    self.mark(parent);
                }
            }
        }
        self.touched.clear();
    }
}
