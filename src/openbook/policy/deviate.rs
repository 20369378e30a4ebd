//! Every move that is not much worse than the best.

use crate::openbook::NodeSource;
use crate::openbook::regret::{LossLimit, RegretLimits};

use super::frontier::Frontier;
use super::rules::{Rests, Rules};
use super::{Kept, Leaf, Policy, Request};

/// More than any line of one ply can give away, in centidiscs: shallow leaves come first.
const BREADTH: i32 = 70_000;

/// What a move may give away where nothing is asked for, in centidiscs.
const USUAL: LossLimit = LossLimit::each(200);

/// Expands every leaf within the limits, the shallowest first and of equally deep ones the one whose
/// line gives least away (after the `deviate` command of Edax). Where nothing is asked for, a move may
/// give away 2 discs; where no limit for lines is, both sides together may give away along one what a
/// move of each may.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Deviate;

impl Deviate {
    fn limits(asked: RegretLimits) -> RegretLimits {
        let move_loss = if asked.move_loss.is_set() { asked.move_loss } else { USUAL };
        let total = if asked.line_loss.is_set() { asked.total } else { move_loss.sum() };
        RegretLimits { move_loss, total, ..asked }
    }

    /// What is asked for, within these limits.
    fn within<'a>(request: &Request<'a>) -> Request<'a> {
        Request { limits: Self::limits(request.limits), ..request.clone() }
    }
}

impl<S: NodeSource + ?Sized> Policy<S> for Deviate {
    fn ranks_by_centidiscs(&self) -> bool {
        false
    }

    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        let request = Self::within(request);
        let leaves = Frontier::new(book, rules(&request), Rests(request.judge)).run()?;
        Ok(by_plies(leaves))
    }

    fn next_kept(
        &self,
        book: &S,
        request: &Request<'_>,
        kept: &mut Kept,
    ) -> Result<Vec<Leaf>, S::Error> {
        let within = Self::within(request);
        match kept.next(book, rules(&within), &Rests(request.judge))? {
            Some(leaves) => Ok(by_plies(leaves)),
            None => self.next(book, request),
        }
    }
}

const fn rules<'a>(request: &'a Request<'a>) -> Rules<'a> {
    Rules { request, penalty: BREADTH }
}

fn by_plies(mut leaves: Vec<Leaf>) -> Vec<Leaf> {
    for leaf in &mut leaves {
        leaf.priority = leaf.line.len() as i32;
    }
    leaves
}
