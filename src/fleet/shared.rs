//! What a coordinator and its thread for the network both know.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use crate::app::Contact;
use crate::othello::lock::lock;

use super::error::FleetError;
use super::signature::Signature;
use super::status::WorkerStatus;

/// A worker that was silent for so long is away.
const AWAY_AFTER: Duration = Duration::from_secs(20);
/// A worker counts for no more threads than this, whatever it says: so much work is handed out for each.
const MOST_THREADS: u64 = 4096;

/// A job that has not come back.
pub(super) struct Waiting {
    pub subject: String,
    pub payload: Vec<u8>,
    pub published: Instant,
    /// How often the server said that another of its name is there; none once it was queued.
    pub tries: Option<usize>,
}

/// What both threads know.
#[derive(Default)]
pub(super) struct Shared {
    pub contact: Mutex<Contact>,
    /// Results that were handed over and are not acknowledged.
    pub held: AtomicUsize,
    pub jobs: Mutex<HashMap<String, Waiting>>,
    workers: Mutex<HashMap<String, (u64, Instant)>>,
    /// Why it cannot go on.
    pub failure: Mutex<Option<FleetError>>,
}

impl Shared {
    /// Workers that can do our jobs and gave a sign of life lately, and their threads.
    pub(crate) fn workers(&self) -> (u64, u64) {
        let mut workers = lock(&self.workers);
        workers.retain(|_, (_, seen)| seen.elapsed() < AWAY_AFTER);
        let threads = workers.values().map(|(threads, _)| threads);
        (workers.len() as u64, threads.fold(0, |sum, threads| sum.saturating_add(*threads)))
    }

    /// Notes what a worker says of itself.
    pub(crate) fn note_worker(&self, worker: WorkerStatus, ours: Signature) {
        let mut workers = lock(&self.workers);
        if worker.is_ending || worker.signature != ours.to_string() {
            workers.remove(&worker.name);
        } else {
            workers.insert(worker.name, (worker.threads.min(MOST_THREADS), Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::PatternEvaluator;

    #[test]
    fn a_worker_may_say_what_it_likes_of_its_threads() {
        let ours = Signature::of(&PatternEvaluator::embedded().unwrap());
        let shared = Shared::default();
        let says = |name: &str, threads, is_ending| WorkerStatus {
            format: 1,
            name: name.to_owned(),
            version: String::new(),
            weights: String::new(),
            signature: ours.to_string(),
            threads,
            jobs: u64::MAX,
            nodes_per_second: u64::MAX,
            is_ending,
        };
        shared.note_worker(says("a", 8, false), ours);
        assert_eq!(shared.workers(), (1, 8));
        shared.note_worker(says("b", u64::MAX, false), ours);
        shared.note_worker(says("c", u64::MAX, false), ours);
        assert_eq!(shared.workers(), (3, 8 + 2 * MOST_THREADS));
        shared.note_worker(says("b", u64::MAX, true), ours);
        let other = WorkerStatus { signature: "another".to_owned(), ..says("c", 1, false) };
        shared.note_worker(other, ours);
        assert_eq!(shared.workers(), (1, 8));
    }
}
