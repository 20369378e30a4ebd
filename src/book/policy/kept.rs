//! The search for the cheapest leaves, kept up between choices.
//!
//! It finds what the walk ([`super::frontier`]) finds, but begins where the last choice ended: all ways that it
//! went and all that it saw stay, and where nodes have changed what hangs on them is put right. Values
//! move near the leaves mostly, so that little is.
//!
//! What must be so between two choices, and is enough to find the same as the walk:
//!
//! - each way and each offer is as the nodes along it say;
//! - wherever a way has entered a node, each way on from there is waiting, has been entered, or leads to a node
//!   that was entered by a way which is no worse and costs no more;
//! - each offer at the end of a way that was entered waits, or is put aside since it is being searched.
//!
//! Of ways that cost the same and give away the same the walk takes the first that it comes to, and this
//! any: only the line that is told of a leaf depends on that.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::board::{Key, Placed, Side, Square};
use crate::book::propagate::parent_keys;
use crate::book::regret::{Judge, Regret, RegretLimits};
use crate::book::{Link, Node, NodeSource, line_from};
use crate::search::Depth;

use super::fold::{Choice, Fold};
use super::rules::{
    Arrival, Coming, Offer, Offers, Raise, Raises, Rules, after, is_closed, is_entered, is_raised,
};
use super::{Leaf, Reason};

/// No index.
const NONE: u32 = u32::MAX;
/// Stands where a way has no moves.
const NO_MOVE: Square = Square::new(0);
/// Where more than one in so many of the ways that were entered, and some more, would have to be gone anew, all
/// are: that is quicker.
const PART: usize = 4;
/// The some more.
const FEW: usize = 1000;

/// What a policy keeps of one choice for the next one. Whoever keeps it must tell of all nodes that were
/// added, changed or removed meanwhile.
#[derive(Default, Debug)]
pub struct Kept {
    /// Where no limit holds for whole lines.
    fold: Option<Box<Fold>>,
    /// Where one does.
    tree: Option<Box<Tree>>,
    /// Since the last choice.
    changed: Vec<Key>,
    /// It may take so many bytes.
    most_bytes: Option<usize>,
    is_too_large: bool,
}

impl Kept {
    /// Nothing yet, and never more than so many bytes: with what needs more, every choice is made anew.
    #[must_use]
    pub fn within(bytes: usize) -> Self {
        Self { most_bytes: Some(bytes), ..Self::default() }
    }

    /// Takes note of nodes that were added, changed or removed.
    pub fn note(&mut self, changed: impl IntoIterator<Item = Key>) {
        if self.tree.is_some() || self.fold.is_some() {
            self.changed.extend(changed);
        }
    }

    /// Keeps nothing of what is known: any node may have changed.
    pub fn forget(&mut self) {
        (self.fold, self.tree) = (None, None);
        self.changed.clear();
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of_fold = self.fold.as_ref().map_or(0, |fold| fold.bytes());
        of_fold + self.tree.as_ref().map_or(0, |tree| tree.bytes())
    }

    /// Whether it needed more than it may take, so that nothing is kept.
    #[must_use]
    pub const fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// What is cheapest; none where each choice has to be made anew.
    pub(super) fn next<S: NodeSource + ?Sized, O: Offers<S>>(
        &mut self,
        book: &S,
        rules: Rules<'_>,
        offers: &O,
    ) -> Result<Option<Vec<Leaf>>, S::Error> {
        // Where a ply costs nothing, what is found first of equals depends on the way there.
        if self.is_too_large || rules.penalty <= 0 {
            return Ok(None);
        }
        if rules.request.count == 0 {
            return Ok(Some(Vec::new()));
        }
        let changed = std::mem::take(&mut self.changed);
        if Fold::fits(rules) {
            return self.next_by_fold(book, rules, offers, changed);
        }
        self.fold = None;
        let tree = self.tree.take().filter(|tree| tree.terms == Terms::of(rules));
        let most_bytes = self.most_bytes.unwrap_or(usize::MAX);
        let (tree, is_new) = match tree {
            Some(tree) => (tree, false),
            None => (Box::new(Tree::of(rules)), true),
        };
        // After an error nothing is kept.
        let mut walk = Walk { book, rules, offers, tree, mended: 0, entered: 0 };
        let is_anew = is_new || !walk.mend(changed)?;
        if is_anew {
            *walk.tree = Tree::of(rules);
            walk.push_roots()?;
        }
        let chosen = walk.choose(most_bytes)?;
        let Walk { mended, entered, .. } = walk;
        tracing::debug!(is_anew, mended, entered, ways_in = walk.tree.ways_in, "chosen");
        match chosen.is_some() {
            true => self.tree = Some(walk.tree),
            false => self.is_too_large = true,
        }
        Ok(chosen)
    }

    fn next_by_fold<S: NodeSource + ?Sized, O: Offers<S>>(
        &mut self,
        book: &S,
        rules: Rules<'_>,
        offers: &O,
        changed: Vec<Key>,
    ) -> Result<Option<Vec<Leaf>>, S::Error> {
        self.tree = None;
        let fold = self.fold.take().filter(|fold| fold.terms == Terms::of(rules));
        let is_new = fold.is_none();
        let fold = fold.unwrap_or_else(|| Box::new(Fold::of(rules)));
        // After an error nothing is kept.
        let mut choice = Choice { book, rules, offers, fold };
        if !is_new {
            choice.mend(changed)?;
        }
        let chosen = choice.choose(self.most_bytes.unwrap_or(usize::MAX))?;
        tracing::debug!(is_new, nodes = choice.fold.len(), "chosen");
        match chosen.is_some() {
            true => self.fold = Some(choice.fold),
            false => self.is_too_large = true,
        }
        Ok(chosen)
    }
}

/// What was asked for: with other terms nothing is left of what was found.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Terms {
    roots: Vec<Placed>,
    max_discs: Option<u8>,
    limits: RegretLimits,
    judge: Judge,
    depth: Depth,
    penalty: i32,
}

impl Terms {
    pub(super) fn of(Rules { request, penalty }: Rules<'_>) -> Self {
        Self {
            roots: request.roots.to_vec(),
            max_discs: request.max_discs,
            limits: request.limits,
            judge: request.judge,
            depth: request.depth,
            penalty,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// There is nothing here.
    Free,
    /// It is in the heap.
    Waiting,
    /// The way has entered its node, or the offer was found or is put aside.
    Taken,
}

/// A way to a node.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The node at its end.
    key: Key,
    regret: Regret,
    /// The way that it goes on from; of a way without moves the number of its root.
    before: u32,
    /// The first of the ways that go on from here.
    first: u32,
    /// The next one that goes on from where this one does.
    next: u32,
    /// The first of the offers at its end.
    offer: u32,
    /// Another way by which the node was entered.
    other: u32,
    /// The node as it was entered.
    print: u32,
    /// The last move, in the orientation of the node before.
    square: Square,
    side: Side,
    /// Moves from the root.
    ply: u8,
    state: State,
}

impl Way {
    const fn at(&self) -> Coming {
        Coming { side: self.side, regret: self.regret, ply: self.ply }
    }
}

/// An offer at the end of a way.
#[derive(Clone, Copy, Debug)]
struct Offered {
    offer: Offer,
    way: u32,
    /// The next one at the end of the same way.
    next: u32,
    /// In centidiscs.
    cost: i32,
    state: State,
}

/// What waits in the heap: cost, key and kind as in the walk, and the index of the way or the offer. One that is
/// not waiting by now, or is something else, counts for nothing.
type Entry = Reverse<(i32, Key, Kind, u32)>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Offer,
    Way,
    /// An offer that the walk has only after the way to this key, which costs the same.
    Late,
}

/// All that is known.
#[derive(Debug)]
struct Tree {
    terms: Terms,
    ways: Vec<Way>,
    free_ways: Vec<u32>,
    offers: Vec<Offered>,
    free_offers: Vec<u32>,
    heap: BinaryHeap<Entry>,
    /// The nodes that were entered, with the last way that did.
    entered: HashMap<Key, u32, FixedState>,
    /// By how many ways.
    ways_in: usize,
    /// The way without moves from each root.
    roots: Vec<u32>,
    /// Offers that were found, or that are being searched.
    aside: Vec<u32>,
    /// Nodes to which a held link leads that no search makes count, as long as nothing behind them changes.
    watched: HashSet<Key, FixedState>,
    /// Nodes that ways lead to no more.
    left: BTreeSet<(u8, Key)>,
}

impl Tree {
    fn of(rules: Rules<'_>) -> Self {
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

    fn bytes(&self) -> usize {
        self.ways.capacity() * size_of::<Way>()
            + self.offers.capacity() * size_of::<Offered>()
            + self.heap.capacity() * size_of::<Entry>()
            + self.entered.capacity() * (size_of::<(Key, u32)>() + 1)
            + self.watched.capacity() * (size_of::<Key>() + 1)
            + (self.free_ways.capacity() + self.free_offers.capacity()) * size_of::<u32>()
    }

    fn way(&self, index: u32) -> &Way {
        &self.ways[index as usize]
    }

    fn way_mut(&mut self, index: u32) -> &mut Way {
        &mut self.ways[index as usize]
    }

    /// The ways by which a node was entered.
    fn ways_to(&self, key: &Key) -> impl Iterator<Item = u32> {
        let first = self.entered.get(key).copied();
        let other = |&way: &u32| Some(self.way(way).other).filter(|&other| other != NONE);
        std::iter::successors(first, other)
    }

    /// The ways that go on from one.
    fn ways_on(&self, index: u32) -> impl Iterator<Item = u32> {
        let some = |way: u32| Some(way).filter(|&way| way != NONE);
        std::iter::successors(some(self.way(index).first), move |&way| some(self.way(way).next))
    }

    /// The way that goes on from one to a node.
    fn way_on_to(&self, index: u32, key: Key) -> Option<u32> {
        self.ways_on(index).find(|&way| self.way(way).key == key)
    }

    /// A new way, which is not in the heap yet.
    fn add_way(&mut self, way: Way) -> u32 {
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
    fn drop_way(&mut self, index: u32) {
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
    fn enter(&mut self, index: u32, print: u32) {
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
    fn drop_offers(&mut self, index: u32, is_dropped: impl Fn(&Offer) -> bool) {
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
    fn add_offer(&mut self, way: u32, offer: Offer, cost: i32, of_way: i32) {
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
    fn entry_of_offer(&self, index: u32, of_way: i32) -> Entry {
        let Offered { offer, way, cost, .. } = &self.offers[index as usize];
        let after = self.way(*way).key;
        Reverse(match *cost <= of_way && offer.key <= after {
            true => (*cost, after, Kind::Late, index),
            false => (*cost, offer.key, Kind::Offer, index),
        })
    }

    /// Whether an entry of the heap is still what it was.
    fn is_waiting(
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
    fn tidy(&mut self, rules: Rules<'_>) {
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

/// A node as far as ways and offers depend on it.
pub(super) fn print(node: &Node) -> u32 {
    let Node { links, record, searched, left_out, values, stands, due, more, .. } = *node;
    let seen = (links, record, searched, left_out, values, stands, due, more);
    FixedState::default().hash_one(seen) as u32
}

/// A choice.
struct Walk<'a, S: NodeSource + ?Sized, O> {
    book: &'a S,
    rules: Rules<'a>,
    offers: &'a O,
    tree: Box<Tree>,
    /// How many nodes were put right.
    mended: usize,
    /// How many ways have entered nodes.
    entered: usize,
}

impl<S: NodeSource + ?Sized, O: Offers<S>> Walk<'_, S, O> {
    fn push_roots(&mut self) -> Result<(), S::Error> {
        for number in 0..self.rules.request.roots.len() {
            self.push_root(number)?;
        }
        Ok(())
    }

    /// A way without moves, if the root is in the book.
    fn push_root(&mut self, number: usize) -> Result<(), S::Error> {
        let Placed { position, side } = self.rules.request.roots[number];
        let key = Key::of(position);
        if self.tree.roots[number] == NONE && self.book.node(&key)?.is_some() {
            let at = Coming { side, regret: Regret::default(), ply: 0 };
            self.push_way(key, at, number as u32, NO_MOVE);
        }
        Ok(())
    }

    fn push_way(&mut self, key: Key, at: Coming, before: u32, square: Square) {
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

    fn push_offer(&mut self, way: u32, offer: Offer) {
        let Way { key, .. } = *self.tree.way(way);
        let at = self.tree.way(way).at();
        if let Some(cost) = self.rules.price(key, at, &offer) {
            self.tree.add_offer(way, offer, cost, self.rules.cost(at));
        }
    }

    /// Whether a node was entered by a way that is no worse and costs no more.
    fn is_covered(&self, key: Key, at: Coming) -> bool {
        let cost = self.rules.cost(at);
        self.tree.ways_to(&key).any(|known| {
            let known = self.tree.way(known).at();
            self.rules.is_no_worse(known, at.side, at.regret) && self.rules.cost(known) <= cost
        })
    }

    /// Whether the walk has entered a node behind a link by a way that is no worse before it comes to the link by
    /// this way: then it does not look at the link.
    fn is_passed_over(&self, child: Key, side: Side, way: u32) -> bool {
        let way = self.tree.way(way);
        let before = (self.rules.cost(way.at()), way.key);
        self.tree.ways_to(&child).any(|known| {
            let known = self.tree.way(known).at();
            (self.rules.cost(known), child) < before
                && self.rules.is_no_worse(known, side, way.regret)
        })
    }

    /// Enters a node by a way that waited: what is offered there and its links are next.
    fn enter(&mut self, index: u32) -> Result<(), S::Error> {
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
    fn expand(&mut self, index: u32, node: &Node) -> Result<(), S::Error> {
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
    fn children(&self, index: u32, node: &Node) -> Result<Vec<(Link, Node)>, S::Error> {
        let side = self.tree.way(index).side;
        let mut links: Vec<Link> = Vec::new();
        for link in node.children() {
            let is_known = links.iter().any(|known| known.child == link.child);
            if !is_known && !self.is_passed_over(link.child, after(side, link), index) {
                links.push(link);
            }
        }
        let keys: Vec<Key> = links.iter().map(|link| link.child).collect();
        let read = self.book.nodes(&keys)?;
        Ok(links.into_iter().zip(read).filter_map(|(link, child)| Some((link, child?))).collect())
    }

    /// Offers a link of a node that a way has entered, if it is held.
    fn push_raise(
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

    /// Puts right what hangs on nodes that have changed; false where it is quicker to begin anew.
    fn mend(&mut self, changed: Vec<Key>) -> Result<bool, S::Error> {
        self.tree.left.clear();
        let most = self.tree.ways_in / PART + FEW;
        // From the top down: what a node hangs on is right before the node is looked at.
        let mut waiting: BTreeSet<(u8, Key)> =
            changed.into_iter().map(|key| (key.discs(), key)).collect();
        while let Some((_, key)) = waiting.pop_first() {
            if self.mended == most {
                return Ok(false);
            }
            self.mended += 1;
            self.mend_node(key)?;
            waiting.append(&mut self.tree.left);
        }
        Ok(true)
    }

    /// Puts right the ways to a node, what is offered about it, and what hangs on it.
    fn mend_node(&mut self, key: Key) -> Result<(), S::Error> {
        let node = self.book.node(&key)?;
        for number in 0..self.rules.request.roots.len() {
            if Key::of(self.rules.request.roots[number].position) == key {
                match (self.tree.roots[number], node) {
                    (NONE, Some(_)) => self.push_root(number)?,
                    (way, None) if way != NONE => self.tree.drop_way(way),
                    _ => {}
                }
            }
        }
        let parents = parent_keys(key.position());
        self.mend_ways_to(key, node.as_ref(), &parents)?;
        if !self.tree.watched.is_empty() {
            for parent in parents {
                if self.tree.watched.remove(&parent) {
                    self.mend_raises(parent)?;
                }
            }
        }
        let Some(node) = node else { return Ok(()) };
        let print = print(&node);
        let ways: Vec<u32> = self.tree.ways_to(&key).collect();
        for way in ways {
            // What is kept beside the row is not in the print.
            if self.tree.way(way).print != print || node.more {
                self.tree.way_mut(way).print = print;
                self.expand(way, &node)?;
            }
        }
        Ok(())
    }

    /// The nodes that were entered of these.
    fn entered_of(&self, keys: &[Key]) -> Result<Vec<Node>, S::Error> {
        let entered: Vec<Key> =
            keys.iter().copied().filter(|key| self.tree.entered.contains_key(key)).collect();
        Ok(self.book.nodes(&entered)?.into_iter().flatten().collect())
    }

    /// Puts right the ways to a node from those that were entered before it.
    fn mend_ways_to(
        &mut self,
        key: Key,
        node: Option<&Node>,
        parents: &[Key],
    ) -> Result<(), S::Error> {
        let mut wanted: Vec<(u32, Coming, Square)> = Vec::new();
        for parent in self.entered_of(parents)? {
            let link = parent.children().find(|link| link.child == key);
            let is_open = !is_closed(self.offers, &parent);
            let open = link.zip(node).filter(|_| is_open);
            let ways: Vec<u32> = self.tree.ways_to(&parent.key).collect();
            for way in ways {
                let at = self.tree.way(way).at();
                let next = open.filter(|(_, node)| is_entered(self.offers, node));
                let next = next.and_then(|(link, node)| {
                    Some((self.rules.onward(at, &parent, link, node)?, link.square))
                });
                let known = self.tree.way_on_to(way, key);
                let is_same = match (known, next) {
                    (Some(known), Some((next, _))) => self.tree.way(known).at() == next,
                    _ => false,
                };
                if !is_same {
                    if let Some(known) = known {
                        self.tree.drop_way(known);
                    }
                    wanted.extend(next.map(|(next, square)| (way, next, square)));
                }
                self.mend_raise(way, &parent, open, key)?;
            }
        }
        for (way, next, square) in wanted {
            if !self.is_covered(key, next) {
                self.push_way(key, next, way, square);
            }
        }
        Ok(())
    }

    /// Puts right what links to a node offer that are held.
    fn mend_raises(&mut self, key: Key) -> Result<(), S::Error> {
        let node = self.book.node(&key)?;
        for parent in self.entered_of(&parent_keys(key.position()))? {
            let link = parent.children().find(|link| link.child == key);
            let is_open = !is_closed(self.offers, &parent);
            let ways: Vec<u32> = self.tree.ways_to(&parent.key).collect();
            for way in ways {
                let open = link.zip(node.as_ref()).filter(|_| is_open);
                self.mend_raise(way, &parent, open, key)?;
            }
        }
        Ok(())
    }

    /// Puts right what a link of a node, which a way has entered, offers.
    fn mend_raise(
        &mut self,
        way: u32,
        parent: &Node,
        open: Option<(Link, &Node)>,
        key: Key,
    ) -> Result<(), S::Error> {
        if !self.offers.raises() {
            return Ok(());
        }
        self.tree.drop_offers(way, |offer| offer.reason == Reason::Raise && offer.key == key);
        let side = self.tree.way(way).side;
        if let Some((link, node)) = open
            && parent.record.is_some()
            && !self.is_passed_over(key, after(side, link), way)
        {
            let mut raises = Raises::of(self.book, parent, side, self.rules.request.judge);
            self.push_raise(way, &mut raises, link, node)?;
        }
        Ok(())
    }

    /// The cheapest, as many as are asked for; none where that would take more than so many bytes.
    fn choose(&mut self, most_bytes: usize) -> Result<Option<Vec<Leaf>>, S::Error> {
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
    fn put_back(&mut self) {
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
    fn take_offers(
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
    fn check_raise(&mut self, index: u32) -> Result<bool, S::Error> {
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
    fn leaf(&self, index: u32) -> Leaf {
        let Offered { offer, way, cost, .. } = self.tree.offers[index as usize];
        let Coming { side, regret, .. } = self.tree.way(way).at();
        let mut moves: Vec<Square> = offer.square.into_iter().collect();
        let mut at = self.tree.way(way);
        while at.ply > 0 {
            moves.push(at.square);
            at = self.tree.way(at.before);
        }
        moves.reverse();
        let root = at.before as usize;
        let mut line = line_from(self.rules.request.roots[root].position, moves);
        let rest_square = offer.square.and_then(|_| line.pop());
        Leaf {
            key: offer.key,
            rest: offer.square,
            child: offer.child,
            reason: offer.reason,
            root: Some(root),
            line,
            rest_square,
            regret: regret.and(side, offer.more),
            least: offer.least,
            priority: cost,
        }
    }
}

/// In which order the walk offers what costs the same at the end of a way.
pub(super) const fn place(reason: Reason) -> u8 {
    match reason {
        Reason::Due => 0,
        Reason::Expand | Reason::NoMove | Reason::Add | Reason::Solve => 1,
        Reason::Deepen => 2,
        Reason::Raise => 3,
    }
}
