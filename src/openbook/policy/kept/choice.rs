//! What is kept of each node, put right where nodes have changed.

use std::collections::BTreeSet;

use super::fold::{CLOSED, Edge, Fold, Offered, State};
use super::shared::print;
use crate::openbook::policy::request::Reason;
use crate::openbook::policy::rules::{
    Arrival, Coming, Offer, Offers, Raise, Raises, Rules, after, is_closed, is_entered, is_raised,
};
use crate::openbook::propagate::parent_keys;
use crate::openbook::regret::Regret;
use crate::openbook::{Link, Node, NodeSource, child_of};
use crate::othello::board::{Key, Side};

pub(super) struct Choice<'a, S: NodeSource + ?Sized, O> {
    pub(super) book: &'a S,
    pub(super) rules: Rules<'a>,
    pub(super) offers: &'a O,
    pub(super) fold: Box<Fold>,
}

impl<S: NodeSource + ?Sized, O: Offers<S>> Choice<'_, S, O> {
    /// Adds nodes that have changed.
    pub(super) fn mend(&mut self, changed: Vec<Key>) -> Result<(), S::Error> {
        let changed: BTreeSet<Key> = changed.into_iter().collect();
        for &key in &changed {
            let node = self.book.node(&key)?;
            self.mend_node(key, node.as_ref())?;
            if !self.fold.watched.is_empty() {
                for parent in parent_keys(key.position()) {
                    if self.fold.watched.remove(&parent) {
                        let node = self.book.node(&parent)?;
                        self.mend_node(parent, node.as_ref())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn mend_node(&mut self, key: Key, node: Option<&Node>) -> Result<(), S::Error> {
        for is_white in [false, true] {
            let Some(&index) = self.fold.by_key.get(&(key, is_white)) else { continue };
            for number in 0..self.fold.at(index).parents.len() {
                let parent = self.fold.at(index).parents[number];
                self.mend_edge(parent, index, node)?;
            }
            // What is kept beside the row is not in the print.
            let State { is_open, print: before, .. } = *self.fold.at(index);
            if is_open && node.is_none_or(|node| node.more || print(node) != before) {
                self.expand(index, node)?;
            }
        }
        Ok(())
    }

    /// Puts a move right that leads to a node which has changed.
    fn mend_edge(
        &mut self,
        index: u32,
        child: u32,
        child_node: Option<&Node>,
    ) -> Result<(), S::Error> {
        let State { key, side, .. } = *self.fold.at(index);
        let Some(by) = self.fold.at(index).edges.iter().position(|edge| edge.child == child) else {
            return Ok(());
        };
        let square = self.fold.at(index).edges[by].square;
        let (Some(node), Some((child, same_side))) =
            (self.book.node(&key)?, child_of(key.position(), square))
        else {
            return Ok(());
        };
        let link = Link { square, child, same_side };
        let more = child_node.map_or(CLOSED, |child| self.more(&node, side, link, child));
        let edge = &mut self.fold.at_mut(index).edges[by];
        if std::mem::replace(&mut edge.more, more) != more {
            self.fold.mark(index);
        }
        if !self.offers.raises() {
            return Ok(());
        }
        let is_about = |it: &Offered| it.offer.reason == Reason::Raise && it.offer.key == child;
        let offers = &mut self.fold.at_mut(index).offers;
        let before = offers.len();
        offers.retain(|it| !is_about(it));
        let dropped = before - offers.len();
        if dropped > 0 {
            self.fold.lists = self.fold.lists.saturating_sub(dropped * size_of::<Offered>());
            self.fold.touch(index);
        }
        if let Some(child) = child_node
            && node.record.is_some()
            && !is_closed(self.offers, &node)
        {
            let mut raises = Raises::of(self.book, &node, side, self.rules.request.judge);
            self.push_raise(index, &mut raises, link, child)?;
        }
        Ok(())
    }

    /// What a move gives away; one that is out of bounds, or leads where nothing is to be done, is closed.
    fn more(&self, node: &Node, side: Side, link: Link, child: &Node) -> i32 {
        if is_closed(self.offers, node) || !is_entered(self.offers, child) {
            return CLOSED;
        }
        let at = Coming { side, regret: Regret::default(), ply: 0 };
        let next = self.rules.onward(at, node, link, child);
        next.map_or(CLOSED, |next| next.regret.total())
    }

    fn push_offer(&mut self, index: u32, offer: Offer) {
        let State { key, side, .. } = *self.fold.at(index);
        let at = Coming { side, regret: Regret::default(), ply: 0 };
        if let Some(extra) = self.rules.price(key, at, &offer) {
            self.fold.at_mut(index).offers.push(Offered { offer, extra, is_aside: false });
            self.fold.lists += size_of::<Offered>();
            self.fold.touch(index);
        }
    }

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
                Raise::Held => drop(self.fold.watched.insert(child.key)),
                Raise::Counts => {}
            }
        }
        Ok(())
    }

    /// Looks into a node: what is offered there, and where its moves lead.
    pub(super) fn expand(&mut self, index: u32, node: Option<&Node>) -> Result<(), S::Error> {
        let state = self.fold.at_mut(index);
        let edges = std::mem::take(&mut state.edges);
        let offers = std::mem::take(&mut state.offers);
        state.is_open = true;
        state.print = node.map_or(0, print);
        let (key, side) = (state.key, state.side);
        for edge in &edges {
            let parents = &mut self.fold.at_mut(edge.child).parents;
            if let Some(number) = parents.iter().position(|&parent| parent == index) {
                parents.swap_remove(number);
            }
        }
        let each = size_of::<Edge>() + size_of::<u32>();
        self.fold.lists = self
            .fold
            .lists
            .saturating_sub(edges.len() * each + offers.len() * size_of::<Offered>());
        self.fold.touch(index);
        let Some(node) = node else { return Ok(()) };
        if node.is_incomplete() {
            self.push_offer(index, Offer::of(key, Reason::Due));
        }
        if is_closed(self.offers, node) {
            return Ok(());
        }
        let mut fresh = Vec::new();
        self.offers.of(self.book, &Arrival { node: *node, side }, &mut fresh)?;
        fresh.into_iter().for_each(|offer| self.push_offer(index, offer));
        let links = node.children_once();
        let keys: Vec<Key> = links.iter().map(|link| link.child).collect();
        let read = self.book.nodes(&keys)?;
        let mut raises = Raises::of(self.book, node, side, self.rules.request.judge);
        let mut edges = Vec::with_capacity(links.len());
        for (link, child) in links.into_iter().zip(&read) {
            let Some(child) = child else { continue };
            if self.offers.raises() && node.record.is_some() {
                self.push_raise(index, &mut raises, link, child)?;
            }
            let more = self.more(node, side, link, child);
            let child = self.fold.state(child.key, after(side, link), self.rules);
            self.fold.at_mut(child).parents.push(index);
            let Link { square, same_side, .. } = link;
            edges.push(Edge { child, more, square, same_side });
        }
        self.fold.lists += edges.len() * each;
        self.fold.at_mut(index).edges = edges;
        Ok(())
    }

    /// Puts what is not being searched any more back among what may be found.
    pub(super) fn put_back(&mut self) {
        let busy = |key: &Key| self.rules.request.in_flight.contains(key);
        let mut aside = std::mem::take(&mut self.fold.aside);
        aside.retain(|&(index, key, reason)| {
            let is_it =
                |it: &&mut Offered| it.is_aside && (it.offer.key, it.offer.reason) == (key, reason);
            let Some(offered) = self.fold.at_mut(index).offers.iter_mut().find(is_it) else {
                return false;
            };
            let stays = busy(&key) || offered.offer.child.as_ref().is_some_and(busy);
            if !stays {
                offered.is_aside = false;
                self.fold.touch(index);
            }
            stays
        });
        self.fold.aside = aside;
    }
}
