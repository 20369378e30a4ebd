//! What a choice goes by.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::openbook::Node;
use crate::openbook::policy::request::Reason;
use crate::openbook::policy::rules::Rules;
use crate::openbook::regret::{Judge, RegretLimits};
use crate::othello::board::Placed;
use crate::othello::search::Depth;

/// What was asked for: with other terms nothing is left of what was found.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Terms {
    roots: Vec<Placed>,
    max_discs: Option<u8>,
    pub(super) limits: RegretLimits,
    judge: Judge,
    depth: Depth,
    penalty: i32,
}

impl Terms {
    pub(super) fn of(Rules { request, penalty }: Rules<'_>) -> Self {
        Self {
            roots: request.roots.to_vec(),
            max_discs: request.max_discs,
            limits: request.limits,
            judge: request.judge,
            depth: request.depth,
            penalty,
        }
    }
}

/// What is searched, or gone on to, of what costs the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Offer,
    Way,
    /// An offer that the walk has only after the way to this key, which costs the same.
    Late,
}

/// A node as far as ways and offers depend on it.
pub(super) fn print(node: &Node) -> u32 {
    let Node { links, record, searched, left_out, values, stands, due, more, .. } = *node;
    let seen = (links, record, searched, left_out, values, stands, due, more);
    FixedState::default().hash_one(seen) as u32
}

/// In which order the walk offers what costs the same at the end of a way.
pub(super) const fn place(reason: Reason) -> u8 {
    match reason {
        Reason::Due => 0,
        Reason::Expand | Reason::NoMove | Reason::Add | Reason::Solve => 1,
        Reason::Deepen => 2,
        Reason::Raise => 3,
    }
}
