//! A choice by the ways that were gone.

use std::cmp::Reverse;
use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::shared::{Kind, place, print};
use super::tree::{Entry, NONE, Offered, State, Tree, Way};
use crate::openbook::policy::request::{Leaf, Reason};
use crate::openbook::policy::rules::{
    Arrival, Coming, Offer, Offers, Raise, Raises, Rules, after, is_closed, is_entered, is_raised,
};
use crate::openbook::regret::Regret;
use crate::openbook::{Link, Node, NodeSource};
use crate::othello::board::{Key, Placed, Side, Square};

/// The move of a way that has none.
const NO_MOVE: Square = Square::new(0);

pub(super) struct Walk<'a, S: NodeSource + ?Sized, O> {
    pub(super) book: &'a S,
    pub(super) rules: Rules<'a>,
    pub(super) offers: &'a O,
    pub(super) tree: Box<Tree>,
    /// How many nodes were repaired.
    pub(super) mended: usize,
    /// How many ways have entered nodes.
    pub(super) entered: usize,
}

impl<S: NodeSource + ?Sized, O: Offers<S>> Walk<'_, S, O> {
    pub(super) fn push_roots(&mut self) -> Result<(), S::Error> {
        for number in 0..self.rules.request.roots.len() {
            self.push_root(number)?;
        }
        Ok(())
    }

    /// A way without moves, if the root is in the book.
    pub(super) fn push_root(&mut self, number: usize) -> Result<(), S::Error> {
        let Placed { position, side } = self.rules.request.roots[number];
        let key = Key::of(position);
        if self.tree.roots[number] == NONE && self.book.node(&key)?.is_some() {
            let at = Coming { side, regret: Regret::default(), ply: 0 };
            self.push_way(key, at, number as u32, NO_MOVE);
        }
        Ok(())
    }

    pub(super) fn push_way(&mut self, key: Key, at: Coming, before: u32, square: Square) {
        let Coming { side, regret, ply } = at;
        let (first, next, offer, other) = (NONE, NONE, NONE, NONE);
        let state = State::Waiting;
        let way = Way {
            key,
            regret,
            before,
            first,
            next,
            offer,
            other,
            print: 0,
            square,
            side,
            ply,
            state,
        };
        let index = self.tree.add_way(way);
        self.tree.heap.push(Reverse((self.rules.cost(at), key, Kind::Way, index)));
    }

    pub(super) fn push_offer(&mut self, way: u32, offer: Offer) {
        let Way { key, .. } = *self.tree.way(way);
        let at = self.tree.way(way).at();
        if let Some(cost) = self.rules.price(key, at, &offer) {
            self.tree.add_offer(way, offer, cost, self.rules.cost(at));
        }
    }

    /// Whether a node was entered by a way that is no worse and costs no more.
    pub(super) fn is_covered(&self, key: Key, at: Coming) -> bool {
        let cost = self.rules.cost(at);
        self.tree.ways_to(&key).any(|known| {
            let known = self.tree.way(known).at();
            self.rules.is_no_worse(known, at.side, at.regret) && self.rules.cost(known) <= cost
        })
    }

    /// Whether the walk has entered a node behind a link by a way that is no worse before it comes to the link by
    /// this way: then it does not look at the link.
    pub(super) fn is_passed_over(&self, child: Key, side: Side, way: u32) -> bool {
        let way = self.tree.way(way);
        let before = (self.rules.cost(way.at()), way.key);
        self.tree.ways_to(&child).any(|known| {
            let known = self.tree.way(known).at();
            (self.rules.cost(known), child) < before
                && self.rules.is_no_worse(known, side, way.regret)
        })
    }

    /// Enters a node by a way that waited: what is offered there and its links are next.
    pub(super) fn enter(&mut self, index: u32) -> Result<(), S::Error> {
        let key = self.tree.way(index).key;
        let at = self.tree.way(index).at();
        if self.is_covered(key, at) {
            self.tree.drop_way(index);
            return Ok(());
        }
        let Some(node) = self.book.node(&key)? else {
            self.tree.drop_way(index);
            return Ok(());
        };
        let cost = self.rules.cost(at);
        let is_covered = |&known: &u32| {
            let known = self.tree.way(known).at();
            self.rules.is_no_worse(at, known.side, known.regret) && cost <= self.rules.cost(known)
        };
        let covered: Vec<u32> = self.tree.ways_to(&key).filter(is_covered).collect();
        // Where they led, this one leads at no higher cost.
        covered.into_iter().for_each(|way| self.tree.drop_way(way));
        self.tree.enter(index, print(&node));
        self.entered += 1;
        self.expand(index, &node)
    }

    /// Finds out what is offered in a node that a way has entered, and which ways go on from there.
    pub(super) fn expand(&mut self, index: u32, node: &Node) -> Result<(), S::Error> {
        self.tree.drop_offers(index, |_| true);
        let Way { key, side, .. } = *self.tree.way(index);
        let at = self.tree.way(index).at();
        if node.is_incomplete() {
            self.push_offer(index, Offer::of(key, Reason::Due));
        }
        let mut gone: Vec<u32> = self.tree.ways_on(index).collect();
        if !is_closed(self.offers, node) {
            let mut fresh = Vec::new();
            self.offers.of(self.book, &Arrival { node: *node, side }, &mut fresh)?;
            fresh.into_iter().for_each(|offer| self.push_offer(index, offer));
            let children = self.children(index, node)?;
            if self.offers.raises() && node.record.is_some() {
                let mut raises = Raises::of(self.book, node, side, self.rules.request.judge);
                for &(link, ref child) in &children {
                    self.push_raise(index, &mut raises, link, child)?;
                }
            }
            for (link, child) in children {
                if !is_entered(self.offers, &child) {
                    continue;
                }
                let Some(next) = self.rules.onward(at, node, link, &child) else { continue };
                let known = gone.iter().position(|&way| self.tree.way(way).key == child.key);
                if let Some(known) = known {
                    let way = gone.swap_remove(known);
                    if self.tree.way(way).at() == next {
                        continue;
                    }
                    self.tree.drop_way(way);
                }
                if !self.is_covered(child.key, next) {
                    self.push_way(child.key, next, index, link.square);
                }
            }
        }
        gone.into_iter().for_each(|way| self.tree.drop_way(way));
        Ok(())
    }

    /// The links of a node that the walk looks at, with what they lead to, of symmetric ones the first.
    pub(super) fn children(&self, index: u32, node: &Node) -> Result<Vec<(Link, Node)>, S::Error> {
        let side = self.tree.way(index).side;
        let mut links = node.children_once();
        links.retain(|&link| !self.is_passed_over(link.child, after(side, link), index));
        let keys: Vec<Key> = links.iter().map(|link| link.child).collect();
        let read = self.book.nodes(&keys)?;
        Ok(links.into_iter().zip(read).filter_map(|(link, child)| Some((link, child?))).collect())
    }

    /// Offers a link of a node that a way has entered, if it is held.
    pub(super) fn push_raise(
        &mut self,
        index: u32,
        raises: &mut Raises<'_, S>,
        link: Link,
        child: &Node,
    ) -> Result<(), S::Error> {
        if is_raised(self.offers, child) {
            match raises.of_link(link, child)? {
                Raise::Wanted(offer) => self.push_offer(index, offer),
                Raise::Held => drop(self.tree.watched.insert(child.key)),
                Raise::Counts => {}
            }
        }
        Ok(())
    }

    /// The cheapest, as many as are asked for; none where that would take more than so many bytes.
    pub(super) fn choose(&mut self, most_bytes: usize) -> Result<Option<Vec<Leaf>>, S::Error> {
        self.tree.tidy(self.rules);
        self.put_back();
        let request = self.rules.request;
        let mut found: Vec<u32> = Vec::new();
        let mut given: HashSet<Key, FixedState> = HashSet::default();
        while found.len() < request.count
            && !request.give_up.is_due()
            && let Some(&Reverse(entry)) = self.tree.heap.peek()
        {
            match entry.2 {
                Kind::Way => {
                    self.tree.heap.pop();
                    if self.tree.is_waiting(entry, self.rules) {
                        self.enter(entry.3)?;
                        if self.tree.bytes() > most_bytes {
                            return Ok(None);
                        }
                    }
                }
                Kind::Offer | Kind::Late => self.take_offers(entry, &mut found, &mut given)?,
            }
        }
        // What was left is entered by other ways, at no higher cost.
        self.tree.left.clear();
        let leaves = found.iter().map(|&index| self.leaf(index)).collect();
        Ok(Some(leaves))
    }

    /// Puts what is not being searched any more back among what may be found.
    pub(super) fn put_back(&mut self) {
        let busy = |key: &Key| self.rules.request.in_flight.contains(key);
        let mut aside = std::mem::take(&mut self.tree.aside);
        aside.sort_unstable();
        aside.dedup();
        aside.retain(|&index| {
            let Offered { offer, way, state, .. } = self.tree.offers[index as usize];
            if state != State::Taken {
                return false;
            }
            let stays = busy(&offer.key) || offer.child.as_ref().is_some_and(busy);
            if !stays {
                self.tree.offers[index as usize].state = State::Waiting;
                let of_way = self.rules.cost(self.tree.way(way).at());
                self.tree.heap.push(self.tree.entry_of_offer(index, of_way));
            }
            stays
        });
        self.tree.aside = aside;
    }

    /// Takes the offers out of the heap that are equally cheap and of one key, in the order of the walk.
    pub(super) fn take_offers(
        &mut self,
        (cost, key, kind, _): (i32, Key, Kind, u32),
        found: &mut Vec<u32>,
        given: &mut HashSet<Key, FixedState>,
    ) -> Result<(), S::Error> {
        let mut equals: Vec<Entry> = Vec::new();
        while let Some(&entry) = self.tree.heap.peek()
            && (entry.0.0, entry.0.1, entry.0.2) == (cost, key, kind)
        {
            self.tree.heap.pop();
            if self.tree.is_waiting(entry.0, self.rules) {
                equals.push(entry);
            }
        }
        equals.sort_by_key(|entry| {
            let Offered { offer, way, .. } = &self.tree.offers[entry.0.3 as usize];
            let way = self.tree.way(*way);
            (offer.key, self.rules.cost(way.at()), way.key, place(offer.reason))
        });
        let in_flight = self.rules.request.in_flight;
        for entry in equals {
            let index = entry.0.3;
            if found.len() == self.rules.request.count {
                self.tree.heap.push(entry);
                continue;
            }
            let Offered { offer, state, .. } = self.tree.offers[index as usize];
            if state != State::Waiting
                || (offer.reason == Reason::Raise && !self.check_raise(index)?)
            {
                continue;
            }
            let busy = |key: &Key| in_flight.contains(key) || given.contains(key);
            if !busy(&offer.key) && !offer.child.as_ref().is_some_and(busy) {
                given.insert(offer.key);
                given.extend(offer.child);
                found.push(index);
            }
            self.tree.offers[index as usize].state = State::Taken;
            self.tree.aside.push(index);
        }
        Ok(())
    }

    /// Whether the walk would offer a held link; else it is dropped. By now all is entered that the walk has
    /// entered before it.
    pub(super) fn check_raise(&mut self, index: u32) -> Result<bool, S::Error> {
        let Offered { offer, way, .. } = self.tree.offers[index as usize];
        let Way { key, side, .. } = *self.tree.way(way);
        let link = self
            .book
            .node(&key)?
            .and_then(|node| node.children().find(|link| link.child == offer.key));
        let stays =
            link.is_some_and(|link| !self.is_passed_over(offer.key, after(side, link), way));
        if !stays {
            self.tree
                .drop_offers(way, |other| other.reason == Reason::Raise && other.key == offer.key);
        }
        Ok(stays)
    }

    /// A leaf that was found, with its line.
    pub(super) fn leaf(&self, index: u32) -> Leaf {
        let Offered { offer, way, cost, .. } = self.tree.offers[index as usize];
        let Coming { side, regret, .. } = self.tree.way(way).at();
        let mut moves: Vec<Square> = Vec::new();
        let mut at = self.tree.way(way);
        while at.ply > 0 {
            moves.push(at.square);
            at = self.tree.way(at.before);
        }
        moves.reverse();
        offer.leaf(self.rules.request, (at.before as usize, moves), (side, regret), cost)
    }
}
