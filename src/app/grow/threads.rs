//! The default crew of growth: threads of this process.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::othello::eval::Evaluator;
use crate::othello::lock::lock;
use crate::othello::search::Searcher;

use super::crew::{Assignment, Crew, CrewError, Report};
use super::work;

/// Searchers that no thread uses just now: each keeps its tables.
type Idle<E> = Arc<Mutex<Vec<Searcher<E>>>>;

/// Searches on threads of its own.
pub(crate) struct Threads<E: Evaluator + 'static> {
    pool: rayon::ThreadPool,
    evaluator: Arc<E>,
    table_megabytes: usize,
    idle: Idle<E>,
    capacity: usize,
    sender: Sender<Report>,
    results: Receiver<Report>,
    under_way: usize,
}

impl<E: Evaluator + 'static> Threads<E> {
    /// So many threads with MiB of transposition table for each. One thread decides anew after each
    /// result; several have their next work waiting, or `in_flight` pieces at once.
    pub(crate) fn new(
        evaluator: &Arc<E>,
        threads: usize,
        table_megabytes: usize,
        in_flight: Option<usize>,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = threads.max(1);
        let (sender, results) = channel();
        Ok(Self {
            pool: rayon::ThreadPoolBuilder::new().num_threads(threads).build()?,
            evaluator: Arc::clone(evaluator),
            table_megabytes,
            idle: Arc::default(),
            capacity: in_flight.unwrap_or(if threads == 1 { 1 } else { 2 * threads }).max(1),
            sender,
            results,
            under_way: 0,
        })
    }

    fn spawn(&self, task: Assignment) {
        let (idle, evaluator) = (Arc::clone(&self.idle), Arc::clone(&self.evaluator));
        let (table_megabytes, sender) = (self.table_megabytes, self.sender.clone());
        self.pool.spawn(move || {
            let Assignment { work, depth, stop } = task;
            // A search that panics must end growth, not leave it waiting for ever.
            let searched = std::panic::catch_unwind(AssertUnwindSafe(|| {
                let mut searcher =
                    lock(&idle).pop().unwrap_or_else(|| Searcher::new(evaluator, table_megabytes));
                let done = work::run(&mut searcher, work, depth, &stop);
                lock(&idle).push(searcher);
                done
            }));
            // The receiver has gone when growth failed: then the result is lost anyway.
            let _ = sender.send(searched.map_or(Report::Panicked(work), Report::Done));
        });
    }
}

impl<E: Evaluator + 'static> Crew for Threads<E> {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn give(&mut self, tasks: Vec<Assignment>) {
        self.under_way += tasks.len();
        tasks.into_iter().for_each(|task| self.spawn(task));
    }

    fn reports(&mut self, patience: Duration) -> Result<Vec<Report>, CrewError> {
        let mut reports = Vec::new();
        // This sender of ours lives as long as the receiver: nothing but the clock ends the wait.
        reports.extend(self.results.recv_timeout(patience).ok());
        // All that is there, before ranking anew.
        while self.capacity > 1
            && !reports.is_empty()
            && let Ok(report) = self.results.try_recv()
        {
            reports.push(report);
        }
        self.under_way -= reports.len();
        Ok(reports)
    }
}

impl<E: Evaluator + 'static> Drop for Threads<E> {
    /// Waits for the searches that were cancelled.
    fn drop(&mut self) {
        for _ in 0..self.under_way {
            let _ = self.results.recv();
        }
    }
}
