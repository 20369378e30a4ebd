//! What a way through a book costs, how it goes on, and what is to be searched at its end: the rules of
//! every search for what is cheapest.

use crate::openbook::regret::{Judge, Regret};
use crate::openbook::{
    Held, Link, Node, NodeSource, child_of, holding_record, is_best_move, line_from, raising_depth,
};
use crate::othello::board::{Key, Side, Square};
use crate::othello::search::Selectivity;

use super::request::{Leaf, Reason, Request};

/// A node that is entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) node: Node,
    /// The side to move there.
    pub(super) side: Side,
}

/// Something to be searched at the end of a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    /// What is to be searched: the node, or a position that is to be added.
    pub(super) key: Key,
    pub(super) reason: Reason,
    /// A move from the way's node that belongs to it, in the node's orientation.
    pub(super) square: Option<Square>,
    /// The position after that move.
    pub(super) child: Option<Key>,
    /// What that move gives away, in centidiscs.
    pub(super) more: i32,
    /// What it costs beyond its line, in centidiscs.
    pub(super) surcharge: i32,
    /// It is to be searched at least so deep, in plies, and with this selectivity.
    pub(super) least: Option<(u8, Selectivity)>,
}

impl Offer {
    /// Something about a position itself, at the price of the line to it.
    pub(super) fn of(key: Key, reason: Reason) -> Self {
        Self { key, reason, square: None, child: None, more: 0, surcharge: 0, least: None }
    }

    /// As it is handed out: at the end of a way of these moves from a root by number, each in the orientation of its
    /// node, where this side moves, with what the way gives away and what all costs.
    pub(super) fn leaf(
        self,
        request: &Request<'_>,
        (root, mut moves): (usize, Vec<Square>),
        (side, regret): (Side, Regret),
        cost: i32,
    ) -> Leaf {
        moves.extend(self.square);
        let mut line = line_from(request.roots[root].position, moves);
        let rest_square = self.square.and_then(|_| line.pop());
        Leaf {
            key: self.key,
            rest: self.square,
            child: self.child,
            reason: self.reason,
            root: Some(root),
            line,
            rest_square,
            regret: regret.and(side, self.more),
            least: self.least,
            priority: cost,
        }
    }
}

/// What a policy sees in a node.
pub(super) trait Offers<S: NodeSource + ?Sized> {
    /// Adds what is to be searched at a node.
    fn of(&self, book: &S, at: &Arrival, offers: &mut Vec<Offer>) -> Result<(), S::Error>;

    /// Whether links that are held are offered, to be searched so deep that they count.
    fn raises(&self) -> bool {
        false
    }

    /// Whether nodes with a proven winner are gone through: nothing below changes that.
    fn enters_decided(&self) -> bool {
        false
    }
}

/// How a way comes to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Coming {
    /// The side to move there.
    pub(super) side: Side,
    /// What it gives away.
    pub(super) regret: Regret,
    /// Moves from the root.
    pub(super) ply: u8,
}

/// What is asked for, with the price of a ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'a> {
    pub(super) request: &'a Request<'a>,
    /// Added for each ply, in centidiscs.
    pub(super) penalty: i32,
}

impl Rules<'_> {
    /// What a way costs, in centidiscs.
    pub(super) fn cost(&self, way: Coming) -> i32 {
        way.regret.total() + self.penalty * i32::from(way.ply)
    }

    /// Whether a way can go on wherever another one to the same node can, and costs no more. One that was
    /// cheaper need not be: from a root that is nearer it may have given more away.
    pub(super) fn is_no_worse(&self, way: Coming, side: Side, regret: Regret) -> bool {
        (way.side == side || !self.tells_sides())
            && self.request.limits.is_no_worse(way.regret, regret)
    }

    /// Whether the side to move at the end of a way matters.
    pub(super) fn tells_sides(&self) -> bool {
        self.request.limits.tell_sides() || self.request.judge.contempt.is_some()
    }

    /// A way by one more move, from a node by a link to what it leads to; none where it is out of bounds.
    pub(super) fn onward(
        &self,
        way: Coming,
        node: &Node,
        link: Link,
        child: &Node,
    ) -> Option<Coming> {
        let Request { limits, judge, .. } = *self.request;
        let more = judge.of_move(node.values, link.worth(child.values), way.side);
        let regret = way.regret.and(way.side, more);
        let is_allowed = limits.allow_move(way.side, more) && limits.allow(regret);
        is_allowed.then_some(Coming { side: after(way.side, link), regret, ply: way.ply + 1 })
    }

    /// What an offer costs at the end of a way to a node, in centidiscs; none where it is out of bounds.
    pub(super) fn price(&self, key: Key, way: Coming, offer: &Offer) -> Option<i32> {
        let Request { limits, max_discs, .. } = *self.request;
        let regret = way.regret.and(way.side, offer.more);
        let too_late = match offer.reason {
            Reason::Expand | Reason::Add => max_discs.is_some_and(|most| key.discs() >= most),
            Reason::Deepen => !self.request.deepens(key),
            Reason::Solve => max_discs.is_some_and(|most| key.discs() > most),
            Reason::Due | Reason::NoMove | Reason::Raise => false,
        };
        if too_late || !limits.allow_move(way.side, offer.more) || !limits.allow(regret) {
            return None;
        }
        let more = offer.surcharge.saturating_add(self.deeper(offer));
        Some(self.cost(Coming { regret, ..way }).saturating_add(more))
    }

    /// What a search costs beyond one as deep as growth searches: a ply costs as much as one of a line.
    fn deeper(&self, offer: &Offer) -> i32 {
        let Some((depth, _)) = offer.least else { return 0 };
        let empties = offer.key.position().empties();
        let usual = self.request.depth.limits(empties).depth.min(empties);
        self.penalty.saturating_mul(i32::from(depth.saturating_sub(usual)))
    }
}

/// Whether nothing below a node matters to a policy.
pub(super) fn is_closed<S: NodeSource + ?Sized>(offers: &impl Offers<S>, node: &Node) -> bool {
    (node.values.is_decided() && !offers.enters_decided()) || node.values.is_exact()
}

/// Whether a way leads into a node: into one that is closed only for a search that is due there.
pub(super) fn is_entered<S: NodeSource + ?Sized>(offers: &impl Offers<S>, node: &Node) -> bool {
    !is_closed(offers, node) || node.is_incomplete()
}

/// Whether a link to a node may be held and offered.
pub(super) fn is_raised<S: NodeSource + ?Sized>(offers: &impl Offers<S>, child: &Node) -> bool {
    !child.is_incomplete() && !is_closed(offers, child)
}

/// What is to be searched to make links of a node count.
pub(super) struct Raises<'a, S: ?Sized> {
    book: &'a S,
    node: &'a Node,
    side: Side,
    judge: Judge,
    held: Option<Held>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Raise {
    Counts,
    /// It is held, and no search changes that.
    Held,
    /// It is held, and this is to be searched.
    Wanted(Offer),
}

impl<'a, S: NodeSource + ?Sized> Raises<'a, S> {
    /// Of a node in which this side moves.
    pub(super) const fn of(book: &'a S, node: &'a Node, side: Side, judge: Judge) -> Self {
        Self { book, node, side, judge, held: None }
    }

    /// Of a link to this child, which must be [raised](is_raised).
    pub(super) fn of_link(&mut self, link: Link, child: &Node) -> Result<Raise, S::Error> {
        let node = self.node;
        let held = match &mut self.held {
            Some(held) => held,
            none => none.insert(self.book.held(node)?),
        };
        let Some(record) = holding_record(node, held, link, child) else {
            return Ok(Raise::Counts);
        };
        let Some(least) = raising_depth(self.book, node, &record, child)? else {
            return Ok(Raise::Held);
        };
        let worth = match is_best_move(node.key, &record, link.child) {
            true => record.rest.values(),
            false => link.worth(child.values),
        };
        let more = self.judge.of_move(node.values, worth, self.side);
        Ok(Raise::Wanted(Offer {
            square: Some(link.square),
            more,
            least: Some(least),
            ..Offer::of(link.child, Reason::Raise)
        }))
    }
}

/// The side to move after a link.
pub(super) const fn after(side: Side, link: Link) -> Side {
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
