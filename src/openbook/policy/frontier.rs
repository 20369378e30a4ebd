//! Lazy best-first search from the roots of a request: it reads only as many nodes as it takes to
//! find the leaves of smallest cost, and keeps nothing between calls.
//!
//! It may have to go through a whole book, so of what is done with it keeps only how it came there and
//! what that gives away.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::openbook::regret::Regret;
use crate::openbook::{Link, Node, NodeSource};
use crate::othello::board::{Key, Placed, Side, Square};

use super::request::{Leaf, Reason};
use super::rules::{
    Arrival, Coming, Offer, Offers, Raise, Raises, Rules, after, is_closed, is_entered, is_raised,
};

#[derive(Clone, Copy, Debug)]
struct Way {
    /// The node at its end.
    key: Key,
    at: Coming,
    before: Before,
}

/// What a way goes on from.
#[derive(Clone, Copy, Debug)]
enum Before {
    /// A root by number: the way has no moves.
    Root(u32),
    /// The way before, and the move played there in that node's orientation.
    Way(u32, Square),
}

/// An offer that was the cheapest.
#[derive(Clone, Copy, Debug)]
struct Found {
    offer: Offer,
    way: u32,
    /// What it costs, in centidiscs.
    cost: i32,
}

/// What waits in the heap: a way to a node, or an offer at the end of one. Smallest cost first,
/// then by key, so that the order never depends on how the search came there.
type Entry = Reverse<(i32, Key, Kind, u32)>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Offer,
    Way,
}

/// By which ways nodes were entered: most of them by one.
#[derive(Default)]
struct Entered {
    first: HashMap<Key, u32, FixedState>,
    others: HashMap<Key, Vec<u32>, FixedState>,
}

impl Entered {
    fn note(&mut self, key: Key, way: u32) {
        let first = *self.first.entry(key).or_insert(way);
        if first != way {
            self.others.entry(key).or_default().push(way);
        }
    }

    fn ways(&self, key: &Key) -> impl Iterator<Item = u32> {
        let first = self.first.get(key).copied();
        let others = first.and_then(|_| self.others.get(key)).into_iter().flatten();
        first.into_iter().chain(others.copied())
    }
}

pub(super) struct Frontier<'a, S: NodeSource + ?Sized, O> {
    book: &'a S,
    rules: Rules<'a>,
    offers: O,
    ways: Vec<Way>,
    /// The nodes that ways in the heap lead to, so that they are read once where that takes its time.
    ahead: HashMap<Key, Node, FixedState>,
    /// The offers in the heap by number, each with the way that it is at the end of.
    offered: HashMap<u32, (Offer, u32), FixedState>,
    /// How many offers there have been.
    offers_made: u32,
    heap: BinaryHeap<Entry>,
    entered: Entered,
    found: Vec<Found>,
    /// What was found is about these.
    given: HashSet<Key, FixedState>,
    fresh: Vec<Offer>,
}

impl<'a, S: NodeSource + ?Sized, O: Offers<S>> Frontier<'a, S, O> {
    pub(super) fn new(book: &'a S, rules: Rules<'a>, offers: O) -> Self {
        Self {
            book,
            rules,
            offers,
            ways: Vec::new(),
            ahead: HashMap::default(),
            offered: HashMap::default(),
            offers_made: 0,
            heap: BinaryHeap::new(),
            entered: Entered::default(),
            found: Vec::new(),
            given: HashSet::default(),
            fresh: Vec::new(),
        }
    }

    /// What is cheapest. A node on which a search is due costs what its way does.
    pub(super) fn run(mut self) -> Result<Vec<Leaf>, S::Error> {
        let count = self.rules.request.count;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.push_roots()?;
        while self.found.len() < count && !self.rules.request.give_up.is_due() && self.step()? {}
        Ok(self.leaves())
    }

    /// Of all within the limits those that `rank` puts first, as many as are asked for; of equals the
    /// cheapest. No more than twice as many are held at once. Nothing when it is given up: what comes
    /// first is known at the end.
    pub(super) fn run_through<K: Ord>(
        mut self,
        rank: impl Fn(&Offer) -> K,
    ) -> Result<Vec<Leaf>, S::Error> {
        let count = self.rules.request.count;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.push_roots()?;
        loop {
            if self.rules.request.give_up.is_due() {
                return Ok(Vec::new());
            }
            let is_more = self.step()?;
            if !is_more || self.found.len() >= count.saturating_mul(2) {
                // Stable: what came first is cheaper.
                self.found.sort_by_key(|found| rank(&found.offer));
                self.found.truncate(count);
            }
            if !is_more {
                return Ok(self.leaves());
            }
        }
    }

    fn push_roots(&mut self) -> Result<(), S::Error> {
        let roots = self.rules.request.roots;
        for (index, &Placed { position, side }) in roots.iter().enumerate() {
            let Some(node) = self.book.node(&Key::of(position))? else { continue };
            let at = Coming { side, regret: Regret::default(), ply: 0 };
            self.push_way(Way { key: node.key, at, before: Before::Root(index as u32) }, node);
        }
        Ok(())
    }

    /// Takes the cheapest out of the heap; false when it is empty.
    fn step(&mut self) -> Result<bool, S::Error> {
        let Some(Reverse((cost, _, kind, index))) = self.heap.pop() else { return Ok(false) };
        match kind {
            Kind::Offer => self.take_offer(index, cost),
            Kind::Way => self.enter(index)?,
        }
        Ok(true)
    }

    fn push_way(&mut self, way: Way, node: Node) {
        let cost = self.rules.cost(way.at);
        let index = self.ways.len() as u32;
        self.heap.push(Reverse((cost, way.key, Kind::Way, index)));
        if !self.book.is_in_memory() {
            self.ahead.insert(way.key, node);
        }
        self.ways.push(way);
    }

    /// Enters a node by a way: what is offered there and its links are next.
    fn enter(&mut self, index: u32) -> Result<(), S::Error> {
        let Way { key, at, .. } = self.ways[index as usize];
        if self.is_no_better(&key, at.side, at.regret) {
            return Ok(());
        }
        let node = match self.ahead.remove(&key) {
            Some(node) => node,
            // It was entered by another way before.
            None => match self.book.node(&key)? {
                Some(node) => node,
                None => return Ok(()),
            },
        };
        self.entered.note(key, index);
        if node.is_incomplete() {
            self.push_offer(index, Offer::of(key, Reason::Due));
        }
        if is_closed(&self.offers, &node) {
            return Ok(());
        }
        self.push_offers(index, &Arrival { node, side: at.side })?;
        let children = self.children(&node, at)?;
        if self.offers.raises() && node.record.is_some() {
            self.push_raises(index, &node, at.side, &children)?;
        }
        for (link, child) in children {
            if !is_entered(&self.offers, &child) {
                continue;
            }
            let Some(next) = self.rules.onward(at, &node, link, &child) else { continue };
            if !self.is_no_better(&child.key, next.side, next.regret) {
                let before = Before::Way(index, link.square);
                self.push_way(Way { key: child.key, at: next, before }, child);
            }
        }
        Ok(())
    }

    /// The links of a node with what they lead to, of symmetric ones the first. In a book most moves
    /// lead to what was entered before: unless something is gained by entering it anew, from a node by
    /// a way of this regret, it is not read again.
    fn children(&self, node: &Node, at: Coming) -> Result<Vec<(Link, Node)>, S::Error> {
        let mut links = node.children_once();
        links.retain(|&link| !self.is_no_better(&link.child, after(at.side, link), at.regret));
        let unread: Vec<Key> = links
            .iter()
            .map(|link| link.child)
            .filter(|child| !self.ahead.contains_key(child))
            .collect();
        let read = self.book.nodes(&unread)?;
        let child = |link: Link| {
            let mut read = read.iter().flatten();
            let known = self.ahead.get(&link.child);
            known.or_else(|| read.find(|node| node.key == link.child)).map(|&child| (link, child))
        };
        Ok(links.into_iter().filter_map(child).collect())
    }

    /// Whether a node was entered by a way that is at least as good.
    fn is_no_better(&self, key: &Key, side: Side, regret: Regret) -> bool {
        let is_no_worse =
            |known: u32| self.rules.is_no_worse(self.ways[known as usize].at, side, regret);
        self.entered.ways(key).any(is_no_worse)
    }

    fn push_offers(&mut self, index: u32, at: &Arrival) -> Result<(), S::Error> {
        let mut fresh = std::mem::take(&mut self.fresh);
        self.offers.of(self.book, at, &mut fresh)?;
        for offer in fresh.drain(..) {
            self.push_offer(index, offer);
        }
        self.fresh = fresh;
        Ok(())
    }

    /// Offers the links of a node that are held.
    fn push_raises(
        &mut self,
        index: u32,
        node: &Node,
        side: Side,
        children: &[(Link, Node)],
    ) -> Result<(), S::Error> {
        let mut raises = Raises::of(self.book, node, side, self.rules.request.judge);
        for &(link, ref child) in children {
            if is_raised(&self.offers, child)
                && let Raise::Wanted(offer) = raises.of_link(link, child)?
            {
                self.push_offer(index, offer);
            }
        }
        Ok(())
    }

    /// Puts an offer at the end of a way into the heap, unless it is out of bounds.
    fn push_offer(&mut self, index: u32, offer: Offer) {
        let way = self.ways[index as usize];
        let Some(cost) = self.rules.price(way.key, way.at, &offer) else { return };
        let number = self.offers_made;
        self.offers_made += 1;
        self.heap.push(Reverse((cost, offer.key, Kind::Offer, number)));
        self.offered.insert(number, (offer, index));
    }

    /// Keeps an offer, unless what it is about is being searched or was found already.
    fn take_offer(&mut self, number: u32, cost: i32) {
        let Some((offer, way)) = self.offered.remove(&number) else { return };
        let busy =
            |key: &Key| self.rules.request.in_flight.contains(key) || self.given.contains(key);
        if busy(&offer.key) || offer.child.as_ref().is_some_and(busy) {
            return;
        }
        self.given.insert(offer.key);
        self.given.extend(offer.child);
        self.found.push(Found { offer, way, cost });
    }

    /// What was found, each with its line.
    fn leaves(&self) -> Vec<Leaf> {
        let leaf = |&Found { offer, way, cost }: &Found| {
            let Coming { side, regret, .. } = self.ways[way as usize].at;
            offer.leaf(self.rules.request, self.line(way), (side, regret), cost)
        };
        self.found.iter().map(leaf).collect()
    }

    /// The number of a way's root, and its moves, each in the orientation of its node.
    fn line(&self, mut at: u32) -> (usize, Vec<Square>) {
        let mut moves = Vec::new();
        let root = loop {
            match self.ways[at as usize].before {
                Before::Way(before, square) => {
                    moves.push(square);
                    at = before;
                }
                Before::Root(root) => break root as usize,
            }
        };
        moves.reverse();
        (root, moves)
    }
}
