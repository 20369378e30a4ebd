//! Positions that are missing between known ones.

use crate::book::{MoveMask, NodeSource, child_of, links_of};

use super::frontier::{Arrival, Frontier, Offer, Offers};
use super::{Leaf, Policy, Reason, Request};

/// Adds positions that are one move from a node and have a node one move on: so a line that leaves
/// the book and comes back to it is in it throughout. What good players reach comes first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fill;

impl<S: NodeSource + ?Sized> Offers<S> for Fill {
    fn of(&self, book: &S, at: &Arrival, offers: &mut Vec<Offer>) -> Result<(), S::Error> {
        let position = at.node.key.position();
        for square in at.node.unlinked() {
            let Some((missing, _)) = child_of(position, square) else { continue };
            for next in links_of(missing, MoveMask::all_of(64)) {
                if book.node(&next.child)?.is_some() {
                    let (square, reason) = (Some(square), Reason::Add);
                    offers.push(Offer { square, ..Offer::of(missing, reason) });
                    break;
                }
            }
        }
        Ok(())
    }
}

impl<S: NodeSource + ?Sized> Policy<S> for Fill {
    fn batch(&self) -> usize {
        64
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let mut leaves = Frontier::new(book, request, 0, *self).run()?;
        for leaf in leaves.iter_mut().filter(|leaf| leaf.reason == Reason::Add) {
            // The line leads to what is searched.
            leaf.line.extend(leaf.rest_square.take());
            leaf.rest = None;
        }
        Ok(leaves)
    }
}
