//! Effort goes where good players go.

use crate::book::NodeSource;

use super::frontier::{Frontier, Rests};
use super::{Leaf, Policy, Request};

/// Drop-out expansion: the leaf whose line gives least away is next, with a penalty for each ply
/// so that long forced lines do not take everything (source: Buro, "Toward opening book learning").
/// The priority is the total regret plus the penalties, in centidiscs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best {
    /// For each ply from the root, in centidiscs, not negative.
    pub penalty: i32,
}

impl Default for Best {
    fn default() -> Self {
        Self { penalty: 25 }
    }
}

impl<S: NodeSource + ?Sized> Policy<S> for Best {
    fn next(&self, book: &S, request: &Request<'_>) -> Result<Vec<Leaf>, S::Error> {
        Frontier::new(book, request, self.penalty.max(0), Rests(request.judge)).run()
    }
}
