//! Lazy best-first search from the roots of a request: it reads only as many nodes as it takes to
//! find the leaves of smallest cost, and keeps nothing between calls.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::board::{Key, Placed, Side, Square};
use crate::book::regret::{Judge, Regret};
use crate::book::{Node, NodeSource, ReadOnce, child_of, line_from};

use super::{Leaf, Reason, Request};

/// A way to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The node at its end.
    pub(super) node: Node,
    /// Who moves there.
    pub(super) side: Side,
    /// What it gives away.
    pub(super) regret: Regret,
    /// Moves from the root.
    pub(super) ply: u8,
    root: u32,
    /// The way before, and the move played there in that node's orientation.
    before: Option<(u32, Square)>,
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
}

impl Offer {
    /// Something about a position itself, at the price of the line to it.
    pub(super) fn of(key: Key, reason: Reason) -> Self {
        Self { key, reason, square: None, child: None, more: 0, surcharge: 0 }
    }
}

/// What a policy sees in a node.
pub(super) trait Offers<S: NodeSource + ?Sized> {
    /// Adds what is to be searched at the end of a way.
    fn of(&self, book: &S, way: &Way, offers: &mut Vec<Offer>) -> Result<(), S::Error>;

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

/// The search.
pub(super) struct Frontier<'a, S: NodeSource + ?Sized, O> {
    book: ReadOnce<'a, S>,
    request: &'a Request<'a>,
    offers: O,
    /// Added for each ply, in centidiscs.
    penalty: i32,
    ways: Vec<Way>,
    /// Each with the way that it is at the end of.
    offered: Vec<(Offer, u32)>,
    heap: BinaryHeap<Entry>,
    /// The ways by which each node was entered.
    entered: HashMap<Key, Vec<(Side, Regret)>, FixedState>,
    leaves: Vec<Leaf>,
    /// What the leaves are about.
    given: HashSet<Key, FixedState>,
    fresh: Vec<Offer>,
}

impl<'a, S: NodeSource + ?Sized, O: Offers<S>> Frontier<'a, S, O> {
    pub(super) fn new(book: &'a S, request: &'a Request<'a>, penalty: i32, offers: O) -> Self {
        Self {
            book: ReadOnce::new(book),
            request,
            offers,
            penalty,
            ways: Vec::new(),
            offered: Vec::new(),
            heap: BinaryHeap::new(),
            entered: HashMap::default(),
            leaves: Vec::new(),
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
        while self.leaves.len() < count && self.step()? {}
        Ok(self.leaves)
    }

    /// Of all within the limits those that `rank` puts first, as many as are asked for; of equals the
    /// cheapest. No more than twice as many are held at once.
    pub(super) fn run_through<K: Ord>(
        mut self,
        rank: impl Fn(&Leaf) -> K,
    ) -> Result<Vec<Leaf>, S::Error> {
        let count = self.request.count;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.push_roots()?;
        loop {
            let is_more = self.step()?;
            if !is_more || self.leaves.len() >= count.saturating_mul(2) {
                // Stable: what came first is cheaper.
                self.leaves.sort_by_key(&rank);
                self.leaves.truncate(count);
            }
            if !is_more {
                return Ok(self.leaves);
            }
        }
    }

    fn push_roots(&mut self) -> Result<(), S::Error> {
        let roots = self.request.roots;
        for (index, &Placed { position, side }) in roots.iter().enumerate() {
            let Some(node) = self.book.node(&Key::of(position))? else { continue };
            let regret = Regret::default();
            self.push_way(Way { node, side, regret, ply: 0, root: index as u32, before: None });
        }
        Ok(())
    }

    /// Takes the cheapest out of the heap; false when it is empty.
    fn step(&mut self) -> Result<bool, S::Error> {
        let Some(Reverse((cost, _, kind, index))) = self.heap.pop() else { return Ok(false) };
        match kind {
            Kind::Offer => self.give_out(index, cost),
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

    fn push_way(&mut self, way: Way) {
        let cost = self.cost(way.regret, way.ply);
        let index = self.ways.len() as u32;
        self.heap.push(Reverse((cost, way.node.key, Kind::Way, index)));
        self.ways.push(way);
    }

    /// Enters a node by a way: what is offered there and its links are next.
    fn enter(&mut self, index: u32) -> Result<(), S::Error> {
        let way = self.ways[index as usize];
        let Way { node, side, regret, ply, root, .. } = way;
        if self.is_no_better(&node.key, side, regret) {
            return Ok(());
        }
        self.entered.entry(node.key).or_default().push((side, regret));
        if node.is_incomplete() {
            let (key, reason) = (node.key, Reason::Due);
            self.push_offer(index, Offer::of(key, reason));
        }
        if self.is_closed(&node) {
            return Ok(());
        }
        self.push_offers(index, &way)?;
        for found in node.linked_moves(&self.book)? {
            let (Some(square), Some((child, same_side))) = (found.square, found.child) else {
                continue;
            };
            // Into what is decided a way leads only for a search that is due there.
            if self.is_closed(&child) && !child.is_incomplete() {
                continue;
            }
            let more = self.request.judge.of_move(node.values, found.values, side);
            let next = Way {
                node: child,
                side: if same_side { side } else { side.other() },
                regret: regret.and(side, more),
                ply: ply + 1,
                root,
                before: Some((index, square)),
            };
            let limits = self.request.limits;
            // In a book most moves lead to what was entered before: their ways need no memory.
            let is_late = self.is_no_better(&child.key, next.side, next.regret);
            if !is_late && limits.allow_move(more) && limits.allow(next.regret) {
                self.push_way(next);
            }
        }
        Ok(())
    }

    /// Whether a node was entered by a way that is at least as good.
    fn is_no_better(&self, key: &Key, side: Side, regret: Regret) -> bool {
        let by_side = self.request.limits.by_side();
        self.entered.get(key).into_iter().flatten().any(|&(known_side, known)| {
            !by_side
                || (known_side == side
                    && known.black <= regret.black
                    && known.white <= regret.white)
        })
    }

    fn push_offers(&mut self, index: u32, way: &Way) -> Result<(), S::Error> {
        let mut fresh = std::mem::take(&mut self.fresh);
        self.offers.of(self.book.source(), way, &mut fresh)?;
        for offer in fresh.drain(..) {
            self.push_offer(index, offer);
        }
        self.fresh = fresh;
        Ok(())
    }

    /// Puts an offer at the end of a way into the heap, unless it is out of bounds.
    fn push_offer(&mut self, index: u32, offer: Offer) {
        let way = &self.ways[index as usize];
        let Request { limits, max_discs, .. } = *self.request;
        let regret = way.regret.and(way.side, offer.more);
        let makes_a_node = matches!(offer.reason, Reason::Expand | Reason::Add);
        let too_late = makes_a_node && max_discs.is_some_and(|most| way.node.key.discs() >= most);
        if too_late || !limits.allow_move(offer.more) || !limits.allow(regret) {
            return;
        }
        let cost = self.cost(regret, way.ply) + offer.surcharge;
        let number = self.offered.len() as u32;
        self.heap.push(Reverse((cost, offer.key, Kind::Offer, number)));
        self.offered.push((offer, index));
    }

    /// Makes an offer a leaf, unless what it is about is being searched or given out already.
    fn give_out(&mut self, number: u32, priority: i32) {
        let (offer, index) = self.offered[number as usize];
        let Offer { key, reason, square, child, more, .. } = offer;
        let busy = |key: &Key| self.request.in_flight.contains(key) || self.given.contains(key);
        if busy(&key) || child.as_ref().is_some_and(busy) {
            return;
        }
        self.given.insert(key);
        self.given.extend(child);
        let way = self.ways[index as usize];
        let (line, rest_square) = self.line(index, square);
        self.leaves.push(Leaf {
            key,
            rest: square,
            child,
            reason,
            root: Some(way.root as usize),
            line,
            rest_square,
            regret: way.regret.and(way.side, more),
            priority,
        });
    }

    /// The moves of a way and one more, in the root's orientation.
    fn line(&self, index: u32, last: Option<Square>) -> (Vec<Square>, Option<Square>) {
        let mut moves: Vec<Square> = last.into_iter().collect();
        let mut at = index;
        while let Some((before, square)) = self.ways[at as usize].before {
            moves.push(square);
            at = before;
        }
        moves.reverse();
        let root = self.ways[index as usize].root as usize;
        let mut line = line_from(self.request.roots[root].position, moves);
        let last = last.and_then(|_| line.pop());
        (line, last)
    }
}

/// The rest of a node, to be expanded or searched for its move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rests(pub(super) Judge);

impl<S: NodeSource + ?Sized> Offers<S> for Rests {
    fn of(&self, _: &S, way: &Way, offers: &mut Vec<Offer>) -> Result<(), S::Error> {
        let node = &way.node;
        let (reason, square, child, more) = match node.rest {
            None => return Ok(()),
            Some(rest) => {
                let values = rest.values();
                if values.is_decided() {
                    return Ok(());
                }
                let more = self.0.of_move(node.values, values, way.side);
                match rest.square {
                    None => (Reason::NoMove, None, None, more),
                    Some(square) => {
                        // A move that ends the game has nothing behind it.
                        let child = child_of(node.key.position(), square);
                        let Some((child, _)) = child else { return Ok(()) };
                        (Reason::Expand, Some(square), Some(child), more)
                    }
                }
            }
        };
        offers.push(Offer { square, child, more, ..Offer::of(node.key, reason) });
        Ok(())
    }
}
