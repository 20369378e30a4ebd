//! How many results come in a second.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Results a second are counted over this time.
const LATELY: Duration = Duration::from_secs(5);

/// Counts results.
pub(super) struct Rate {
    started: Instant,
    total: u64,
    /// When results came, and how many, lately.
    lately: VecDeque<(Instant, u64)>,
}

impl Rate {
    pub fn new() -> Self {
        Self { started: Instant::now(), total: 0, lately: VecDeque::new() }
    }

    /// So many have come.
    pub fn note(&mut self, count: usize) {
        self.total += count as u64;
        if count > 0 {
            self.lately.push_back((Instant::now(), count as u64));
        }
        while self.lately.front().is_some_and(|(when, _)| when.elapsed() > LATELY) {
            self.lately.pop_front();
        }
    }

    /// All that have come.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// A second, lately.
    pub fn per_second(&self) -> f64 {
        let window = self.started.elapsed().min(LATELY).as_secs_f64().max(0.1);
        let recent = self.lately.iter().filter(|(when, _)| when.elapsed() <= LATELY);
        recent.map(|(_, count)| *count).sum::<u64>() as f64 / window
    }
}
