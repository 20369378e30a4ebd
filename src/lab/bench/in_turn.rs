//! What many machines would choose, on one: growth with many searches under way, done in turn.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::app::{Assignment, Crew, CrewError, Report, run_work};
use crate::othello::eval::Evaluator;
use crate::othello::search::Searcher;

/// Searches one piece of work after the other, in the order in which they were handed out, while so
/// many are handed out: the same book every time, as from so many machines that are equally fast.
pub(super) struct InTurn<E: Evaluator> {
    searcher: Searcher<E>,
    waiting: VecDeque<Assignment>,
    in_flight: usize,
}

impl<E: Evaluator> InTurn<E> {
    pub(crate) fn new(evaluator: &Arc<E>, table_megabytes: usize, in_flight: usize) -> Self {
        let searcher = Searcher::new(Arc::clone(evaluator), table_megabytes);
        Self { searcher, waiting: VecDeque::new(), in_flight: in_flight.max(1) }
    }
}

impl<E: Evaluator> Crew for InTurn<E> {
    fn capacity(&self) -> usize {
        self.in_flight
    }

    fn give(&mut self, tasks: Vec<Assignment>) {
        self.waiting.extend(tasks);
    }

    fn reports(&mut self, _patience: Duration) -> Result<Vec<Report>, CrewError> {
        let oldest = self.waiting.pop_front().into_iter();
        let search = |task: Assignment| {
            Report::Done(run_work(&mut self.searcher, task.work, task.depth, &task.stop))
        };
        Ok(oldest.map(search).collect())
    }
}
