//! How many of something come in a second.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What comes within so small a part of the time that is looked at is counted as one.
const PARTS: u32 = 60;
/// What took so long itself is looked at over a time so many times as long.
const STRETCH: u32 = 3;

/// Counts what comes.
pub(super) struct Rate {
    started: Instant,
    total: u64,
    /// How much came lately, and when the first of it did.
    lately: VecDeque<(Instant, u64)>,
    /// The time that is looked at, at least.
    least: Duration,
    /// The time that is looked at.
    window: Duration,
}

impl Rate {
    /// One that looks at so long a time.
    pub(crate) fn over(window: Duration) -> Self {
        let (started, lately) = (Instant::now(), VecDeque::new());
        Self { started, total: 0, lately, least: window, window }
    }

    /// So many have come.
    pub(crate) fn note(&mut self, count: u64) {
        self.note_at(Instant::now(), count);
    }

    /// What comes next took so long: where that is longer than the time that is looked at, nothing else
    /// would be seen most of the time, and too much right after.
    pub(crate) fn stretch(&mut self, took: Duration) {
        self.window = self.least.max(took.saturating_mul(STRETCH));
    }

    fn note_at(&mut self, now: Instant, count: u64) {
        self.total = self.total.saturating_add(count);
        match self.lately.back_mut() {
            Some((when, sum)) if now.duration_since(*when) < self.window / PARTS => {
                *sum = sum.saturating_add(count);
            }
            _ if count > 0 => self.lately.push_back((now, count)),
            _ => {}
        }
        while self.lately.front().is_some_and(|&(when, _)| now - when > self.window) {
            self.lately.pop_front();
        }
    }

    /// All that have come.
    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    /// A second, lately.
    pub(crate) fn per_second(&self) -> f64 {
        self.per_second_at(Instant::now())
    }

    fn per_second_at(&self, now: Instant) -> f64 {
        let window = (now - self.started).min(self.window).as_secs_f64().max(0.1);
        let recent = self.lately.iter().filter(|&&(when, _)| now - when <= self.window);
        recent.map(|&(_, count)| count).fold(0, u64::saturating_add) as f64 / window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn is_that_of_the_last_seconds() {
        let mut rate = Rate::over(30 * SECOND);
        let start = rate.started;
        for number in 1..=600 {
            rate.note_at(start + SECOND / 10 * number, 1);
        }
        let at = |seconds: u32| rate.per_second_at(start + SECOND * seconds);
        assert!((at(60) - 10.0).abs() < 0.4, "{}", at(60));
        assert!((at(75) - 5.0).abs() < 0.4, "{}", at(75));
        assert_eq!((at(91), rate.total()), (0.0, 600));
        assert!(rate.lately.len() <= PARTS as usize + 1, "{}", rate.lately.len());
    }

    #[test]
    fn what_takes_long_is_looked_at_for_longer() {
        let mut rate = Rate::over(30 * SECOND);
        let start = rate.started;
        for number in 1..=10 {
            rate.stretch(100 * SECOND);
            rate.note_at(start + SECOND * 100 * number, 1000);
            let between = rate.per_second_at(start + SECOND * (100 * number + 50));
            assert!((between - 10.0).abs() < 4.0, "{between}");
        }
    }
}
