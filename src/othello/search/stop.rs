//! A flag that cancels searches, and how far they have come.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// A flag that cancels every search, and all work on books, that it was given to, and what these tell of how far they
/// have come. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    raised: Arc<AtomicBool>,
    depth: Arc<AtomicU8>,
    walked: Arc<AtomicU64>,
}

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same flag for one search, whose depth can then be asked for.
    pub(crate) fn of_one_search(&self) -> Self {
        Self { depth: Arc::default(), ..self.clone() }
    }

    /// Raises the flag, for good.
    pub fn stop(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub(crate) fn is_stopped(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// How many positions of books were gone through so far.
    pub(crate) fn walked(&self) -> u64 {
        self.walked.load(Ordering::Relaxed)
    }

    /// Records that so many more were.
    pub(crate) fn tell_walked(&self, positions: u64) {
        self.walked.fetch_add(positions, Ordering::Relaxed);
    }

    /// How many plies the search looks ahead just now: it goes deeper ply by ply. 0 before it
    /// starts.
    pub fn depth(&self) -> u8 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Records how many plies the search looks ahead from now on.
    pub(super) fn tell_depth(&self, plies: u8) {
        self.depth.store(plies, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_flag_cancels_searches_that_tell_their_own_depth() {
        let all = Stop::new();
        let (one, other) = (all.of_one_search(), all.of_one_search());
        one.tell_depth(7);
        assert_eq!((one.clone().depth(), other.depth(), all.depth()), (7, 0, 0));
        all.stop();
        assert!(one.is_stopped() && other.is_stopped());
    }
}
