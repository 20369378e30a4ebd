//! A thread of a worker that searches.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::app::{Depth, Done, Work, run_work};
use crate::othello::eval::PatternEvaluator;
use crate::othello::lock::lock;
use crate::othello::search::{Searcher, Stop};

use super::failures::Failure;

/// A job for a thread.
pub(super) struct Order {
    pub work: Work,
    pub depth: Depth,
    /// MiB of transposition table.
    pub table: u32,
    pub stop: Stop,
    /// Gets a message when the search begins: an order may wait for another one's end.
    pub begun: oneshot::Sender<()>,
    pub answer: oneshot::Sender<Answer>,
}

pub(super) enum Answer {
    /// What was found, and how long that took.
    Done(Done, Duration),
    /// Nothing came of it.
    Failed(Failure),
    /// There is no room for the table.
    NoMemory,
}

/// A thread that searches as long as there are orders.
pub(super) fn search_for_ever(
    orders: &Mutex<Receiver<Order>>,
    evaluator: &Arc<PatternEvaluator>,
    threads: usize,
) {
    let mut idle: Option<(u32, Searcher<PatternEvaluator>)> = None;
    loop {
        let order = lock(orders).recv();
        let Ok(Order { work, depth, table, stop, begun, answer }) = order else { return };
        if answer.is_closed() {
            continue;
        }
        // One of another size goes before memory is asked for.
        idle = idle.filter(|&(size, _)| size == table);
        let mut searcher = match idle.take() {
            Some((_, searcher)) => searcher,
            _ if !has_memory(table, threads) => {
                let _ = answer.send(Answer::NoMemory);
                continue;
            }
            _ => Searcher::new(Arc::clone(evaluator), table as usize),
        };
        let _ = begun.send(());
        let started = Instant::now();
        let searched = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let done = run_work(&mut searcher, work, depth, &stop);
            (done, searcher)
        }));
        let told = match searched {
            Ok((done, searcher)) => {
                idle = Some((table, searcher));
                Answer::Done(done, started.elapsed())
            }
            Err(_) => Answer::Failed(Failure::Fault),
        };
        let _ = answer.send(told);
    }
}

/// Whether each thread can have a table of so many MiB.
fn has_memory(megabytes: u32, threads: usize) -> bool {
    let Some(bytes) = (megabytes as usize).checked_mul(threads << 20) else { return false };
    let fits = total_memory().is_none_or(|total| bytes < total);
    fits && Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// The memory of the machine in bytes, where the system has it in a file.
fn total_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_has_a_table_of_a_pebibyte() {
        assert!(has_memory(1, 2));
        assert!(!has_memory(1 << 30, 1));
        assert!(!has_memory(u32::MAX, 1 << 20));
    }
}
