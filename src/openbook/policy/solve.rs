//! Probable values become proven ones, from the bottom up.

use std::cmp::Reverse;

use crate::openbook::NodeSource;
use crate::othello::search::Proof;

use super::frontier::Frontier;
use super::rules::{Arrival, Offer, Offers, Rules};
use super::{Leaf, Reason, Request, Whole};

/// Searches rests to the end that are not exact yet, the positions with most discs first: so a
/// proof rises as soon as all that it rests on is proven. The priority is the number of empties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solve {
    /// Positions with more empties are left alone.
    pub max_empties: u8,
}

impl<S: NodeSource + ?Sized> Offers<S> for Solve {
    fn of(&self, _: &S, at: &Arrival, offers: &mut Vec<Offer>) -> Result<(), S::Error> {
        let node = &at.node;
        let proven = node.rest().is_none_or(|rest| rest.proof == Proof::Exact);
        if !proven && node.key.position().empties() <= self.max_empties {
            let (key, reason) = (node.key, Reason::Solve);
            offers.push(Offer::of(key, reason));
        }
        Ok(())
    }

    fn enters_decided(&self) -> bool {
        true
    }
}

impl Whole for Solve {
    const LEAST: usize = 4096;
    const GOES_THROUGH_ALL: bool = true;
    const BY_CENTIDISCS: bool = false;

    fn rank<S: NodeSource + ?Sized>(
        self,
        book: &S,
        request: &Request<'_>,
    ) -> Result<Vec<Leaf>, S::Error> {
        let rank = |offer: &Offer| (offer.reason != Reason::Due, Reverse(offer.key.discs()));
        let mut leaves =
            Frontier::new(book, Rules { request, penalty: 0 }, self).run_through(rank)?;
        for leaf in leaves.iter_mut().filter(|leaf| leaf.reason == Reason::Solve) {
            leaf.priority = i32::from(leaf.key.position().empties());
        }
        Ok(leaves)
    }
}
