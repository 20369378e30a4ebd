//! The door to the search.

use std::sync::Arc;
use std::time::Instant;

use crate::othello::board::{After, Bitboard, CpuLevel, Position};
use crate::othello::eval::Evaluator;
use crate::othello::score::Score;

use super::context::{Deadline, SearchState};
use super::near::NearTable;
use super::ordering::MoveOrdering;
use super::root::RootSearch;
use super::table::Table;
use super::team::Team;
use super::{Limits, MoveScore, Outcome, Progress, Proof, Selectivity, Stop, ThreadTime, Watch};

/// Searches positions with one evaluator and one transposition table. A result depends only on
/// position, excluded moves, limits and evaluator, never on earlier calls.
pub struct Searcher<E: Evaluator> {
    evaluator: Arc<E>,
    table: Table,
    near: NearTable,
    cpu: CpuLevel,
    threads: usize,
    ordering: MoveOrdering,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher whose transposition table takes at most about so many megabytes. Memory is taken
    /// when a search first needs it.
    pub fn new(evaluator: Arc<E>, table_megabytes: usize) -> Self {
        let (table, near) = (Table::new(table_megabytes), NearTable::default());
        let (cpu, ordering) = (CpuLevel::detect(), MoveOrdering::default());
        Self { evaluator, table, near, cpu, threads: 1, ordering }
    }

    /// The same searcher with the code for another kind of processor: the results are the same.
    #[cfg(test)]
    pub(super) fn on_cpu(self, cpu: CpuLevel) -> Self {
        Self { cpu, ..self }
    }

    /// The same searcher, which puts so many threads on each position. A score to the end is the
    /// same with any number of them; among moves that are equally good another may be found. On
    /// more than one thread a search before the end is not repeated exactly, and a limit of nodes
    /// can be overstepped by what helpers are just doing.
    #[must_use]
    pub(crate) fn on_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// The same searcher with another ordering of moves: it finds scores as good in more time.
    #[must_use]
    pub(crate) fn with_ordering(self, ordering: MoveOrdering) -> Self {
        Self { ordering, ..self }
    }

    /// Takes all the memory that searches may need, so that none has to wait for it: filling a table of
    /// a gigabyte takes seconds, in which nothing else is looked at.
    #[must_use]
    pub(crate) fn prepared(mut self) -> Self {
        self.table.start(usize::MAX);
        self
    }

    /// Takes the memory that a search of a position within these limits needs, so that its time can
    /// be measured without that.
    pub(crate) fn prepare_for(&mut self, position: Position, limits: &Limits) {
        self.table.start(table_entries(limits, position.empties(), 1));
    }

    pub fn evaluator(&self) -> &Arc<E> {
        &self.evaluator
    }

    /// Searches a position for its best move that is not among `excluded`.
    ///
    /// A side that must pass is searched through the pass: no best move, and `excluded` plays no
    /// part. A finished game gives its exact final score. When all moves are excluded there is no
    /// best move and the score is [`Score::MIN`], unproven.
    pub fn search(
        &mut self,
        position: Position,
        excluded: Bitboard,
        limits: &Limits,
        stop: &Stop,
    ) -> Outcome {
        self.search_watched(position, excluded, limits, stop, None)
    }

    /// As [`Self::search`]; `watch` hears of each iteration, and that the search goes on.
    pub(crate) fn search_watched<'w>(
        &mut self,
        position: Position,
        excluded: Bitboard,
        limits: &Limits,
        stop: &Stop,
        watch: Option<&'w mut Watch<'w>>,
    ) -> Outcome {
        let deadline = deadline(limits, stop);
        self.start(limits, position.empties(), 1);
        let team = self.team(near_entries(limits, position.empties()));
        let mut context = SearchState::new(&*self.evaluator, &self.table, &mut self.near, deadline);
        (context.team, context.ordering) = (team.as_ref(), self.ordering);
        context.watch = watch.map(|watch| watch as &mut Watch<'_>);
        search_or_pass(self.cpu, &mut context, position, excluded, limits, true)
    }

    /// Searches every legal move as if the others did not exist, best value first; moves of equal value
    /// are in the order of their squares. `limits.depth` counts the move itself; time and nodes
    /// are for all moves together, and each move gets an equal share of what is left; processor time
    /// is not shared out: the first moves may use all of it. A move that
    /// ends the game has its exact score.
    pub fn all_moves(
        &mut self,
        position: Position,
        limits: &Limits,
        stop: &Stop,
    ) -> Vec<MoveScore> {
        self.all_moves_watched(position, limits, stop, None)
    }

    /// As [`Self::all_moves`]; `watch` hears of each move, and that the search goes on.
    pub(crate) fn all_moves_watched<'w>(
        &mut self,
        position: Position,
        limits: &Limits,
        stop: &Stop,
        watch: Option<&'w mut Watch<'w>>,
    ) -> Vec<MoveScore> {
        let moves = position.legal_moves();
        let whole = deadline(limits, stop);
        self.start(limits, position.empties(), moves.len());
        let team = self.team(near_entries(limits, position.empties()));
        let mut context =
            SearchState::new(&*self.evaluator, &self.table, &mut self.near, whole.clone());
        (context.team, context.ordering) = (team.as_ref(), self.ordering);
        context.watch = watch.map(|watch| watch as &mut Watch<'_>);
        let limits = Limits { depth: limits.depth.saturating_sub(1), ..*limits };
        let left = (1..=moves.len()).rev();
        let mut scores: Vec<MoveScore> = moves
            .zip(left)
            .filter_map(|(square, left)| {
                let before = context.nodes;
                context.start_over(whole.share(before, left as u32));
                let after = position.after(square)?;
                let mut found = match after.position() {
                    Some(child) => search_or_pass(self.cpu, &mut context, child, 0, &limits, false),
                    None => finished(position.play(square)?, before),
                };
                if !matches!(after, After::Same(_)) {
                    found = seen_by_other_side(found);
                }
                found.line.insert(0, square);
                (found.depth, found.nodes) = (found.depth + 1, context.nodes - before);
                let found = MoveScore::of(square, found);
                context.report(Progress::Move(&found));
                Some(found)
            })
            .collect();
        scores.sort_by_key(|each| std::cmp::Reverse(each.value));
        scores
    }

    /// Starts so many searches together with empty tables.
    fn start(&mut self, limits: &Limits, empties: u8, searches: usize) {
        self.table.start_within(table_entries(limits, empties, searches), fillable(limits));
        self.table.keep_deeper(limits.depth < empties);
        self.near.start(near_entries(limits, empties));
    }

    fn team(&self, near_entries: usize) -> Option<Team<E::State>> {
        (self.threads > 1).then(|| Team::new(self.threads, near_entries))
    }
}

pub(super) fn deadline(limits: &Limits, stop: &Stop) -> Deadline {
    let time = limits.time.and_then(|time| Instant::now().checked_add(time));
    let cpu_time = limits.cpu_time.map(|most| (ThreadTime::now(), most));
    Deadline { stop: stop.clone(), time, cpu_time, nodes: limits.nodes }
}

/// Entries of the table that are filled in a tenth of a second, at 50 ns each: where memory is slow.
const FILLED_IN_TENTH: f64 = 2_000_000.0;

/// How many entries may be filled for a search: with a limit of time as many as take a tenth of it.
fn fillable(limits: &Limits) -> usize {
    let time = limits.time.into_iter().chain(limits.cpu_time).min();
    time.map_or(usize::MAX, |time| (time.as_secs_f64() * FILLED_IN_TENTH) as usize)
}

/// Entries that so many searches, one for each of a position's moves or a single one, can make use of
/// together: a small search is faster in a small table, which stays in the cache.
fn table_entries(limits: &Limits, empties: u8, searches: usize) -> usize {
    if limits.depth >= empties {
        return 1 << (2 + 2 * empties / 3).min(26);
    }
    (1 << (9 + limits.depth / 2).min(26)) * searches.clamp(1, 8)
}

/// As [`table_entries`], for the near table: less than half of a second-level cache at most, as the
/// evaluator's tables and the large table want their share.
fn near_entries(limits: &Limits, empties: u8) -> usize {
    if limits.depth >= empties { 1 << (2 + empties).min(14) } else { 1 }
}

fn search_or_pass<E: Evaluator>(
    cpu: CpuLevel,
    context: &mut SearchState<'_, E>,
    position: Position,
    excluded: Bitboard,
    limits: &Limits,
    reports: bool,
) -> Outcome {
    let legal = position.legal_moves().0;
    if legal & !excluded != 0 {
        let allowed = legal & !excluded;
        let task = RootSearch { context, position, allowed, limits: *limits, reports };
        return cpu.run(task);
    }
    if legal != 0 {
        return Outcome {
            score: Score::MIN,
            value: Score::MIN,
            proof: Proof::None,
            depth: 0,
            ..finished(position, context.nodes)
        };
    }
    let passed = position.passed();
    if !passed.can_move() {
        return finished(position, context.nodes);
    }
    let through = search_or_pass(cpu, context, passed, 0, limits, reports);
    Outcome { best: None, ..seen_by_other_side(through) }
}

/// What there is to say of a finished game.
pub(super) fn finished(position: Position, nodes: u64) -> Outcome {
    let score = Score::from_discs(position.final_score());
    Outcome {
        best: None,
        score,
        value: score,
        proof: Proof::Exact,
        depth: position.empties(),
        selectivity: Selectivity::FULL,
        line: Vec::new(),
        nodes,
        complete: true,
    }
}

pub(super) fn seen_by_other_side(outcome: Outcome) -> Outcome {
    Outcome {
        score: -outcome.score,
        value: -outcome.value,
        proof: outcome.proof.seen_by_other(),
        ..outcome
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::othello::eval::PatternEvaluator;
    use crate::othello::search::Goal;

    #[test]
    fn no_time_is_spent_on_a_table_that_there_is_no_time_to_use() {
        let position = Position::START;
        let filled = |limits: &Limits| {
            // Nothing of it is taken before it is needed.
            let mut searcher = Searcher::new(PatternEvaluator::embedded().unwrap(), 1 << 12);
            let stop = Stop::new();
            stop.stop();
            searcher.search(position, 0, limits, &stop);
            searcher.table.entries()
        };
        let depth = Limits::depth(22, Selectivity::FULL);
        assert_eq!(filled(&depth), 1 << 20, "without a limit as many as the depth needs");
        let time = |milliseconds| Some(Duration::from_millis(milliseconds));
        let solve = Limits::solve(Goal::Score);
        for limits in [
            Limits { time: time(100), ..solve },
            Limits { cpu_time: time(100), ..solve },
            Limits { time: time(100), cpu_time: time(1_000_000), ..solve },
        ] {
            assert_eq!(filled(&limits), 1 << 18, "{limits:?}");
        }
    }
}
