//! Positions that are missing between known ones.

use std::cell::{Cell, OnceCell, RefCell};

use crate::openbook::NodeSource;
use crate::othello::board::{CpuLevel, Key, KeyFilter, Successors};

use super::frontier::Frontier;
use super::rules::{Arrival, Offer, Offers, Rules};
use super::{Leaf, Reason, Request, Whole};

/// Adds positions that are one move from a node and have a node one move on: so a line that leaves
/// the book and comes back to it is in it throughout. What good players reach comes first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fill;

/// The first time that a ranking asks for a set of all nodes, in positions that it asked for.
const MANY: u64 = 4096;
/// A set of all nodes is made where there are no more than so many for each position that was asked for
/// one by one: then it costs about as much as they did.
const NODES_FOR_EACH: u64 = 4;

/// Where positions are missing. Nearly all that could lead back into the book do not: a ranking that goes
/// through much of it asks a set of all nodes first.
#[derive(Default)]
struct Gaps {
    asked: Cell<u64>,
    nodes: OnceCell<KeyFilter>,
    /// Of a node, and of what is missing behind it: kept for their memory.
    successors: RefCell<(Successors, Successors)>,
}

impl Gaps {
    fn is_node<S: NodeSource + ?Sized>(&self, book: &S, key: Key) -> Result<bool, S::Error> {
        if self.nodes.get().is_none() {
            let asked = self.asked.get() + 1;
            self.asked.set(asked);
            if asked >= MANY
                && asked.is_power_of_two()
                && let Some(nodes) = book.filter(asked * NODES_FOR_EACH)?
            {
                let _ = self.nodes.set(nodes);
            }
        }
        if self.nodes.get().is_some_and(|nodes| !nodes.may_contain(key)) {
            return Ok(false);
        }
        Ok(book.node(&key)?.is_some())
    }
}

impl<S: NodeSource + ?Sized> Offers<S> for Gaps {
    fn of(&self, book: &S, at: &Arrival, offers: &mut Vec<Offer>) -> Result<(), S::Error> {
        let (cpu, mut successors) = (CpuLevel::detect(), self.successors.borrow_mut());
        let (missing, next) = &mut *successors;
        let position = at.node.key.position();
        missing.find_some(cpu, std::iter::once((position, !at.node.links.bits())));
        next.find(cpu, missing.all().iter().map(|move_out| move_out.next.position()));
        for (number, move_out) in missing.all().iter().enumerate() {
            for back in &next.all()[next.range(number)] {
                if self.is_node(book, back.next)? {
                    let (square, reason) = (Some(move_out.square), Reason::Add);
                    offers.push(Offer { square, ..Offer::of(move_out.next, reason) });
                    break;
                }
            }
        }
        Ok(())
    }
}

impl Whole for Fill {
    const LEAST: usize = 1024;

    fn rank<S: NodeSource + ?Sized>(
        self,
        book: &S,
        request: &Request<'_>,
    ) -> Result<Vec<Leaf>, S::Error> {
        let mut leaves =
            Frontier::new(book, Rules { request, penalty: 0 }, Gaps::default()).run()?;
        for leaf in leaves.iter_mut().filter(|leaf| leaf.reason == Reason::Add) {
            // The line leads to what is searched.
            leaf.line.extend(leaf.rest_square.take());
            leaf.rest = None;
        }
        Ok(leaves)
    }
}
