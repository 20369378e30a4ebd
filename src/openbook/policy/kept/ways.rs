//! A choice: ways from the roots, those first that could end cheapest by what is cheapest below each node.
//!
//! Where no limit holds for whole lines that is where they end, and a choice is a walk down. Where one does, what is
//! cheapest below may be out of reach, and the next best way is gone.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use foldhash::fast::FixedState;

use super::choice::Choice;
use super::fold::{CLOSED, Cheapest, HERE, Rank, State, UNOPENED};
use crate::openbook::NodeSource;
use crate::openbook::policy::request::{Leaf, Reason, Request};
use crate::openbook::policy::rules::{Coming, Offer, Offers};
use crate::openbook::regret::Regret;
use crate::othello::board::{Key, Square};

/// A way from a root to a node.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The node at its end, as the fold numbers it.
    node: u32,
    at: Coming,
    /// The way that it goes on from and the last move, in the orientation of the node before.
    before: Option<(u32, Square)>,
    /// The number of its root.
    root: usize,
}

/// Stands for what is at the end of a way and beyond, and waits nowhere else.
const ALL: u8 = u8::MAX;

/// What waits: what it costs at least, in which order the walk comes to what costs the same, the way, and the offer
/// at its end or [`ALL`].
type Entry = Reverse<(i32, Option<Rank>, u32, u8)>;

/// The ways of one choice.
#[derive(Default)]
pub(super) struct Ways {
    ways: Vec<Way>,
    heap: BinaryHeap<Entry>,
    /// The ways that have gone on from a node.
    gone_on: HashMap<u32, Vec<u32>, FixedState>,
    found: Vec<Leaf>,
    given: HashSet<Key, FixedState>,
}

/// What a way may cost and give away to be no worse than another one.
#[derive(Clone, Copy)]
struct Most {
    cost: i32,
    total: i32,
    black: i32,
    white: i32,
}

impl Most {
    const fn is_within(self, other: Self) -> bool {
        self.cost <= other.cost
            && self.total <= other.total
            && self.black <= other.black
            && self.white <= other.white
    }
}

impl<S: NodeSource + ?Sized, O: Offers<S>> Choice<'_, S, O> {
    /// The cheapest, as many as are asked for; none where that would take more than so many bytes.
    pub(super) fn choose(&mut self, most_bytes: usize) -> Result<Option<Vec<Leaf>>, S::Error> {
        let request = self.rules.request;
        self.put_back();
        self.fold.settle(self.rules.penalty);
        let mut ways = Ways::default();
        for (root, (placed, &node)) in request.roots.iter().zip(&self.fold.roots).enumerate() {
            let at = Coming { side: placed.side, regret: Regret::default(), ply: 0 };
            ways.push(self, Way { node, at, before: None, root });
        }
        if self.is_straight() {
            return self.choose_straight(ways, most_bytes);
        }
        while ways.found.len() < request.count
            && !request.give_up.is_due()
            && let Some(Reverse((cost, _, index, number))) = ways.heap.pop()
        {
            if number != ALL {
                self.take_offer(&mut ways, index, number, cost);
                continue;
            }
            let way = ways.ways[index as usize];
            if !self.fold.at(way.node).is_open && !self.open(way.node, most_bytes)? {
                return Ok(None);
            }
            // What is cheapest there may cost more by now.
            match self.least(&way) {
                Some(now) if now > cost => ways.heap.push(Reverse((now, None, index, ALL))),
                Some(_) => self.go_on(&mut ways, index, cost),
                None => {}
            }
        }
        self.fold.settle(self.rules.penalty);
        Ok(Some(ways.found))
    }

    /// Whether what is cheapest below a node, of what the way there leaves within bounds, can be had.
    fn is_straight(&self) -> bool {
        let Request { roots, limits, .. } = self.rules.request;
        roots.len() == 1 && !limits.line_loss.is_set()
    }

    /// As [`Self::choose`], where one way alone has to be gone for each.
    fn choose_straight(
        &mut self,
        mut ways: Ways,
        most_bytes: usize,
    ) -> Result<Option<Vec<Leaf>>, S::Error> {
        let request = self.rules.request;
        while ways.found.len() < request.count
            && !request.give_up.is_due()
            && let Some(root) = ways.ways.first()
            && let Some(cheapest) = self.within(root).copied()
        {
            let cost = cheapest.cost.saturating_add(self.rules.cost(root.at));
            ways.ways.truncate(1);
            if cheapest.offer == UNOPENED {
                if !self.open(cheapest.at, most_bytes)? {
                    return Ok(None);
                }
                continue;
            }
            let mut last = 0;
            while let Some(&Cheapest { by, .. }) = self.within(&ways.ways[last as usize])
                && by != HERE
            {
                let way = self.onward(&ways.ways[last as usize], last, by);
                last = ways.ways.len() as u32;
                ways.ways.push(way);
            }
            self.take_offer(&mut ways, last, cheapest.offer, cost);
        }
        self.fold.settle(self.rules.penalty);
        Ok(Some(ways.found))
    }

    /// Looks into a node; false where that takes more than so many bytes.
    fn open(&mut self, index: u32, most_bytes: usize) -> Result<bool, S::Error> {
        let node = self.book.node(&self.fold.at(index).key)?;
        self.expand(index, node.as_ref())?;
        self.fold.settle(self.rules.penalty);
        Ok(self.fold.bytes() <= most_bytes)
    }

    /// The way by one more move.
    fn onward(&self, way: &Way, index: u32, by: u8) -> Way {
        let edge = &self.fold.at(way.node).edges[usize::from(by)];
        let Coming { side, regret, ply } = way.at;
        let next = if edge.same_side { side } else { side.other() };
        let at = Coming { side: next, regret: regret.and(side, edge.more), ply: ply + 1 };
        Way { node: edge.child, at, before: Some((index, edge.square)), root: way.root }
    }

    /// What is cheapest at the end of a way and beyond, as far as both sides together may give so much away.
    fn within(&self, way: &Way) -> Option<&Cheapest> {
        let left = self.rules.request.limits.total.map(|most| most - way.at.regret.total());
        self.fold.at(way.node).all().find(|it| left.is_none_or(|left| it.regret <= left))
    }

    /// What a way costs at least to the cheapest at its end and beyond; none where nothing is left there.
    fn least(&self, way: &Way) -> Option<i32> {
        let cheapest = self.within(way)?;
        Some(cheapest.cost.saturating_add(self.rules.cost(way.at)))
    }

    /// What is at the end of a way and beyond for this cost waits from now on, each for itself, and the rest of it
    /// together.
    fn go_on(&self, ways: &mut Ways, index: u32, cost: i32) {
        let way = ways.ways[index as usize];
        let Way { node, at, .. } = way;
        let of_way = self.rules.cost(at);
        let gone_on = ways.gone_on.entry(node).or_default();
        if !gone_on.contains(&index) {
            let is_covered = |&known: &u32| {
                let known = ways.ways[known as usize].at;
                self.rules.is_no_worse(known, at.side, at.regret)
                    && self.rules.cost(known) <= of_way
            };
            if gone_on.iter().any(is_covered) {
                return;
            }
            gone_on.push(index);
        }
        let State { edges, offers, .. } = self.fold.at(node);
        let limits = self.rules.request.limits;
        let mut later: Option<i32> = None;
        let mut is_now = |least: i32| {
            if least > cost {
                later = Some(later.map_or(least, |before| before.min(least)));
            }
            least == cost
        };
        for (number, offered) in (0..).zip(offers).filter(|(_, offered)| !offered.is_aside) {
            let extra = offered.extra;
            if limits.allow(at.regret.and(at.side, offered.offer.more))
                && is_now(of_way.saturating_add(extra))
            {
                let regret = offered.offer.more;
                let here = Cheapest { cost: extra, regret, at: node, offer: number, by: HERE };
                let rank = self.fold.rank(here);
                ways.heap.push(Reverse((cost, Some(rank), index, number)));
            }
        }
        for (by, _) in (0..).zip(edges).filter(|(_, edge)| edge.more != CLOSED) {
            let next = self.onward(&way, index, by);
            if limits.allow(next.at.regret) && self.least(&next).is_some_and(&mut is_now) {
                ways.push(self, next);
            }
        }
        if let Some(later) = later {
            ways.heap.push(Reverse((later, None, index, ALL)));
        }
    }

    /// Finds an offer, unless what it is about is being searched or was found already.
    fn take_offer(&mut self, ways: &mut Ways, index: u32, number: u8, cost: i32) {
        let way = ways.ways[index as usize];
        let offered = self.fold.at(way.node).offers[usize::from(number)];
        let offer = offered.offer;
        let is_passed_over = self.is_passed_over(&way, &offer);
        // Another way may be no worse than what the walk has entered before.
        if offered.is_aside || (is_passed_over && !self.is_straight()) {
            return;
        }
        let in_flight = self.rules.request.in_flight;
        let busy = |key: &Key| in_flight.contains(key) || ways.given.contains(key);
        let is_busy = busy(&offer.key) || offer.child.as_ref().is_some_and(busy);
        if !is_busy && !is_passed_over {
            ways.given.insert(offer.key);
            ways.given.extend(offer.child);
            let at = (way.at.side, way.at.regret);
            ways.found.push(offer.leaf(self.rules.request, ways.line(&way), at, cost));
        }
        self.fold.at_mut(way.node).offers[usize::from(number)].is_aside = true;
        self.fold.aside.push((way.node, offer.key, offer.reason));
        self.fold.touch(way.node);
        self.fold.settle(self.rules.penalty);
    }

    /// Whether the walk has entered the node behind a held link, by a way that is no worse, before it comes to the
    /// link at the end of this way: then it does not look at the link.
    fn is_passed_over(&self, way: &Way, offer: &Offer) -> bool {
        let State { key, edges, .. } = self.fold.at(way.node);
        if offer.reason != Reason::Raise {
            return false;
        }
        let limit = self.rules.request.limits.line_loss;
        let Regret { black, white } = way.at.regret;
        let cost = self.rules.cost(way.at);
        let most = Most {
            cost: if offer.key < *key { cost } else { cost - 1 },
            total: way.at.regret.total(),
            black: if limit.black.is_some() { black } else { i32::MAX },
            white: if limit.white.is_some() { white } else { i32::MAX },
        };
        let child = edges.iter().find(|edge| self.fold.at(edge.child).key == offer.key);
        child.is_some_and(|edge| self.is_reached(edge.child, most, &mut HashMap::default()))
    }

    /// Whether a way within bounds leads to a node. `failed` has what was tried.
    fn is_reached(
        &self,
        index: u32,
        most: Most,
        failed: &mut HashMap<u32, Vec<Most>, FixedState>,
    ) -> bool {
        if most.cost.min(most.total).min(most.black).min(most.white) < 0 {
            return false;
        }
        if self.fold.roots.contains(&index) {
            return true;
        }
        // There are as many moves to come from the nearest root.
        let discs = |&index: &u32| self.fold.at(index).key.discs();
        let nearest = self.fold.roots.iter().map(discs).max().unwrap_or_default();
        if most.cost < self.rules.penalty * i32::from(discs(&index).saturating_sub(nearest)) {
            return false;
        }
        if failed.get(&index).is_some_and(|tried| tried.iter().any(|&it| most.is_within(it))) {
            return false;
        }
        let is_reached = self.fold.at(index).parents.iter().any(|&parent| {
            let State { side, edges, .. } = self.fold.at(parent);
            let edge = edges.iter().find(|edge| edge.child == index && edge.more != CLOSED);
            edge.is_some_and(|edge| {
                let given = Regret::default().and(*side, edge.more);
                let most = Most {
                    cost: most.cost.saturating_sub(edge.more.saturating_add(self.rules.penalty)),
                    total: most.total - edge.more,
                    black: most.black - given.black,
                    white: most.white - given.white,
                };
                self.is_reached(parent, most, failed)
            })
        });
        if !is_reached {
            failed.entry(index).or_default().push(most);
        }
        is_reached
    }
}

impl Ways {
    /// A way waits, where anything is left beyond. What is known of comes first of what costs the same: the order
    /// in which the walk comes to that is known once each waits for itself.
    fn push<S: NodeSource + ?Sized, O: Offers<S>>(&mut self, choice: &Choice<'_, S, O>, way: Way) {
        let Some(least) = choice.least(&way) else { return };
        let State { cheapest, is_open, .. } = choice.fold.at(way.node);
        let rank = cheapest.filter(|_| !is_open).map(|cheapest| choice.fold.rank(cheapest));
        self.heap.push(Reverse((least, rank, self.ways.len() as u32, ALL)));
        self.ways.push(way);
    }

    /// The number of a way's root, and its moves.
    fn line(&self, way: &Way) -> (usize, Vec<Square>) {
        let before = |way: &(u32, Square)| self.ways[way.0 as usize].before;
        let mut moves: Vec<Square> =
            std::iter::successors(way.before, before).map(|(_, square)| square).collect();
        moves.reverse();
        (way.root, moves)
    }
}
