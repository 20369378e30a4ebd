//! Every move that is not much worse than the best.

use crate::book::NodeSource;
use crate::book::regret::RegretLimits;

use super::frontier::{Frontier, Rests};
use super::{Leaf, Policy, Request};

/// More than any line of one ply can give away, in centidiscs: shallow leaves come first.
const BREADTH: i32 = 70_000;

/// Expands every leaf within bounds, the shallowest first and of equally deep ones the one whose
/// line gives least away (after the `deviate` command of Edax).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deviate {
    /// What a single move may give away, in centidiscs.
    pub single: i32,
    /// What a whole line may give away, by both sides, in centidiscs.
    pub total: i32,
}

impl<S: NodeSource + ?Sized> Policy<S> for Deviate {
    fn ranks_by_centidiscs(&self) -> bool {
        false
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let tighter =
            |own: i32, asked: Option<i32>| Some(asked.map_or(own, |asked| asked.min(own)));
        let limits = RegretLimits {
            single: tighter(self.single, request.limits.single),
            total: tighter(self.total, request.limits.total),
            ..request.limits
        };
        let mut leaves = Frontier::new(
            book,
            &Request { limits, ..request.clone() },
            BREADTH,
            Rests(request.judge),
        )
        .run()?;
        for leaf in &mut leaves {
            leaf.priority = leaf.line.len() as i32;
        }
        Ok(leaves)
    }
}
