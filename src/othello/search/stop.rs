//! A flag that cancels searches, and how far they have come.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// A flag that cancels every search it was given to. Clones share the flag.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    raised: Arc<AtomicBool>,
    depth: Arc<AtomicU8>,
}

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same flag for one search, whose depth can then be asked for.
    pub(crate) fn of_one_search(&self) -> Self {
        Self { raised: Arc::clone(&self.raised), depth: Arc::default() }
    }

    /// Raises the flag, for good.
    pub fn stop(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub(crate) fn is_stopped(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
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
