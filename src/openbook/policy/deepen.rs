//! The same book, searched deeper.

use std::cmp::Reverse;

use crate::openbook::{Node, NodeSource};
use crate::othello::search::{Level, Proof};

use super::frontier::Frontier;
use super::rules::{Arrival, Offer, Offers, Rules};
use super::{Leaf, Reason, Request, Whole};

/// Of so many that good players reach first the deepest come first.
const AT_ONCE: usize = 1024;

/// Searches every rest again that was searched less than a level asks for. What good players reach
/// comes first. It can be stopped and taken up at any time: what is done is known from the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deepen {
    /// The level that the book is raised to.
    pub level: Level,
}

impl Deepen {
    /// Whether a node was searched less than the level asks for.
    pub fn wants(&self, node: &Node) -> bool {
        let Some(rest) = node.rest() else { return false };
        // A proof cannot be bettered by an estimate.
        rest.proof == Proof::None && !node.searched.meets(self.level, node.key.position().empties())
    }
}

impl<S: NodeSource + ?Sized> Offers<S> for Deepen {
    fn of(&self, _: &S, at: &Arrival, offers: &mut Vec<Offer>) -> Result<(), S::Error> {
        if self.wants(&at.node) {
            let (key, reason) = (at.node.key, Reason::Deepen);
            offers.push(Offer::of(key, reason));
        }
        Ok(())
    }

    fn enters_decided(&self) -> bool {
        true
    }
}

impl Whole for Deepen {
    const LEAST: usize = AT_ONCE;

    fn rank<S: NodeSource + ?Sized>(
        self,
        book: &S,
        request: &Request<'_>,
    ) -> Result<Vec<Leaf>, S::Error> {
        let mut leaves = Frontier::new(book, Rules { request, penalty: 0 }, self).run()?;
        // The deepest first: what they are worth then counts for those above, which need no second search.
        for urgent in leaves.chunks_mut(AT_ONCE) {
            urgent.sort_by_key(|leaf| Reverse(leaf.key.discs()));
        }
        Ok(leaves)
    }
}
