//! Answering questions one after another, on several threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use crate::othello::eval::AnyEvaluator;
use crate::othello::search::{AnySearcher, MoveOrdering, Stop};

use super::engine::{Question, Task, TaskProgress, TaskResult, run_task};

/// What [`Engine::answer`] has to say of a question.
pub(crate) enum Answer {
    /// It is searched.
    Searching(TaskProgress),
    /// It is answered.
    Found(TaskResult),
}

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
    /// Answers questions and hands the answers out in their order, and before each how far its search has come;
    /// false when it was stopped.
    pub(crate) fn answer<E>(
        &self,
        questions: &[Question],
        task: impl Fn(&Question) -> Task + Sync,
        mut each: impl FnMut(&Question, Answer) -> Result<(), E>,
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
                        let going_on = |progress| {
                            let _ = sender.send((index, Answer::Searching(progress)));
                        };
                        let (stop, searcher) = (&self.stop, &mut searcher);
                        let result =
                            run_task(searcher, question, &limits, stop, alone, every, going_on);
                        let result = Answer::Found(result);
                        if self.stop.is_stopped() || sender.send((index, result)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut printed = 0;
            let mut hand_out = |question: &Question, answer: Answer| {
                each(question, answer).inspect_err(|_| self.stop.stop())
            };
            for (index, news) in &answers {
                match (news, questions.get(index)) {
                    (news @ Answer::Searching(_), Some(question)) => hand_out(question, news)?,
                    (news, _) => waiting.extend([(index, news)]),
                }
                while let (Some(result), Some(question)) =
                    (waiting.remove(&printed), questions.get(printed))
                {
                    hand_out(question, result)?;
                    printed += 1;
                }
            }
            Ok(printed == questions.len())
        })
    }
}
