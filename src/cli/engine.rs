//! The engine as the commands use it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use super::Context;
use super::context::stop_on_interrupt;
use crate::eval::{AnyEvaluator, by_name};
use crate::ops::{Question, Task, TaskResult, run_task};
use crate::search::{AnySearcher, MoveOrdering, Stop};

/// Flags of everything that searches one position after another.
#[derive(clap::Args, Debug)]
pub struct EngineArguments {
    /// Memory for the transposition table of each thread in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    table: Option<u32>,
    /// rosebill, zebra, ntest, squares, phases, edges, linear, or a weights file
    #[arg(long, default_value = "rosebill", value_name = "NAME")]
    evaluator: String,
    /// Threads: one for each position of a file, or several for each when it has fewer positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// How moves are sorted: rosebill, or quick, by the kind of square alone
    #[arg(long, default_value = "rosebill", value_name = "NAME")]
    ordering: MoveOrdering,
    /// Search every legal move as if the others did not exist, and list them best first
    #[arg(long)]
    all: bool,
}

/// Searchers that Ctrl-C stops.
pub struct Engine {
    evaluator: AnyEvaluator,
    megabytes: usize,
    threads: usize,
    ordering: MoveOrdering,
    every_move: bool,
    stop: Stop,
}

impl Engine {
    /// Prepares the evaluator.
    ///
    /// # Errors
    /// When there is no such evaluator, its weights are damaged or signals cannot be caught.
    pub fn new(arguments: &EngineArguments, context: &Context) -> anyhow::Result<Self> {
        let megabytes =
            arguments.table.map_or(context.settings().table_megabytes.value, |mib| mib as usize);
        Ok(Self {
            evaluator: by_name(&arguments.evaluator)?,
            megabytes,
            threads: usize::from(arguments.threads),
            ordering: arguments.ordering,
            every_move: arguments.all,
            stop: stop_on_interrupt()?,
        })
    }

    /// Answers questions and hands the answers out in their order; false when it was interrupted.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn answer(
        &self,
        questions: &[Question],
        task: impl Fn(&Question) -> Task + Sync,
        mut each: impl FnMut(&Question, &TaskResult) -> anyhow::Result<()>,
    ) -> anyhow::Result<bool> {
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
                    let mut searcher = AnySearcher::new(self.evaluator.clone(), self.megabytes)
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
