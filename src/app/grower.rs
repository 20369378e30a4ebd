//! Growth in the background, as a face starts, watches and stops it: one at a time. The book is held
//! for writing only while it grows.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use thiserror::Error;

use super::book_file::BookFile;
use super::change::ChangeError;
use super::clock::this_second;
use super::grow::{
    Depth, Ended, GrowError, GrowOptions, GrowStart, GrowStatus, PolicyError, PolicySpec,
    check_starts, grow,
};
use super::snapshot::RestoreError;
use super::starter::{StarterError, open_or_begin};
use super::undo::{redo, undo};
use crate::openbook::regret::RegretLimits;
use crate::othello::eval::PatternEvaluator;
use crate::othello::eval::weights::WeightsError;
use crate::othello::lock::lock;
use crate::othello::search::{Level, Stop};
use crate::othello::system_error::in_words;
use crate::store::{Book, StoreError, UndoEntry};

#[derive(Clone, Debug)]
pub struct GrowRequest {
    /// Where growth starts.
    pub from: GrowStart,
    pub policy: PolicySpec,
    /// How deep every position is searched.
    pub level: Level,
    /// What a line may give away.
    pub limits: RegretLimits,
    pub time: Duration,
    /// How the run is noted in the book.
    pub asked: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GrowthEnd {
    Ended(Ended),
    /// It failed: what was committed before is in the book.
    Failed(String),
}

/// Growth as it is now, or as the last one ended.
#[derive(Clone, Debug)]
pub struct GrowerState {
    /// What was asked for.
    pub request: GrowRequest,
    /// How far it has come; none before it has begun to search.
    pub status: Option<GrowStatus>,
    /// How it ended; none while it grows.
    pub end: Option<GrowthEnd>,
}

/// Why growth cannot be started.
#[derive(Debug, Error)]
pub enum GrowerError {
    #[error("the book grows already: stop that first")]
    Busy,
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Starter(#[from] StarterError),
    #[error(transparent)]
    Policy(#[from] PolicyError),
    #[error(transparent)]
    Evaluator(#[from] WeightsError),
    #[error(transparent)]
    Start(#[from] GrowError),
    #[error("{0}")]
    Undo(#[from] RestoreError),
    #[error("{0}")]
    Change(#[from] ChangeError),
    #[error("cannot start a thread to grow in: {}", in_words(.0))]
    Thread(#[from] std::io::Error),
}

/// Called whenever the state has changed.
type Changed = dyn Fn() + Send + Sync;

/// Grows a book in the background.
pub struct Grower {
    file: BookFile,
    threads: usize,
    table_megabytes: usize,
    changed: Box<Changed>,
    state: Arc<Mutex<Option<GrowerState>>>,
    running: Mutex<Option<Running>>,
}

struct Running {
    stop: Stop,
    thread: JoinHandle<()>,
}

impl Grower {
    /// Of a book, with so many searches at once and MiB of transposition table for each; `changed` is
    /// called, by the thread that grows, whenever the state has changed.
    pub fn of(
        file: BookFile,
        threads: usize,
        table_megabytes: usize,
        changed: impl Fn() + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            file,
            threads,
            table_megabytes,
            changed: Box::new(changed),
            state: Arc::default(),
            running: Mutex::default(),
        })
    }

    /// What grows now, or grew last.
    pub fn state(&self) -> Option<GrowerState> {
        lock(&self.state).clone()
    }

    /// Starts growth. The book is made if there is none.
    pub fn start(self: &Arc<Self>, request: GrowRequest) -> Result<(), GrowerError> {
        let mut running = lock(&self.running);
        if self.is_growing() {
            return Err(GrowerError::Busy);
        }
        // A thread that has reported its end has nothing left to do.
        if let Some(ended) = running.take() {
            let _ = ended.thread.join();
        }
        check_starts(std::slice::from_ref(&request.from))?;
        let evaluator = PatternEvaluator::embedded()?;
        let depth = Depth::Level(request.level);
        // What cannot be grown makes no book.
        let policy = request.policy.policy(&self.file.path, depth, &mut |_| {})?;
        // Where the book that comes with the program was shown, growth begins with it.
        let (mut book, ..) = open_or_begin(&self.file, self.file.instead.is_some())?;
        let options = GrowOptions {
            from: vec![request.from.clone()],
            policy,
            limits: request.limits,
            depth,
            time: Some(request.time),
            threads: self.threads,
            table_megabytes: self.table_megabytes,
            asked: request.asked.clone(),
            ..GrowOptions::default()
        };
        let stop = Stop::new();
        let (own, stopped) = (Arc::clone(self), stop.clone());
        let before = lock(&self.state).replace(GrowerState { request, status: None, end: None });
        let started = std::thread::Builder::new().name("grow".to_owned()).spawn(move || {
            let watch = &mut |status: &GrowStatus| {
                own.note(|state| {
                    state.status = Some(status.clone());
                })
            };
            let grown = catch_unwind(AssertUnwindSafe(|| {
                grow(&mut book, &evaluator, &options, &stopped, watch)
            }));
            // A listener that hears of the end may write the book.
            drop(book);
            own.note(|state| match grown {
                Ok(Ok(summary)) => {
                    state.status = Some(summary.status);
                    state.end = Some(GrowthEnd::Ended(summary.ended));
                }
                Ok(Err(error)) => state.end = Some(GrowthEnd::Failed(error.to_string())),
                Err(_) => {
                    let why = "growth failed because of a fault in rosebill";
                    state.end = Some(GrowthEnd::Failed(why.to_owned()));
                }
            });
        });
        let thread = started.inspect_err(|_| *lock(&self.state) = before)?;
        *running = Some(Running { stop, thread });
        drop(running);
        (self.changed)();
        Ok(())
    }

    /// Ends growth soon, with everything kept; false when nothing grows.
    pub fn stop(&self) -> bool {
        let running = lock(&self.running);
        let growing = running.as_ref().filter(|_| self.is_growing());
        growing.inspect(|growing| growing.stop.stop()).is_some()
    }

    /// Takes changes back: see [`undo`]. Returns them, and how many positions there are then.
    pub fn undo(&self, down_to: Option<u64>) -> Result<(Vec<UndoEntry>, u64), GrowerError> {
        self.write(|book| undo(book, down_to))
    }

    /// Does a change again: see [`redo`]. Returns it, and how many positions there are then.
    pub(crate) fn redo(&self) -> Result<(Vec<UndoEntry>, u64), GrowerError> {
        self.write(|book| redo(book).map(|entry| vec![entry]))
    }

    /// Changes positions of the book, as `asked` for. Returns its result, and how many positions there are
    /// then.
    pub fn change<T>(
        &self,
        asked: &str,
        change: impl FnOnce(&mut Book) -> Result<T, ChangeError>,
    ) -> Result<(T, u64), GrowerError> {
        self.write(|book| {
            book.undo_log().name_changes(asked, &this_second());
            change(book)
        })
    }

    /// Writes the book while nothing grows.
    fn write<T, E>(
        &self,
        change: impl FnOnce(&mut Book) -> Result<T, E>,
    ) -> Result<(T, u64), GrowerError>
    where
        GrowerError: From<E>,
    {
        let _none_starts = lock(&self.running);
        if self.is_growing() {
            return Err(GrowerError::Busy);
        }
        let mut book = self.file.open()?;
        let changed = change(&mut book)?;
        Ok((changed, book.reader().count_positions()?))
    }

    /// Whether growth has begun and has not reported its end.
    fn is_growing(&self) -> bool {
        lock(&self.state).as_ref().is_some_and(|state| state.end.is_none())
    }

    /// Ends growth and waits until everything is kept.
    pub fn finish(&self) {
        if let Some(running) = lock(&self.running).take() {
            running.stop.stop();
            // A thread that panicked has no state to give; what was committed is in the book.
            let _ = running.thread.join();
        }
    }

    fn note(&self, change: impl FnOnce(&mut GrowerState)) {
        if let Some(state) = lock(&self.state).as_mut() {
            change(state);
        }
        (self.changed)();
    }
}
