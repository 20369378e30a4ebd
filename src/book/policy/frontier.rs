//! Lazy best-first search from the roots of a request: it reads only as many nodes as it takes to
//! find the leaves of smallest cost, and keeps nothing between calls.
//!
//! It may have to go through a whole book, so of what is done with it keeps only how it came there and
//! what that gives away.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::board::{Key, Placed, Side, Square};
use crate::book::regret::{Judge, Regret};
use crate::book::{
    Held, Link, Node, NodeSource, child_of, holding_record, is_best_move, line_from, raising_depth,
};
use crate::search::Selectivity;

use super::{Leaf, Reason, Request};

/// A node that is entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// The node.
    pub(super) node: Node,
    /// Who moves there.
    pub(super) side: Side,
}

/// A way to a node.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The node at its end.
    key: Key,
    /// Who moves there.
    side: Side,
    /// What it gives away.
    regret: Regret,
    /// Moves from the root.
    ply: u8,
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

/// Something to be searched at the end of a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    /// What is to be searched: the node, or a position that is to be added.
    pub(super) key: Key,
    /// Why.
    pub(super) reason: Reason,
    /// A move from the way's node that belongs to it, in the node's orientation.
    pub(super) square: Option<Square>,
    /// The position after that move.
    pub(super) child: Option<Key>,
    /// What that move gives away, in centidiscs.
    pub(super) more: i32,
    /// What it costs beyond its line, in centidiscs.
    pub(super) surcharge: i32,
    /// It is to be searched at least so deep, in plies, and with this confidence.
    pub(super) least: Option<(u8, Selectivity)>,
}

impl Offer {
    /// Something about a position itself, at the price of the line to it.
    pub(super) fn of(key: Key, reason: Reason) -> Self {
        Self { key, reason, square: None, child: None, more: 0, surcharge: 0, least: None }
    }
}

/// An offer that was the cheapest.
#[derive(Clone, Copy, Debug)]
struct Found {
    offer: Offer,
    /// The way that it is at the end of.
    way: u32,
    /// What it costs, in centidiscs.
    cost: i32,
}

/// What a policy sees in a node.
pub(super) trait Offers<S: NodeSource + ?Sized> {
    /// Adds what is to be searched at a node.
    fn of(&self, book: &S, at: &Arrival, offers: &mut Vec<Offer>) -> Result<(), S::Error>;

    /// Whether links that are held are offered, to be searched so deep that they count.
    fn raises(&self) -> bool {
        false
    }

    /// Whether nodes of which it is proven who wins are gone through: nothing below changes that.
    fn enters_decided(&self) -> bool {
        false
    }
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

/// The search.
pub(super) struct Frontier<'a, S: NodeSource + ?Sized, O> {
    book: &'a S,
    request: &'a Request<'a>,
    offers: O,
    /// Added for each ply, in centidiscs.
    penalty: i32,
    ways: Vec<Way>,
    /// The nodes that ways in the heap lead to, so that they are read once.
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
    pub(super) fn new(book: &'a S, request: &'a Request<'a>, penalty: i32, offers: O) -> Self {
        Self {
            book,
            request,
            offers,
            penalty,
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
        let count = self.request.count;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.push_roots()?;
        while self.found.len() < count && !self.request.give_up.is_due() && self.step()? {}
        Ok(self.leaves())
    }

    /// Of all within the limits those that `rank` puts first, as many as are asked for; of equals the
    /// cheapest. No more than twice as many are held at once. Nothing when it is given up: what comes
    /// first is known at the end.
    pub(super) fn run_through<K: Ord>(
        mut self,
        rank: impl Fn(&Offer) -> K,
    ) -> Result<Vec<Leaf>, S::Error> {
        let count = self.request.count;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.push_roots()?;
        loop {
            if self.request.give_up.is_due() {
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
        let roots = self.request.roots;
        for (index, &Placed { position, side }) in roots.iter().enumerate() {
            let Some(node) = self.book.node(&Key::of(position))? else { continue };
            let (regret, before) = (Regret::default(), Before::Root(index as u32));
            self.push_way(Way { key: node.key, side, regret, ply: 0, before }, node);
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

    fn cost(&self, regret: Regret, ply: u8) -> i32 {
        regret.total() + self.penalty * i32::from(ply)
    }

    fn is_closed(&self, node: &Node) -> bool {
        (node.values.is_decided() && !self.offers.enters_decided()) || node.values.is_exact()
    }

    fn push_way(&mut self, way: Way, node: Node) {
        let cost = self.cost(way.regret, way.ply);
        let index = self.ways.len() as u32;
        self.heap.push(Reverse((cost, way.key, Kind::Way, index)));
        self.ahead.insert(way.key, node);
        self.ways.push(way);
    }

    /// Enters a node by a way: what is offered there and its links are next.
    fn enter(&mut self, index: u32) -> Result<(), S::Error> {
        let Way { key, side, regret, ply, .. } = self.ways[index as usize];
        if self.is_no_better(&key, side, regret) {
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
        if self.is_closed(&node) {
            return Ok(());
        }
        self.push_offers(index, &Arrival { node, side })?;
        let children = self.children(&node, side, regret)?;
        if self.offers.raises() && node.record.is_some() {
            self.push_raises(index, &node, side, &children)?;
        }
        for (link, child) in children {
            // Into what is decided a way leads only for a search that is due there.
            if self.is_closed(&child) && !child.is_incomplete() {
                continue;
            }
            let Request { limits, judge, .. } = *self.request;
            let more = judge.of_move(node.values, link.worth(child.values), side);
            let next = Way {
                key: child.key,
                side: after(side, link),
                regret: regret.and(side, more),
                ply: ply + 1,
                before: Before::Way(index, link.square),
            };
            let is_late = self.is_no_better(&next.key, next.side, next.regret);
            if !is_late && limits.allow_move(side, more) && limits.allow(next.regret) {
                self.push_way(next, child);
            }
        }
        Ok(())
    }

    /// The links of a node with what they lead to, of symmetric ones the first. In a book most moves
    /// lead to what was entered before: unless something is gained by entering it anew, from a node by
    /// a way of this regret, it is not read again.
    fn children(
        &self,
        node: &Node,
        side: Side,
        regret: Regret,
    ) -> Result<Vec<(Link, Node)>, S::Error> {
        let mut links: Vec<Link> = Vec::new();
        for link in node.children() {
            let is_known = links.iter().any(|known| known.child == link.child);
            if !is_known && !self.is_no_better(&link.child, after(side, link), regret) {
                links.push(link);
            }
        }
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

    /// Whether a node was entered by a way that is at least as good. One that was cheaper need not be:
    /// from a root that is nearer it may have given more away.
    fn is_no_better(&self, key: &Key, side: Side, regret: Regret) -> bool {
        let Request { limits, judge, .. } = *self.request;
        let tells_sides = limits.tell_sides() || judge.contempt.is_some();
        self.entered.ways(key).any(|known| {
            let known = self.ways[known as usize];
            (known.side == side || !tells_sides) && limits.is_no_worse(known.regret, regret)
        })
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
        let mut held: Option<Held> = None;
        for &(link, ref child) in children {
            if child.is_incomplete() || self.is_closed(child) {
                continue;
            }
            let held = match &mut held {
                Some(held) => held,
                none => none.insert(self.book.held(node)?),
            };
            let Some(record) = holding_record(node, held, link, child) else { continue };
            let Some(least) = raising_depth(self.book, node, &record, child)? else { continue };
            let worth = match is_best_move(node.key, &record, link.child) {
                true => record.rest.values(),
                false => link.worth(child.values),
            };
            let more = self.request.judge.of_move(node.values, worth, side);
            self.push_offer(
                index,
                Offer {
                    square: Some(link.square),
                    more,
                    least: Some(least),
                    ..Offer::of(link.child, Reason::Raise)
                },
            );
        }
        Ok(())
    }

    /// What a search costs beyond one as deep as growth searches: a ply costs as much as one of a line.
    fn deeper(&self, offer: &Offer) -> i32 {
        let Some((depth, _)) = offer.least else { return 0 };
        let empties = offer.key.position().empties();
        let usual = self.request.depth.limits(empties).depth.min(empties);
        self.penalty.saturating_mul(i32::from(depth.saturating_sub(usual)))
    }

    /// Puts an offer at the end of a way into the heap, unless it is out of bounds.
    fn push_offer(&mut self, index: u32, offer: Offer) {
        let way = self.ways[index as usize];
        let Request { limits, max_discs, .. } = *self.request;
        let regret = way.regret.and(way.side, offer.more);
        let too_late = match offer.reason {
            Reason::Expand | Reason::Add => max_discs.is_some_and(|most| way.key.discs() >= most),
            Reason::Deepen => !self.request.deepens(way.key),
            Reason::Solve => max_discs.is_some_and(|most| way.key.discs() > most),
            Reason::Due | Reason::NoMove | Reason::Raise => false,
        };
        if too_late || !limits.allow_move(way.side, offer.more) || !limits.allow(regret) {
            return;
        }
        let more = offer.surcharge.saturating_add(self.deeper(&offer));
        let cost = self.cost(regret, way.ply).saturating_add(more);
        let number = self.offers_made;
        self.offers_made += 1;
        self.heap.push(Reverse((cost, offer.key, Kind::Offer, number)));
        self.offered.insert(number, (offer, index));
    }

    /// Keeps an offer, unless what it is about is being searched or was found already.
    fn take_offer(&mut self, number: u32, cost: i32) {
        let Some((offer, way)) = self.offered.remove(&number) else { return };
        let busy = |key: &Key| self.request.in_flight.contains(key) || self.given.contains(key);
        if busy(&offer.key) || offer.child.as_ref().is_some_and(busy) {
            return;
        }
        self.given.insert(offer.key);
        self.given.extend(offer.child);
        self.found.push(Found { offer, way, cost });
    }

    /// What was found, each with its line.
    fn leaves(&self) -> Vec<Leaf> {
        let leaf = |&Found { offer, way: index, cost }: &Found| {
            let way = self.ways[index as usize];
            let (root, line, rest_square) = self.line(index, offer.square);
            Leaf {
                key: offer.key,
                rest: offer.square,
                child: offer.child,
                reason: offer.reason,
                root: Some(root),
                line,
                rest_square,
                regret: way.regret.and(way.side, offer.more),
                least: offer.least,
                priority: cost,
            }
        };
        self.found.iter().map(leaf).collect()
    }

    /// The number of a way's root, and its moves and one more, in the root's orientation.
    fn line(&self, index: u32, last: Option<Square>) -> (usize, Vec<Square>, Option<Square>) {
        let mut moves: Vec<Square> = last.into_iter().collect();
        let mut at = index;
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
        let mut line = line_from(self.request.roots[root].position, moves);
        let last = last.and_then(|_| line.pop());
        (root, line, last)
    }
}

/// Who moves after a link.
const fn after(side: Side, link: Link) -> Side {
    if link.same_side { side } else { side.other() }
}

/// The rest of a node, to be expanded or searched for its move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rests(pub(super) Judge);

impl<S: NodeSource + ?Sized> Offers<S> for Rests {
    fn of(&self, _: &S, at: &Arrival, offers: &mut Vec<Offer>) -> Result<(), S::Error> {
        let node = &at.node;
        let Some(rest) = node.rest() else { return Ok(()) };
        let values = rest.values();
        if values.is_decided() {
            return Ok(());
        }
        let more = self.0.of_move(node.values, values, at.side);
        let (reason, child) = match rest.square {
            None => (Reason::NoMove, None),
            Some(square) => {
                // A move that ends the game has nothing behind it, and one that is held is raised.
                let child = child_of(node.key.position(), square);
                let Some((child, _)) = child.filter(|_| !node.is_link(square)) else {
                    return Ok(());
                };
                (Reason::Expand, Some(child))
            }
        };
        let least = Some((node.searched.depth, node.searched.selectivity));
        offers.push(Offer {
            square: rest.square,
            child,
            more,
            least,
            ..Offer::of(node.key, reason)
        });
        Ok(())
    }

    fn raises(&self) -> bool {
        true
    }
}
