//! The thread that owns the book while it grows.

mod results;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::files::counted::counted;
use crate::openbook::policy::{GiveUp, Leaf, Reason, Request};
use crate::openbook::propagate::moves_to;
use crate::openbook::regret::Judge;
use crate::openbook::{
    BookMove, Evidence, NodeSource, NodeView, Searched, Source, SourceId, Values, child_of,
};
use crate::othello::board::{Key, Placed, Square, turn_to_f5};
use crate::othello::program::ENGINE;
use crate::othello::score::Score;
use crate::othello::search::Stop;
use crate::store::{Book, RunId, StoreError};

use crate::app::clock::{this_second, today};
use crate::app::facts::refused_facts;
use crate::app::grow::agenda::Agenda;
use crate::app::grow::crew::{Assignment, Crew, Refused};
use crate::app::grow::easier::easier;
use crate::app::grow::history::Recorder;
use crate::app::grow::judge::{error_of, left_out};
use crate::app::grow::spent::Meter;
use crate::app::grow::start::{GrowStart, Target, missing};
use crate::app::grow::terms::{
    EarlierWork, Ended, GrowError, GrowOptions, GrowStatus, GrowSummary, Searching, Taken,
};
use crate::app::grow::under_way::{AllUnderWay, UnderWay};
use crate::app::grow::work::{Depth, Spot, Work};
use crate::app::searched_by::searched_by;
use crate::app::show::{ShowOptions, show};

/// Results are committed this often where no search is due because of them, so that a run after a kill
/// decides as if there had been none.
const COMMIT_EVERY: Duration = Duration::from_millis(750);
/// They are committed at least this often.
const COMMIT_AT_LAST: Duration = Duration::from_secs(1);
/// For so long at most the results of an earlier run are added before growth begins: what it hands
/// out before the rest of them may be searched for nothing.
const FIRST_AT_MOST: Duration = Duration::from_secs(10);
/// For so long at most results are added at the end. A crew that keeps what is not committed has the
/// others for the next run.
const LAST_AT_MOST: Duration = Duration::from_millis(500);
/// The display is looked at this often.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The wish to stop and the clock are looked at this often: a face may promise to obey within 50 ms.
const OBEY_EVERY: Duration = Duration::from_millis(10);
/// Work for no more than one in so many positions of the book is under way at once: a small book has
/// few leaves worth a search, and what is found makes better ones.
const POSITIONS_FOR_EACH: u64 = 4;
/// So much work may be under way however small the book is.
const ALWAYS: usize = 16;
/// With more work than this under way, many leaves are ranked at once and kept.
const MANY: usize = 256;

/// So many bytes may be kept of one choice for the next one,
const KEPT_ALWAYS: usize = 100 << 20;
/// and so many more for each position of the book at the start.
const KEPT_FOR_EACH: usize = 24;

fn depth_text(depth: Depth) -> String {
    match depth {
        Depth::Level(level) => level.to_string(),
        Depth::Fixed { depth, selectivity } => format!("{depth}@{}%", selectivity.percent()),
    }
}

/// How much work may be under way in a book of so many positions.
fn most_under_way(positions: u64) -> usize {
    usize::try_from(positions / POSITIONS_FOR_EACH).unwrap_or(usize::MAX).max(ALWAYS)
}

/// How many bytes may be kept of one choice for the next one in a book of so many positions.
fn most_kept(positions: u64) -> usize {
    KEPT_ALWAYS + usize::try_from(positions).unwrap_or(usize::MAX).saturating_mul(KEPT_FOR_EACH)
}

/// What came into the book.
#[derive(Clone, Copy, Default)]
struct Figures {
    new_positions: u64,
    searches: u64,
    nodes: u64,
}

/// The thread that owns the book.
pub(super) struct Growth<'a> {
    book: &'a mut Book,
    crew: &'a mut dyn Crew,
    /// Positions in the book at the start of this run.
    before: u64,
    /// Positions in the book at the last commit.
    kept: u64,
    options: &'a GrowOptions,
    /// The evaluator, as sources name it.
    evaluator: String,
    /// The sources of searches of so many depths, as they came.
    sources: Vec<(Depth, SourceId)>,
    run: RunId,
    starts: &'a [GrowStart],
    roots: &'a [Placed],
    /// Raised at the end, for the searches that are then under way.
    cancel: &'a Stop,
    agenda: Agenda,
    under_way: AllUnderWay,
    started: Instant,
    committed: Instant,
    /// Of what this run has handed out.
    figures: Figures,
    /// Of what others searched for an earlier run: no limit of this one applies to it.
    earlier: Figures,
    refused: Refused,
    /// The first nodes of work that was handed out and came to nothing: a result that comes later is of
    /// this run all the same.
    came_to_nothing: HashSet<Key>,
    /// Positions that no worker could search, as the book has them.
    failed: HashSet<Key>,
    /// What no worker can search, and why.
    set_aside: Vec<(Target, String)>,
    latest: Option<Taken>,
    recorder: Recorder,
    meter: Meter,
}

impl<'a> Growth<'a> {
    /// Notes the run in the book.
    pub(crate) fn start(
        book: &'a mut Book,
        crew: &'a mut dyn Crew,
        evaluator: &str,
        options: &'a GrowOptions,
        (starts, roots): (&'a [GrowStart], &'a [Placed]),
        cancel: &'a Stop,
    ) -> Result<Self, GrowError> {
        let run = book.start_run(&options.asked, &this_second())?;
        let before = book.reader().counts()?.positions;
        let recorder = Recorder::start(book, run, roots, before)?;
        book.commit()?;
        let mut under_way = AllUnderWay::default();
        let failed: HashSet<Key> = book.reader().fleet().failed()?.into_iter().collect();
        if crew.status().is_some() {
            under_way.leave_alone(failed.iter().copied());
        }
        Ok(Self {
            agenda: Agenda::new(missing(book, starts, options.max_discs)?, most_kept(before)),
            before,
            kept: before,
            book,
            crew,
            options,
            evaluator: searched_by(evaluator),
            sources: Vec::new(),
            run,
            starts,
            roots,
            cancel,
            under_way,
            started: Instant::now(),
            committed: Instant::now(),
            figures: Figures::default(),
            earlier: Figures::default(),
            refused: Refused::new(),
            came_to_nothing: HashSet::new(),
            failed,
            set_aside: Vec::new(),
            latest: None,
            recorder,
            meter: Meter::start(),
        })
    }

    /// Grows until a limit is reached, nothing is left, or `stop` is raised.
    pub(crate) fn run(
        mut self,
        stop: &Stop,
        watch: &mut dyn FnMut(&GrowStatus),
    ) -> Result<GrowSummary, GrowError> {
        let mut watched = Instant::now();
        let first = self.roots.first().copied().unwrap_or(Placed::START);
        let before = self.root_values()?;
        // None where the clock does not go so far.
        let at = self.options.time.and_then(|time| self.started.checked_add(time));
        let give_up = GiveUp { stop: Some(stop), at };
        // What others searched for a run before this one.
        self.take_all(FIRST_AT_MOST, give_up)?;
        let ended = loop {
            if give_up.is_due() {
                break if stop.is_stopped() { Ended::Interrupted } else { Ended::Time };
            }
            self.meter.lap(|spent| &mut spent.other);
            let tasks = self.next_tasks(give_up)?;
            self.meter.lap(|spent| &mut spent.rank);
            if !tasks.is_empty() {
                self.crew.give(tasks);
            }
            // What a ranking that was cut short would have found is unknown.
            if give_up.is_due() {
                continue;
            }
            if self.under_way.len() == 0 {
                break self.reached().unwrap_or(Ended::NothingLeft);
            }
            self.take_reports(self.patience())?;
            self.recorder.note(self.book, self.positions(), self.searches())?;
            self.commit_if_due()?;
            if watched.elapsed() >= LOOK_EVERY {
                watched = Instant::now();
                watch(&self.status()?);
            }
        };
        // What came in meanwhile is not thrown away.
        self.take_all(LAST_AT_MOST, GiveUp::default())?;
        self.book.settle()?;
        let status = self.status()?;
        self.recorder.end(self.book, self.positions(), self.searches())?;
        self.book.end_run(self.run, &this_second(), ended.text())?;
        self.commit()?;
        // Growth goes by searches alone, and reports their results.
        let by_search = ShowOptions { with_facts: false, ..ShowOptions::default() };
        let first = show(self.book.reader(), first, &by_search)?;
        let refused_facts = refused_facts(self.book.reader())?;
        let is_fruitless = status.searches == 0 && ended == Ended::Time;
        let easier = status.searching.as_ref().filter(|_| is_fruitless).and_then(|searching| {
            easier(searching, self.options.depth, self.options.time.unwrap_or(status.elapsed))
        });
        let chosen_anew = self.agenda.keeps_nothing().then(|| most_kept(self.before));
        let set_aside = self.set_aside;
        Ok(GrowSummary {
            status,
            ended,
            before,
            first,
            easier,
            set_aside,
            refused_facts,
            chosen_anew,
        })
    }

    /// The values of the first position that growth starts from.
    fn root_values(&self) -> Result<Option<Values>, StoreError> {
        let Some(root) = self.roots.first() else { return Ok(None) };
        Ok(self.book.node(&Key::of(root.position))?.map(|node| node.values))
    }

    /// The moves of that position, the best first; of those that lead to the same one the first.
    fn root_moves(&self) -> Result<Vec<(Square, Score)>, StoreError> {
        let Some(root) = self.roots.first() else { return Ok(Vec::new()) };
        let mut moves = NodeView::of(self.book, root.position)?.moves;
        let child = |found: &BookMove| found.child.map(|child| child.key);
        moves.dedup_by(|one, other| child(one).is_some() && child(one) == child(other));
        // Of the four first moves players write f5.
        let first = moves.first().filter(|_| *root == Placed::START);
        let turn = first.and_then(|found| turn_to_f5(found.square));
        let valued = moves.iter().filter_map(|found| {
            let square = turn.map_or(found.square, |turn| turn.square(found.square));
            Some((square, found.values?.guess))
        });
        Ok(valued.collect())
    }

    fn positions(&self) -> u64 {
        self.before + self.earlier.new_positions + self.figures.new_positions
    }

    /// All searches that came into the book.
    fn searches(&self) -> u64 {
        self.earlier.searches + self.figures.searches
    }

    /// How long to wait for a result before looking up.
    fn patience(&self) -> Duration {
        let left = self.options.time.map(|time| time.saturating_sub(self.started.elapsed()));
        left.map_or(OBEY_EVERY, |left| left.min(OBEY_EVERY))
    }

    /// The limit that keeps new work from being started.
    fn reached(&self) -> Option<Ended> {
        let positions = self.figures.new_positions + self.under_way.new_positions();
        let searches = self.figures.searches + self.under_way.searches();
        if self.options.positions.is_some_and(|most| positions >= most) {
            return Some(Ended::Positions);
        }
        if self.options.searches.is_some_and(|most| searches >= most) {
            return Some(Ended::Searches);
        }
        None
    }

    /// Takes as much as the crew wants, which is under way from here on.
    fn next_tasks(&mut self, give_up: GiveUp<'_>) -> Result<Vec<Assignment>, StoreError> {
        let mut taken = Vec::new();
        let capacity = self.crew.capacity().min(most_under_way(self.positions()));
        let count = capacity.saturating_sub(self.under_way.len());
        if count == 0 {
            return Ok(taken);
        }
        while taken.len() < count
            && self.reached().is_none()
            && let Some((key, target)) =
                self.agenda.next_missing(self.book, self.under_way.busy())?
        {
            let depth = self.options.depth;
            let spot = self.spot(key, 0, depth)?;
            taken.push(self.take_up(Work::New(spot), target, depth));
        }
        // Restores what growth itself took away, which adds no position: the limit of positions does
        // not apply to it.
        if self.reached() != Some(Ended::Searches) {
            let wanted = count - taken.len();
            for key in self.agenda.next_due(self.book, self.under_way.busy(), wanted)? {
                let depth = self.at_least_as_deep(self.options.depth, key)?;
                let work = Work::Rest { spot: self.spot(key, 0, depth)?, solve: false };
                taken.push(self.take_up(work, key.into(), depth));
            }
        }
        let wanted = count - taken.len();
        let mut leaves = self.agenda.next_leaves(self.book, self.under_way.busy(), wanted)?;
        if leaves.is_empty() && wanted > 0 && self.reached() != Some(Ended::Searches) {
            // Ranking goes past all that is under way.
            let kept = if capacity > MANY { capacity / 4 } else { 1 };
            let batch = self.options.policy.batch(self.positions(), self.figures.searches);
            self.rank(wanted.max(batch).max(kept), give_up)?;
            leaves = self.agenda.next_leaves(self.book, self.under_way.busy(), wanted)?;
        }
        for leaf in leaves {
            if let Some((work, depth)) = self.work_on(&leaf)? {
                let target = Target::of(&leaf, self.starts);
                if leaf.root.is_some() {
                    let (target, regret) = (target.clone(), leaf.regret);
                    self.latest = Some(Taken { target, regret });
                }
                taken.push(self.take_up(work, target, depth));
            }
        }
        Ok(taken)
    }

    fn rank(&mut self, count: usize, give_up: GiveUp<'_>) -> Result<(), StoreError> {
        let request = Request {
            roots: self.roots,
            count,
            in_flight: self.under_way.busy(),
            max_discs: self.options.max_discs,
            limits: self.options.limits,
            judge: Judge { contempt: self.options.contempt },
            depth: self.options.depth,
            give_up,
        };
        self.agenda.note_written(self.book.take_written());
        // All that is read of one moment: each look-up for itself would have to ask the system whether the file
        // is still the same.
        let _snapshot = self.book.reader().snapshot()?;
        self.agenda.rank(&*self.options.policy, self.book.reader(), &request)
    }

    /// What a leaf asks for, and how deep; none when a limit applies to it. A search that is due adds no
    /// position: the limit of positions does not apply to it.
    fn work_on(&self, leaf: &Leaf) -> Result<Option<(Work, Depth)>, StoreError> {
        match self.reached() {
            Some(Ended::Positions) if leaf.reason == Reason::Due => {}
            Some(_) => return Ok(None),
            None => {}
        }
        let depth = self.options.depth_for(leaf.reason);
        let (child, square) = match (leaf.reason, leaf.child, leaf.rest) {
            (Reason::Expand, Some(child), Some(square)) => (child, square),
            (Reason::Add, ..) => {
                let work = Work::New(self.spot(leaf.key, 0, depth)?);
                return Ok(Some((work, depth)));
            }
            (Reason::Solve, ..) => {
                let error = Evidence::EXACT;
                let linked = left_out(self.book, leaf.key, error)?;
                let spot = Spot { key: leaf.key, linked };
                return Ok(Some((Work::Rest { spot, solve: true }, depth)));
            }
            _ => {
                let mut depth = self.at_least_as_deep(depth, leaf.key)?;
                if let Some((plies, selectivity)) = leaf.least {
                    depth = depth.at_least(leaf.key.position().empties(), plies, selectivity);
                }
                let spot = self.spot(leaf.key, 0, depth)?;
                return Ok(Some((Work::Rest { spot, solve: false }, depth)));
            }
        };
        debug_assert_eq!(child_of(leaf.key.position(), square).map(|(key, _)| key), Some(child));
        let depth = self.at_least_as_deep(depth, leaf.key)?;
        let led = moves_to(leaf.key, child).squares(leaf.key);
        let (child, parent) = (self.spot(child, 0, depth)?, self.spot(leaf.key, led, depth)?);
        Ok(Some((Work::Expand { child, parent }, depth)))
    }

    /// As deep as growth searches, or as the position was searched before where that is deeper: nothing deep is
    /// replaced by something shallow.
    fn at_least_as_deep(&self, depth: Depth, key: Key) -> Result<Depth, StoreError> {
        let Some(node) = self.book.node(&key)?.filter(|node| node.record.is_some()) else {
            return Ok(depth);
        };
        let Searched { depth: plies, selectivity, .. } = node.searched;
        Ok(depth.at_least(key.position().empties(), plies, selectivity))
    }

    fn take_up(&mut self, work: Work, target: Target, depth: Depth) -> Assignment {
        let stop = self.cancel.of_one_search();
        let started = Instant::now();
        self.under_way.add(UnderWay { work, depth, target, started, stop: stop.clone() });
        Assignment { work, depth, stop }
    }

    /// A node with its moves that a search of this depth leaves out: those that lead to positions which are as
    /// sure, and some more.
    fn spot(&self, key: Key, more: u64, depth: Depth) -> Result<Spot, StoreError> {
        let error = error_of(&depth.limits(key.position().empties()), key);
        Ok(Spot { key, linked: left_out(self.book, key, error)? | more })
    }

    /// The source of what is searched so deep.
    fn source_of(&mut self, depth: Depth) -> Result<SourceId, StoreError> {
        if let Some(&(_, source)) = self.sources.iter().find(|(known, _)| *known == depth) {
            return Ok(source);
        }
        let source = self.book.source_id(&Source {
            engine: ENGINE.to_owned(),
            evaluator: self.evaluator.clone(),
            level: depth_text(depth),
            day: today(),
            ..Source::default()
        })?;
        self.sources.push((depth, source));
        Ok(source)
    }

    /// Commits as often as promised.
    fn commit_if_due(&mut self) -> Result<(), StoreError> {
        let waits = if self.agenda.has_due() { COMMIT_AT_LAST } else { COMMIT_EVERY };
        if self.committed.elapsed() >= waits {
            self.commit()?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let done = |figures: Figures| {
            let new = counted(figures.new_positions, "new position");
            format!("{new}, {}", counted(figures.searches, "search"))
        };
        let mut progress =
            format!("{}, {}", done(self.figures), counted(self.figures.nodes, "node"));
        if self.earlier.searches > 0 {
            progress += &format!("; of an earlier run {}", done(self.earlier));
        }
        self.meter.lap(|spent| &mut spent.other);
        self.book.note_progress(self.run, &progress)?;
        self.book.commit()?;
        self.meter.lap(|spent| &mut spent.commit);
        self.crew.committed();
        self.committed = Instant::now();
        self.kept = self.positions();
        Ok(())
    }

    fn status(&self) -> Result<GrowStatus, StoreError> {
        Ok(GrowStatus {
            elapsed: self.started.elapsed(),
            positions: self.positions(),
            new_positions: self.figures.new_positions,
            searches: self.figures.searches,
            nodes: self.figures.nodes,
            earlier: EarlierWork {
                positions: self.earlier.new_positions,
                searches: self.earlier.searches,
            },
            root: self.root_values()?,
            root_moves: self.root_moves()?,
            kept: self.kept,
            latest: self.latest.clone(),
            crew: self.crew.status(),
            in_flight: self.under_way.len() as u64,
            refused: self.refused.clone(),
            spent: self.meter.spent(),
            searching: self.under_way.oldest().map(|oldest| Searching {
                target: oldest.target.clone(),
                depth: oldest.stop.depth(),
                goal: oldest.work.plies(oldest.depth),
                elapsed: oldest.started.elapsed(),
            }),
        })
    }
}
