//! Analysing games one after another, positions of several at once.
//!
//! One thread reads the book, hands positions out and puts games together; the others search. A
//! position that several games share is searched once. What is found is committed once a second, so
//! that being killed costs no more than that.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use foldhash::fast::FixedState;

use crate::app::BookFile;
use crate::app::games::GameDatabase;
use crate::app::searched_by::searched_by;
use crate::othello::board::{Key, Placed, Square};
use crate::othello::eval::{Explain, by_name};
use crate::othello::lock::lock;
use crate::othello::search::{AnySearcher, Limits, Stop};
use crate::store::PositionAnalysis;

use super::analysed_game::AnalysedGame;
use super::frame::frame;
use super::job::{Found, Job, run};
use super::keeper::Keeper;
use super::knowledge::{Answer, Knowledge, OWN, value_in};
use super::terms::{AnalysisError, AnalysisEvent, AnalysisOptions, AnalysisSummary, GameToAnalyse};

/// The display is looked at this often.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The wish to stop is looked at this often: a face may promise to obey within 50 ms.
const OBEY_EVERY: Duration = Duration::from_millis(10);

/// A move that no search came to know after so many tries stays unknown.
const MOST_TRIES: u8 = 3;

/// The result of a job, or the position in whose search it panicked.
type Report = Result<Found, Key>;

/// Where results are read from and kept.
pub struct AnalysisBook<'b> {
    /// What is known already: the book, and the games in it.
    pub database: &'b GameDatabase<'b>,
    /// Where it is, to be written; none keeps nothing.
    pub file: Option<BookFile>,
}

/// Analyses games and hands them out in their order.
///
/// # Errors
/// Those of the games, of the book and of `event`; what was found before is in the book.
pub fn analyse_games(
    book: Option<AnalysisBook<'_>>,
    games: impl IntoIterator<Item = Result<GameToAnalyse, AnalysisError>>,
    options: &AnalysisOptions,
    event: impl FnMut(AnalysisEvent<'_>) -> Result<(), AnalysisError>,
) -> Result<AnalysisSummary, AnalysisError> {
    let threads = options.threads.max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let evaluator = by_name("rosebill")?;
    let (database, file) = match book {
        Some(AnalysisBook { database, file }) => (Some(database), file),
        None => (None, None),
    };
    let evaluated = searched_by(&evaluator.title());
    let knowledge = Knowledge::of(database.map(GameDatabase::book), &evaluated)?;
    let keeper = Keeper::of(file, evaluated);
    let searchers = Mutex::new(Vec::new());
    let new_searcher = || AnySearcher::new(evaluator.clone(), options.table_megabytes);
    let (sender, results) = channel();
    let cancel = Stop::new();
    pool.in_place_scope(|scope| {
        let spawn = |job: Job, time: Option<Duration>| {
            let (searchers, sender, stop) = (&searchers, sender.clone(), cancel.clone());
            let new_searcher = &new_searcher;
            scope.spawn(move |_| {
                let key = job.key;
                // A search that panics must end the analysis, not leave it waiting for ever.
                let searched = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    if stop.is_stopped() {
                        // A stop does not wait for the memory of another searcher.
                        return Found { job, analysis: None, nodes: 0 };
                    }
                    let idle = lock(searchers).pop();
                    let mut searcher = idle.unwrap_or_else(new_searcher);
                    let found = run(&mut searcher, job, time, &stop);
                    lock(searchers).push(searcher);
                    found
                }));
                // The receiver has gone when the analysis failed.
                let _ = sender.send(searched.map_err(|_| key));
            });
        };
        let mut analysis = Analysis {
            options,
            knowledge,
            keeper,
            database,
            games: games.into_iter(),
            is_over: false,
            first: 0,
            open: VecDeque::new(),
            queue: VecDeque::new(),
            under_way: HashSet::default(),
            waiting: HashMap::default(),
            searching: 0,
            summary: AnalysisSummary::default(),
            event,
        };
        let done = analysis.run(&results, spawn);
        cancel.stop();
        done
    })
}

/// A move whose value is waited for.
#[derive(Clone, Copy)]
struct Waiter {
    game: u64,
    index: usize,
    before: Placed,
    square: Square,
    tries: u8,
}

/// A game that is not done.
struct OpenGame {
    game: AnalysedGame,
    started: Instant,
    waits_for: usize,
}

/// The thread that puts games together.
struct Analysis<'a, G, F> {
    options: &'a AnalysisOptions,
    knowledge: Knowledge<'a>,
    keeper: Keeper,
    database: Option<&'a GameDatabase<'a>>,
    games: G,
    /// Whether no game comes any more.
    is_over: bool,
    /// The number of the first open game.
    first: u64,
    open: VecDeque<OpenGame>,
    queue: VecDeque<Job>,
    /// Positions that are in the queue or being searched.
    under_way: HashSet<Key, FixedState>,
    waiting: HashMap<Key, Vec<Waiter>, FixedState>,
    /// Jobs that were handed out.
    searching: usize,
    summary: AnalysisSummary,
    event: F,
}

impl<G, F> Analysis<'_, G, F>
where
    G: Iterator<Item = Result<GameToAnalyse, AnalysisError>>,
    F: FnMut(AnalysisEvent<'_>) -> Result<(), AnalysisError>,
{
    fn run(
        &mut self,
        results: &Receiver<Report>,
        spawn: impl Fn(Job, Option<Duration>),
    ) -> Result<AnalysisSummary, AnalysisError> {
        let done = self.until_the_end(results, spawn);
        // Whatever happened, what was found stays.
        let kept = self.keeper.flush();
        done?;
        kept?;
        self.summary.stored = self.keeper.stored();
        Ok(self.summary.clone())
    }

    fn until_the_end(
        &mut self,
        results: &Receiver<Report>,
        spawn: impl Fn(Job, Option<Duration>),
    ) -> Result<(), AnalysisError> {
        let threads = self.options.threads.max(1);
        // With a time limit a search must begin when it is handed out; else so many wait ready that no
        // thread is idle while games are read, or results committed.
        let capacity = if self.options.time.is_some() { threads } else { 64 * threads };
        let mut watched = Instant::now();
        loop {
            if self.options.stop.is_stopped() {
                self.summary.stopped = true;
                return Ok(());
            }
            self.pull(capacity)?;
            while self.searching < capacity
                && let Some(job) = self.queue.pop_front()
            {
                let time = self.time_for_a_job(threads);
                self.searching += 1;
                spawn(job, time);
            }
            if self.searching == 0 {
                return Ok(());
            }
            match results.recv_timeout(OBEY_EVERY) {
                Ok(report) => self.take(report)?,
                Err(RecvTimeoutError::Timeout) => {}
                // Cannot happen: the sender lives as long as this loop.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.keeper.flush_if_due()?;
            if watched.elapsed() >= LOOK_EVERY {
                watched = Instant::now();
                (self.event)(AnalysisEvent::Progress(&self.summary))?;
            }
        }
    }

    /// Takes games in until there is enough to search, and hands out those that need no search.
    fn pull(&mut self, wanted: usize) -> Result<(), AnalysisError> {
        while !self.is_over && !self.options.stop.is_stopped() {
            // The time of a game is its own.
            let is_enough = match self.options.time {
                Some(_) => !self.open.is_empty(),
                None => self.queue.len() >= wanted,
            };
            if is_enough {
                break;
            }
            let Some(next) = self.games.next() else {
                self.is_over = true;
                // A pipe that waits for games ends when it is stopped.
                self.summary.stopped |= self.options.stop.is_stopped();
                break;
            };
            self.open_game(next?)?;
            self.hand_out()?;
        }
        Ok(())
    }

    fn open_game(&mut self, game: GameToAnalyse) -> Result<(), AnalysisError> {
        let game = frame(game, self.knowledge.book(), self.database)?;
        let number = self.first + self.open.len() as u64;
        let moves: Vec<(Placed, Square)> =
            game.moves.iter().map(|played| (played.before, played.square)).collect();
        (self.event)(AnalysisEvent::Begun(&game))?;
        self.open.push_back(OpenGame { game, started: Instant::now(), waits_for: 0 });
        // The end first: it is solved soon, and leaves its time to the others.
        for (index, (before, square)) in moves.into_iter().enumerate().rev() {
            let waiter = Waiter { game: number, index, before, square, tries: 0 };
            if let Some(open) = self.open.back_mut() {
                open.waits_for += 1;
            }
            self.ask(waiter)?;
        }
        Ok(())
    }

    /// Finds out what a move is worth, or lets it wait for a search.
    fn ask(&mut self, waiter: Waiter) -> Result<(), AnalysisError> {
        let position = waiter.before.position;
        let limits = self.options.limits(position.empties());
        match self.knowledge.ask(position, waiter.square, &limits)? {
            Answer::Known(value) => self.settle(waiter, Some(value))?,
            Answer::Search(_) if waiter.tries >= MOST_TRIES => self.settle(waiter, None)?,
            Answer::Search(job) => {
                let key = job.key;
                let waiter = Waiter { tries: waiter.tries + 1, ..waiter };
                self.waiting.entry(key).or_default().push(waiter);
                if self.under_way.insert(key) {
                    self.queue.push_back(job);
                } else if let Some(waits) = self.queue.iter_mut().find(|job| job.key == key) {
                    for square in job.squares {
                        if !waits.squares.contains(&square) {
                            waits.squares.push(square);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn settle(
        &mut self,
        waiter: Waiter,
        value: Option<super::MoveValue>,
    ) -> Result<(), AnalysisError> {
        let place = waiter.game.checked_sub(self.first).and_then(|at| usize::try_from(at).ok());
        let Some(open) = place.and_then(|at| self.open.get_mut(at)) else { return Ok(()) };
        open.waits_for = open.waits_for.saturating_sub(1);
        // It waits for a move of this game.
        open.game.moves[waiter.index].value = value;
        (self.event)(AnalysisEvent::Move(&open.game, waiter.index))
    }

    /// Takes the result of a search.
    fn take(&mut self, report: Report) -> Result<(), AnalysisError> {
        self.searching -= 1;
        let found = report.map_err(|key| AnalysisError::Panic(format!("{:?}", key.position())))?;
        let key = found.job.key;
        self.under_way.remove(&key);
        self.summary.nodes += found.nodes;
        let waiters = self.waiting.remove(&key).unwrap_or_default();
        let Some(analysis) = found.analysis else {
            // It was stopped.
            return waiters.into_iter().try_for_each(|waiter| self.settle(waiter, None));
        };
        self.summary.searched += u64::from(!self.knowledge.was_found(key));
        let analysis = PositionAnalysis { searcher: OWN, ..analysis };
        let whole = self.knowledge.remember(key, analysis.clone())?;
        self.keeper.take(key, whole)?;
        for waiter in waiters {
            // What was cut short by the clock is still what this game has, but where more was known.
            let known = match self.options.time {
                Some(_) => self.known_as_well_as(&analysis, &waiter)?,
                None => None,
            };
            match known.or_else(|| value_in(&analysis, waiter.before.position, waiter.square)) {
                Some(value) => self.settle(waiter, Some(value))?,
                None => self.ask(waiter)?,
            }
        }
        self.hand_out()
    }

    /// What is known of a move by the book, or by all its analyses, at least as well as by this one.
    fn known_as_well_as(
        &mut self,
        analysis: &PositionAnalysis,
        waiter: &Waiter,
    ) -> Result<Option<super::MoveValue>, AnalysisError> {
        let limits = Limits::depth(analysis.depth, analysis.selectivity);
        let answer = self.knowledge.ask(waiter.before.position, waiter.square, &limits)?;
        Ok(match answer {
            Answer::Known(value) => Some(value),
            Answer::Search(_) => None,
        })
    }

    /// Hands out the games that are done, in their order.
    fn hand_out(&mut self) -> Result<(), AnalysisError> {
        while self.open.front().is_some_and(|open| open.waits_for == 0) {
            let Some(OpenGame { game, .. }) = self.open.pop_front() else { break };
            self.first += 1;
            self.summary.games += 1;
            self.summary.moves += game.moves.len() as u64;
            (self.event)(AnalysisEvent::Game(&game))?;
        }
        Ok(())
    }

    /// How long the next search may take where the time of a game is limited: an equal part of what
    /// is left.
    fn time_for_a_job(&self, threads: usize) -> Option<Duration> {
        let time = self.options.time?;
        let started = self.open.front().map_or_else(Instant::now, |open| open.started);
        let left = time.saturating_sub(started.elapsed());
        let jobs = self.queue.len() + self.searching + 1;
        let rounds = jobs.div_ceil(threads) as u32;
        Some((left / rounds.max(1)).max(Duration::from_millis(1)))
    }
}
