//! Growing a book: rank, take, search, store, propagate.
//!
//! One thread owns the book; it ranks what is to be searched, hands it to the searching threads,
//! and puts their results into the book as they come. Whatever is searched is handed out once. The
//! book is committed at least once a second, so that being killed costs no more than that.

mod easier;
mod games;
mod policy;
mod start;
mod terms;
mod work;

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foldhash::fast::FixedState;

use crate::board::{Key, Placed};
use crate::book::policy::{Leaf, Reason, Request};
use crate::book::propagate::{moves_to, parents};
use crate::book::regret::Judge;
use crate::book::{
    Inserted, Link, MoveMask, Node, NodeSource, Searched, Source, SourceId, Values, child_of,
    links_of,
};
use crate::eval::Evaluator;
use crate::lock::lock;
use crate::search::{Searcher, Stop};
use crate::store::{Book, Reader, RunId, StoreError};

use super::clock::{this_second, today};
use super::show::{ShowOptions, show};

use easier::easier;
pub use games::{GamesError, read_game_lines};
pub use policy::{PolicyError, PolicyName, PolicyRequest};
pub use start::{GrowStart, Target};
pub use terms::{
    Candidate, DEFAULT_TABLE_MEGABYTES, Easier, Ended, GrowError, GrowOptions, GrowStatus,
    GrowSummary, Searching, Taken,
};
pub use work::{DEFAULT_LEVEL, Depth};
use work::{Done, Spot, Work};

/// What came of a piece of work, or the work in which the search panicked.
type Report = Result<Done, Work>;

/// Results are committed at least this often.
const COMMIT_EVERY: Duration = Duration::from_secs(1);
/// The display is looked at this often.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The wish to stop and the clock are looked at this often: a face may promise to obey within 50 ms.
const OBEY_EVERY: Duration = Duration::from_millis(10);

/// Grows a book until a limit is reached, nothing is left, or `stop` is raised. `watch` is told of
/// the progress several times a second.
///
/// # Errors
/// When the book cannot be written; what was committed stays.
pub fn grow<E: Evaluator + 'static>(
    book: &mut Book,
    evaluator: &Arc<E>,
    options: &GrowOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(&GrowStatus),
) -> Result<GrowSummary, GrowError> {
    let start = [GrowStart::default()];
    let starts = starts(options, &start);
    let roots = roots(starts)?;
    let threads = options.threads.max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let source = book.source_id(&Source {
        engine: concat!("rosebill ", env!("CARGO_PKG_VERSION")).to_owned(),
        evaluator: evaluator.name(),
        level: depth_text(options.depth),
        day: today(),
        ..Source::default()
    })?;
    let run = book.start_run(&options.asked, &this_second())?;
    book.commit()?;
    let searchers = Mutex::new(Vec::new());
    let (depth, table_megabytes) = (options.depth, options.table_megabytes);
    let new_searcher = || Searcher::new(Arc::clone(evaluator), table_megabytes);
    let (sender, results) = channel();
    let cancel = Stop::new();
    let summary = pool.in_place_scope(|scope| {
        let spawn = |work: Work, stop: Stop, sender: Sender<Report>| {
            let searchers = &searchers;
            scope.spawn(move |_| {
                // A search that panics must end growth, not leave it waiting for ever.
                let searched = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    let idle = lock(searchers).pop();
                    let mut searcher = idle.unwrap_or_else(new_searcher);
                    let done = work::run(&mut searcher, work, depth, &stop);
                    lock(searchers).push(searcher);
                    done
                }));
                // Nobody listens any more when growth failed: then the result is lost anyway.
                let _ = sender.send(searched.map_err(|_| work));
            });
        };
        let before = book.reader().counts()?.positions;
        let mut growth = Growth {
            missing: missing(book, starts, options)?,
            before,
            kept: before,
            book,
            options,
            source,
            run,
            starts,
            roots: &roots,
            due: BTreeSet::new(),
            cancel: &cancel,
            searching: Vec::new(),
            ranked: VecDeque::new(),
            in_flight: HashSet::default(),
            new_under_way: 0,
            searches_under_way: 0,
            // One thread decides anew after each result; several have their next work waiting.
            capacity: if threads == 1 { 1 } else { 2 * threads },
            started: Instant::now(),
            committed: Instant::now(),
            figures: Figures::default(),
            latest: None,
        };
        let summary = growth.run(&results, stop, watch, &mut |work, stop| {
            spawn(work, stop, sender.clone());
        });
        cancel.stop();
        summary
    });
    if summary.is_err() {
        book.rollback();
    }
    summary
}

/// What growth with these options would search first: nothing is searched or written.
///
/// # Errors
/// When the book cannot be read, or no game goes on where growth is to start.
pub fn next_leaves(
    book: &Reader,
    options: &GrowOptions,
    count: usize,
) -> Result<Vec<Candidate>, GrowError> {
    let _snapshot = book.snapshot()?;
    let start = [GrowStart::default()];
    let starts = starts(options, &start);
    let roots = roots(starts)?;
    let request = Request {
        roots: &roots,
        count,
        in_flight: &HashSet::default(),
        max_discs: options.max_discs,
        limits: options.limits,
        judge: Judge { contempt: options.contempt },
    };
    let missing = missing(book, starts, options)?.into_iter();
    let missing = missing.map(|(key, target)| (Leaf::to_add(key), target));
    let leaves = options.policy.next(book, &request)?.into_iter();
    let leaves = leaves.map(|leaf| (Target::of(&leaf, starts), leaf)).map(|(to, leaf)| (leaf, to));
    let candidate = |(leaf, target): (Leaf, Target)| {
        let guess = book.node(&leaf.key)?.map(|node| node.values.guess);
        Ok(Candidate { leaf, target, guess })
    };
    missing.chain(leaves).take(count).map(candidate).collect()
}

fn depth_text(depth: Depth) -> String {
    match depth {
        Depth::Level(level) => level.to_string(),
        Depth::Fixed { depth, selectivity } => format!("{depth}@{}%", selectivity.percent()),
    }
}

/// Where growth starts: where that is not said, at the start of the game.
fn starts<'a>(options: &'a GrowOptions, start: &'a [GrowStart]) -> &'a [GrowStart] {
    if options.from.is_empty() { start } else { &options.from }
}

fn roots(starts: &[GrowStart]) -> Result<Vec<Placed>, GrowError> {
    let root = |start: &GrowStart| start.root().ok_or_else(|| GrowError::Over(start.clone()));
    starts.iter().map(root).collect()
}

/// The positions to start from, with those on the way, that are not in the book yet.
fn missing(
    book: &impl NodeSource<Error = StoreError>,
    starts: &[GrowStart],
    options: &GrowOptions,
) -> Result<VecDeque<(Key, Target)>, StoreError> {
    let most = options.max_discs.unwrap_or(64);
    let mut missing: VecDeque<(Key, Target)> = VecDeque::new();
    for start in starts {
        for (plies, placed) in start.way().enumerate() {
            let key = Key::of(placed.position);
            let is_listed = missing.iter().any(|(known, _)| *known == key);
            if key.discs() <= most && !is_listed && book.node(&key)?.is_none() {
                let line = start.line.as_ref().map(|line| line.squares().take(plies).collect());
                missing.push_back((key, Target { line, position: placed.position }));
            }
        }
    }
    Ok(missing)
}

#[derive(Clone, Copy, Default)]
struct Figures {
    new_positions: u64,
    searches: u64,
    nodes: u64,
}

/// A piece of work under way.
struct UnderWay {
    work: Work,
    target: Target,
    started: Instant,
    /// Tells how deep its search is.
    stop: Stop,
}

/// The thread that owns the book.
struct Growth<'a> {
    book: &'a mut Book,
    /// Positions in the book at the start of this run.
    before: u64,
    /// Positions in the book at the last commit.
    kept: u64,
    options: &'a GrowOptions,
    source: SourceId,
    run: RunId,
    starts: &'a [GrowStart],
    roots: &'a [Placed],
    /// Raised at the end, for the searches that are then under way.
    cancel: &'a Stop,
    /// Positions that the lines ask for and that are not in the book.
    missing: VecDeque<(Key, Target)>,
    /// Nodes on which a search is due because of what was just added, by discs: growth puts right
    /// what it took away before it goes on.
    due: BTreeSet<(u8, Key)>,
    /// What is left of the last ranking.
    ranked: VecDeque<Leaf>,
    /// Nodes that are being worked on.
    in_flight: HashSet<Key, FixedState>,
    /// What is under way, the oldest first.
    searching: Vec<UnderWay>,
    /// How many of those will add a position.
    new_under_way: u64,
    searches_under_way: u64,
    capacity: usize,
    started: Instant,
    committed: Instant,
    figures: Figures,
    latest: Option<Taken>,
}

impl Growth<'_> {
    fn run(
        &mut self,
        results: &Receiver<Report>,
        stop: &Stop,
        watch: &mut dyn FnMut(&GrowStatus),
        spawn: &mut dyn FnMut(Work, Stop),
    ) -> Result<GrowSummary, GrowError> {
        let mut watched = Instant::now();
        let first = self.roots.first().copied().unwrap_or(Placed::START);
        let before = self.root_values()?;
        let ended = loop {
            if stop.is_stopped() {
                break Ended::Interrupted;
            }
            if self.options.time.is_some_and(|time| self.started.elapsed() >= time) {
                break Ended::Time;
            }
            for (work, stop) in self.next_work(self.capacity - self.searching.len())? {
                spawn(work, stop);
            }
            if self.searching.is_empty() {
                break self.reached().unwrap_or(Ended::NothingLeft);
            }
            match results.recv_timeout(self.patience()) {
                Ok(report) => self.take_report(report)?,
                Err(RecvTimeoutError::Timeout) => {}
                // Cannot happen: the sender lives as long as this loop.
                Err(RecvTimeoutError::Disconnected) => break Ended::Interrupted,
            }
            // All that is there, before ranking anew.
            while self.capacity > 1 {
                let Ok(report) = results.try_recv() else { break };
                self.take_report(report)?;
            }
            if self.committed.elapsed() >= COMMIT_EVERY {
                self.commit()?;
            }
            if watched.elapsed() >= LOOK_EVERY {
                watched = Instant::now();
                watch(&self.status()?);
            }
        };
        // What came in meanwhile is not thrown away.
        while let Ok(report) = results.try_recv() {
            self.take_report(report)?;
        }
        self.book.settle()?;
        let status = self.status()?;
        self.book.end_run(self.run, &this_second(), ended.text())?;
        self.commit()?;
        let first = show(self.book.reader(), first, &ShowOptions::default())?;
        let is_fruitless = status.searches == 0 && ended == Ended::Time;
        let easier = status.searching.as_ref().filter(|_| is_fruitless).and_then(|searching| {
            easier(searching, self.options.depth, self.options.time.unwrap_or(status.elapsed))
        });
        Ok(GrowSummary { status, ended, before, first, easier })
    }

    /// The values of the first position that growth starts from.
    fn root_values(&self) -> Result<Option<Values>, StoreError> {
        let Some(root) = self.roots.first() else { return Ok(None) };
        Ok(self.book.node(&Key::of(root.position))?.map(|node| node.values))
    }

    /// How long to wait for a result before looking up.
    fn patience(&self) -> Duration {
        let left = self.options.time.map(|time| time.saturating_sub(self.started.elapsed()));
        left.map_or(OBEY_EVERY, |left| left.min(OBEY_EVERY))
    }

    /// The limit that keeps new work from being started.
    fn reached(&self) -> Option<Ended> {
        let positions = self.figures.new_positions + self.new_under_way;
        let searches = self.figures.searches + self.searches_under_way;
        if self.options.positions.is_some_and(|most| positions >= most) {
            return Some(Ended::Positions);
        }
        if self.options.searches.is_some_and(|most| searches >= most) {
            return Some(Ended::Searches);
        }
        None
    }

    /// Takes up to `count` pieces of work, which are under way from here on.
    fn next_work(&mut self, count: usize) -> Result<Vec<(Work, Stop)>, StoreError> {
        let mut taken = Vec::new();
        if count == 0 {
            return Ok(taken);
        }
        while taken.len() < count
            && self.reached().is_none()
            && let Some((key, target)) = self.missing.pop_front()
        {
            if self.book.node(&key)?.is_none() && !self.in_flight.contains(&key) {
                let spot = self.spot(key, 0)?;
                taken.push(self.start(Work::New(spot), target));
            }
        }
        for key in self.due_next(count - taken.len())? {
            let spot = self.spot(key, 0)?;
            taken.push(self.start(Work::Rest { spot, solve: false }, key.into()));
        }
        let wanted = count - taken.len();
        let mut leaves = self.kept_leaves(wanted)?;
        if leaves.is_empty() && wanted > 0 && self.reached() != Some(Ended::Searches) {
            self.rank(wanted.max(self.options.policy.batch()))?;
            leaves = self.kept_leaves(wanted)?;
        }
        for leaf in leaves {
            if let Some(work) = self.work_on(&leaf)? {
                let target = Target::of(&leaf, self.starts);
                if leaf.root.is_some() {
                    let (target, regret) = (target.clone(), leaf.regret);
                    self.latest = Some(Taken { target, regret });
                }
                taken.push(self.start(work, target));
            }
        }
        Ok(taken)
    }

    /// Up to so many nodes on which growth made a search due. That adds no position: the limit of
    /// positions does not stand against it.
    fn due_next(&mut self, count: usize) -> Result<Vec<Key>, StoreError> {
        let mut next = Vec::new();
        for (discs, key) in self.due.clone() {
            if next.len() == count || self.reached() == Some(Ended::Searches) {
                break;
            }
            if !self.in_flight.contains(&key) {
                self.due.remove(&(discs, key));
                let is_due = self.book.node(&key)?.is_some_and(|node| node.is_incomplete());
                next.extend(is_due.then_some(key));
            }
        }
        Ok(next)
    }

    /// Ranks anew.
    fn rank(&mut self, count: usize) -> Result<(), StoreError> {
        let leaves = self.options.policy.next(
            self.book.reader(),
            &Request {
                roots: self.roots,
                count,
                in_flight: &self.in_flight,
                max_discs: self.options.max_discs,
                limits: self.options.limits,
                judge: Judge { contempt: self.options.contempt },
            },
        )?;
        self.ranked = leaves.into();
        Ok(())
    }

    /// Up to so many leaves of the last ranking that still ask for something.
    fn kept_leaves(&mut self, count: usize) -> Result<Vec<Leaf>, StoreError> {
        let mut leaves = Vec::new();
        while leaves.len() < count
            && let Some(leaf) = self.ranked.pop_front()
        {
            let busy = |key: &Key| self.in_flight.contains(key);
            let is_busy = busy(&leaf.key) || leaf.child.as_ref().is_some_and(busy);
            let is_there = leaf.reason == Reason::Add && self.book.node(&leaf.key)?.is_some();
            if !is_busy && !is_there {
                leaves.push(leaf);
            }
        }
        Ok(leaves)
    }

    /// What a leaf asks for; none when a limit stands against it. A search that is due adds no
    /// position: the limit of positions does not stand against it.
    fn work_on(&self, leaf: &Leaf) -> Result<Option<Work>, StoreError> {
        match self.reached() {
            Some(Ended::Positions) if leaf.reason == Reason::Due => {}
            Some(_) => return Ok(None),
            None => {}
        }
        let (child, square) = match (leaf.reason, leaf.child, leaf.rest) {
            (Reason::Expand, Some(child), Some(square)) => (child, square),
            (Reason::Add, ..) => return Ok(Some(Work::New(self.spot(leaf.key, 0)?))),
            (reason, ..) => {
                let solve = reason == Reason::Solve;
                return Ok(Some(Work::Rest { spot: self.spot(leaf.key, 0)?, solve }));
            }
        };
        debug_assert_eq!(child_of(leaf.key.position(), square).map(|(key, _)| key), Some(child));
        let led = moves_to(leaf.key, child).squares(leaf.key);
        let (child, parent) = (self.spot(child, 0)?, self.spot(leaf.key, led)?);
        Ok(Some(Work::Expand { child, parent }))
    }

    fn start(&mut self, work: Work, target: Target) -> (Work, Stop) {
        self.in_flight.extend(work.keys());
        let stop = self.cancel.of_one_search();
        let started = Instant::now();
        self.searching.push(UnderWay { work, target, started, stop: stop.clone() });
        self.new_under_way += u64::from(work.adds_position());
        self.searches_under_way += work.keys().count() as u64;
        (work, stop)
    }

    /// A node with all its moves that lead into the book, and some more.
    fn spot(&self, key: Key, more: u64) -> Result<Spot, StoreError> {
        let moves: Vec<Link> = links_of(key, MoveMask::all_of(64)).collect();
        let children: Vec<Key> = moves.iter().map(|link| link.child).collect();
        let found = self.book.nodes(&children)?.into_iter().zip(moves);
        let links = found.filter(|(child, _)| child.is_some());
        let linked = links.fold(more, |linked, (_, link)| linked | link.square.bit());
        Ok(Spot { key, linked })
    }

    /// Puts a result into the book. When the search panicked, what came before is committed.
    fn take_report(&mut self, report: Report) -> Result<(), GrowError> {
        match report {
            Ok(done) => Ok(self.take_in(&done)?),
            Err(work) => {
                self.commit()?;
                let place = work.keys().next().map(|key| format!("{:?}", key.position()));
                Err(GrowError::Panic(place.unwrap_or_default()))
            }
        }
    }

    /// Puts a result into the book.
    fn take_in(&mut self, done: &Done) -> Result<(), StoreError> {
        done.work.keys().for_each(|key| {
            self.in_flight.remove(&key);
        });
        self.searching.retain(|each| each.work != done.work);
        self.new_under_way -= u64::from(done.work.adds_position());
        self.searches_under_way -= done.work.keys().count() as u64;
        self.figures.nodes += done.nodes;
        let searched = |found: &work::SpotResult| Searched {
            depth: found.depth,
            selectivity: found.selectivity,
            source: self.source,
        };
        let (new, rest) = match (done.work, done.found.as_slice()) {
            (Work::Rest { spot, .. }, [found]) => (None, Some((spot, found))),
            (Work::New(spot), [found]) => (Some((spot, found)), None),
            (Work::Expand { child, parent }, [first, second]) => {
                (Some((child, first)), Some((parent, second)))
            }
            // Cut short.
            _ => return Ok(()),
        };
        self.figures.searches += done.found.len() as u64;
        for (spot, found) in [new, rest].into_iter().flatten() {
            tracing::debug!(
                position = ?spot.key.position(),
                score = found.rest.map(|rest| rest.score.to_string()),
                depth = found.depth,
                confidence = found.selectivity.percent(),
                nodes_of_work = done.nodes,
                "searched"
            );
        }
        if let Some((spot, found)) = new {
            let inserted = self.book.insert(spot.key, found.rest, searched(found))?;
            self.figures.new_positions += u64::from(inserted == Inserted::New);
        }
        if let Some((spot, found)) = rest {
            self.book.set_rest(spot.key, found.rest, searched(found))?;
        }
        for key in [new, rest].into_iter().flatten().map(|(spot, _)| spot.key) {
            self.note_due(self.book.node(&key)?);
        }
        if let Some((spot, _)) = new {
            parents(self.book, spot.key)?
                .into_iter()
                .for_each(|parent| self.note_due(Some(parent)));
        }
        self.book.settle()?;
        Ok(())
    }

    /// Notes a node that has lost its rest, or got one that is a link by now.
    fn note_due(&mut self, node: Option<Node>) {
        if let Some(node) = node.filter(Node::is_incomplete) {
            self.due.insert((node.key.discs(), node.key));
        }
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let Figures { new_positions, searches, nodes } = self.figures;
        let progress = format!("{new_positions} new positions, {searches} searches, {nodes} nodes");
        self.book.note_progress(self.run, &progress)?;
        self.book.commit()?;
        self.committed = Instant::now();
        self.kept = self.before + new_positions;
        Ok(())
    }

    fn status(&self) -> Result<GrowStatus, StoreError> {
        Ok(GrowStatus {
            elapsed: self.started.elapsed(),
            positions: self.before + self.figures.new_positions,
            new_positions: self.figures.new_positions,
            searches: self.figures.searches,
            nodes: self.figures.nodes,
            root: self.root_values()?,
            kept: self.kept,
            latest: self.latest.clone(),
            searching: self.searching.first().map(|oldest| Searching {
                target: oldest.target.clone(),
                depth: oldest.stop.depth(),
                goal: oldest.work.plies(self.options.depth),
                elapsed: oldest.started.elapsed(),
            }),
        })
    }
}
