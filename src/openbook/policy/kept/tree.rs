//! The ways through a book that were gone, with what is offered at their ends.
//!
//! What must be so between two choices, and is enough to find the same as the walk:
//!
//! - each way and each offer is as the nodes along it say;
//! - wherever a way has entered a node, each way on from there is waiting, has been entered, or leads to a node
//!   that was entered by a way which is no worse and costs no more;
//! - each offer at the end of a way that was entered waits, or is put aside since it is being searched.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

use foldhash::fast::FixedState;

use super::shared::{Kind, Terms};
use crate::openbook::policy::rules::{Coming, Offer, Rules};
use crate::openbook::regret::Regret;
use crate::othello::board::{Key, Side, Square};

/// No index.
pub(super) const NONE: u32 = u32::MAX;
/// The heap may hold so many entries that count for nothing, and as many as it holds others.
const FEW: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// There is nothing here.
    Free,
    Waiting,
    /// The way has entered its node, or the offer was found or is put aside.
    Taken,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The node at its end.
    pub(super) key: Key,
    pub(super) regret: Regret,
    /// The way that it goes on from; of a way without moves the number of its root.
    pub(super) before: u32,
    /// The first of the ways that go on from here.
    pub(super) first: u32,
    /// The next one that goes on from where this one does.
    pub(super) next: u32,
    /// The first of the offers at its end.
    pub(super) offer: u32,
    /// Another way by which the node was entered.
    pub(super) other: u32,
    /// The node as it was entered.
    pub(super) print: u32,
    /// The last move, in the orientation of the node before.
    pub(super) square: Square,
    pub(super) side: Side,
    /// Moves from the root.
    pub(super) ply: u8,
    pub(super) state: State,
}

impl Way {
    pub(super) const fn at(&self) -> Coming {
        Coming { side: self.side, regret: self.regret, ply: self.ply }
    }
}

/// An offer at the end of a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offered {
    pub(super) offer: Offer,
    pub(super) way: u32,
    /// The next one at the end of the same way.
    pub(super) next: u32,
    /// In centidiscs.
    pub(super) cost: i32,
    pub(super) state: State,
}

/// What waits in the heap: cost, key and kind as in the walk, and the index of the way or the offer. One that is
/// not waiting by now, or is something else, counts for nothing.
pub(super) type Entry = Reverse<(i32, Key, Kind, u32)>;

/// All that is known.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) terms: Terms,
    pub(super) ways: Vec<Way>,
    pub(super) free_ways: Vec<u32>,
    pub(super) offers: Vec<Offered>,
    pub(super) free_offers: Vec<u32>,
    pub(super) heap: BinaryHeap<Entry>,
    /// The nodes that were entered, with the last way that did.
    pub(super) entered: HashMap<Key, u32, FixedState>,
    pub(super) ways_in: usize,
    /// The way without moves from each root.
    pub(super) roots: Vec<u32>,
    /// Offers that were found, or that are being searched.
    pub(super) aside: Vec<u32>,
    /// Nodes to which a held link leads that no search makes count, as long as nothing behind them changes.
    pub(super) watched: HashSet<Key, FixedState>,
    /// Nodes that ways lead to no more.
    pub(super) left: BTreeSet<(u8, Key)>,
}

impl Tree {
    pub(super) fn of(rules: Rules<'_>) -> Self {
        Self {
            terms: Terms::of(rules),
            ways: Vec::new(),
            free_ways: Vec::new(),
            offers: Vec::new(),
            free_offers: Vec::new(),
            heap: BinaryHeap::new(),
            entered: HashMap::default(),
            ways_in: 0,
            roots: vec![NONE; rules.request.roots.len()],
            aside: Vec::new(),
            watched: HashSet::default(),
            left: BTreeSet::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.ways.capacity() * size_of::<Way>()
            + self.offers.capacity() * size_of::<Offered>()
            + self.heap.capacity() * size_of::<Entry>()
            + self.entered.capacity() * (size_of::<(Key, u32)>() + 1)
            + self.watched.capacity() * (size_of::<Key>() + 1)
            + (self.free_ways.capacity() + self.free_offers.capacity()) * size_of::<u32>()
    }

    pub(super) fn way(&self, index: u32) -> &Way {
        &self.ways[index as usize]
    }

    pub(super) fn way_mut(&mut self, index: u32) -> &mut Way {
        &mut self.ways[index as usize]
    }

    /// The ways by which a node was entered.
    pub(super) fn ways_to(&self, key: &Key) -> impl Iterator<Item = u32> {
        let first = self.entered.get(key).copied();
        let other = |&way: &u32| Some(self.way(way).other).filter(|&other| other != NONE);
        std::iter::successors(first, other)
    }

    /// The ways that go on from one.
    pub(super) fn ways_on(&self, index: u32) -> impl Iterator<Item = u32> {
        let some = |way: u32| Some(way).filter(|&way| way != NONE);
        std::iter::successors(some(self.way(index).first), move |&way| some(self.way(way).next))
    }

    /// The way that goes on from one to a node.
    pub(super) fn way_on_to(&self, index: u32, key: Key) -> Option<u32> {
        self.ways_on(index).find(|&way| self.way(way).key == key)
    }

    /// A new way, which is not in the heap yet.
    pub(super) fn add_way(&mut self, way: Way) -> u32 {
        let index = match self.free_ways.pop() {
            Some(index) => {
                *self.way_mut(index) = way;
                index
            }
            None => {
                self.ways.push(way);
                self.ways.len() as u32 - 1
            }
        };
        match way.ply {
            0 => self.roots[way.before as usize] = index,
            _ => {
                let before = self.way_mut(way.before);
                let next = std::mem::replace(&mut before.first, index);
                self.way_mut(index).next = next;
            }
        }
        index
    }

    /// Takes a way out of those that go on from the one before it.
    fn detach(&mut self, index: u32) {
        let Way { before, next, ply, .. } = *self.way(index);
        if ply == 0 {
            self.roots[before as usize] = NONE;
            return;
        }
        let previous = self.ways_on(before).find(|&way| self.way(way).next == index);
        match previous {
            Some(previous) => self.way_mut(previous).next = next,
            None => self.way_mut(before).first = next,
        }
    }

    /// Drops a way with all that go on from it. The nodes that they had entered are noted as left.
    pub(super) fn drop_way(&mut self, index: u32) {
        self.detach(index);
        let mut dropped = vec![index];
        while let Some(index) = dropped.pop() {
            dropped.extend(self.ways_on(index));
            self.drop_offers(index, |_| true);
            let Way { key, state, .. } = *self.way(index);
            if state == State::Taken {
                self.leave(key, index);
                self.left.insert((key.discs(), key));
            }
            self.way_mut(index).state = State::Free;
            self.free_ways.push(index);
        }
    }

    /// A way has entered its node.
    pub(super) fn enter(&mut self, index: u32, print: u32) {
        let key = self.way(index).key;
        let other = self.entered.insert(key, index).unwrap_or(NONE);
        let way = self.way_mut(index);
        (way.state, way.print, way.other) = (State::Taken, print, other);
        self.ways_in += 1;
    }

    /// Takes a way out of those by which its node was entered.
    fn leave(&mut self, key: Key, index: u32) {
        let other = self.way(index).other;
        let previous = self.ways_to(&key).find(|&way| self.way(way).other == index);
        match previous {
            Some(previous) => self.way_mut(previous).other = other,
            None if other == NONE => drop(self.entered.remove(&key)),
            None => drop(self.entered.insert(key, other)),
        }
        self.ways_in -= 1;
    }

    /// Drops offers at the end of a way.
    pub(super) fn drop_offers(&mut self, index: u32, is_dropped: impl Fn(&Offer) -> bool) {
        let mut kept = NONE;
        let mut next = std::mem::replace(&mut self.way_mut(index).offer, NONE);
        while next != NONE {
            let at = next;
            let offered = &mut self.offers[at as usize];
            next = offered.next;
            match is_dropped(&offered.offer) {
                true => {
                    offered.state = State::Free;
                    self.free_offers.push(at);
                }
                false => {
                    offered.next = kept;
                    kept = at;
                }
            }
        }
        self.way_mut(index).offer = kept;
    }

    /// A new offer at the end of a way, which waits.
    pub(super) fn add_offer(&mut self, way: u32, offer: Offer, cost: i32, of_way: i32) {
        let next = self.way(way).offer;
        let offered = Offered { offer, way, next, cost, state: State::Waiting };
        let index = match self.free_offers.pop() {
            Some(index) => {
                self.offers[index as usize] = offered;
                index
            }
            None => {
                self.offers.push(offered);
                self.offers.len() as u32 - 1
            }
        };
        self.way_mut(way).offer = index;
        self.heap.push(self.entry_of_offer(index, of_way));
    }

    /// Where an offer waits, at the end of a way of this cost.
    pub(super) fn entry_of_offer(&self, index: u32, of_way: i32) -> Entry {
        let Offered { offer, way, cost, .. } = &self.offers[index as usize];
        let after = self.way(*way).key;
        Reverse(match *cost <= of_way && offer.key <= after {
            true => (*cost, after, Kind::Late, index),
            false => (*cost, offer.key, Kind::Offer, index),
        })
    }

    /// Whether an entry of the heap is still what it was.
    pub(super) fn is_waiting(
        &self,
        (cost, key, kind, index): (i32, Key, Kind, u32),
        rules: Rules<'_>,
    ) -> bool {
        match kind {
            Kind::Way => {
                let way = self.way(index);
                way.state == State::Waiting && way.key == key && rules.cost(way.at()) == cost
            }
            Kind::Offer | Kind::Late => {
                let offered = &self.offers[index as usize];
                let is_same = offered.state == State::Waiting && offered.cost == cost;
                let of_way = || rules.cost(self.way(offered.way).at());
                is_same && self.entry_of_offer(index, of_way()).0 == (cost, key, kind, index)
            }
        }
    }

    /// Takes out of the heap what counts for nothing, where that is the larger part.
    pub(super) fn tidy(&mut self, rules: Rules<'_>) {
        let waiting = self.ways.len() - self.free_ways.len() - self.ways_in + self.offers.len()
            - self.free_offers.len();
        if self.heap.len() > 2 * waiting + FEW {
            let mut heap = std::mem::take(&mut self.heap).into_vec();
            heap.retain(|entry| self.is_waiting(entry.0, rules));
            heap.sort_unstable();
            heap.dedup();
            self.heap = heap.into();
        }
    }
}
