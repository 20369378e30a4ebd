//! Ways repaired where nodes have changed.

use std::collections::BTreeSet;

use super::shared::print;
use super::tree::NONE;
use super::walk::Walk;
use crate::openbook::policy::request::Reason;
use crate::openbook::policy::rules::{Coming, Offers, Raises, after, is_closed, is_entered};
use crate::openbook::propagate::parent_keys;
use crate::openbook::{Link, Node, NodeSource};
use crate::othello::board::{Key, Square};

/// Where more than one in so many of the ways that were entered, and some more, would have to be gone anew, all
/// are: that is quicker.
const PART: usize = 4;
/// The ways beside that part.
const FEW: usize = 1000;

impl<S: NodeSource + ?Sized, O: Offers<S>> Walk<'_, S, O> {
    /// Repairs what hangs on nodes that have changed; false where it is quicker to begin anew.
    pub(super) fn mend(&mut self, changed: Vec<Key>) -> Result<bool, S::Error> {
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

    /// Repairs the ways to a node, what is offered about it, and what hangs on it.
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

    /// Repairs the ways to a node from those that were entered before it.
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

    /// Repairs what links to a node offer that are held.
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

    /// Repairs what a link of a node, which a way has entered, offers.
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
}
