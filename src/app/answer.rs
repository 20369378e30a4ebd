//! Answering questions one after another, on several threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use crate::othello::eval::AnyEvaluator;
use crate::othello::search::{AnySearcher, MoveOrdering, Stop};

use super::engine::{Question, Task, TaskResult, run_task};

/// What searches one position after another.
pub(crate) struct Engine {
    /// What judges positions.
    pub evaluator: AnyEvaluator,
    /// MiB of transposition table for each thread.
    pub table_megabytes: usize,
    /// Threads: one for each position, or several where there are fewer positions.
    pub threads: usize,
    /// How moves are sorted.
    pub ordering: MoveOrdering,
    /// Whether every legal move is searched as if the others did not exist.
    pub every_move: bool,
    pub stop: Stop,
}

impl Engine {
    /// Answers questions and hands the answers out in their order; false when it was stopped.
    pub(crate) fn answer<E>(
        &self,
        questions: &[Question],
        task: impl Fn(&Question) -> Task + Sync,
        mut each: impl FnMut(&Question, &TaskResult) -> Result<(), E>,
    ) -> Result<bool, E> {
        let next = AtomicUsize::new(0);
        let (sender, answers) = channel();
        std::thread::scope(|scope| {
            let searchers = self.threads.min(questions.len()).max(1);
            for number in 0..searchers {
                // All threads are at work; those that cannot be shared out evenly go to the first.
                let extra = usize::from(number < self.threads % searchers);
                let threads = self.threads / searchers + extra;
                let (sender, task, next) = (sender.clone(), &task, &next);
                scope.spawn(move || {
                    let mut searcher =
                        AnySearcher::new(self.evaluator.clone(), self.table_megabytes)
                            .on_threads(threads)
                            .with_ordering(self.ordering);
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(question) = questions.get(index) else { break };
                        let limits = task(question).limits(question.placed.position.empties());
                        let alone = searchers == 1;
                        let every = self.every_move;
                        let result =
                            run_task(&mut searcher, question, &limits, &self.stop, alone, every);
                        if self.stop.is_stopped() || sender.send((index, result)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut printed = 0;
            for (index, result) in &answers {
                waiting.insert(index, result);
                while let (Some(result), Some(question)) =
                    (waiting.remove(&printed), questions.get(printed))
                {
                    if let Err(error) = each(question, &result) {
                        self.stop.stop();
                        return Err(error);
                    }
                    printed += 1;
                }
            }
            Ok(printed == questions.len())
        })
    }
}
