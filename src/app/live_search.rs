//! A search that deepens and reports each iteration.

use std::time::{Duration, Instant};

use crate::othello::board::{Bitboard, Position, Square, same_move};
use crate::othello::search::{
    AnySearcher, Level, Limits, MoveScore, Progress, Proof, Selectivity, Stop, Watch,
};

/// That a search goes on is reported this often.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// Says now and then that something goes on.
pub(super) struct Ticks {
    began: Instant,
    last: Instant,
}

impl Ticks {
    pub(super) fn start() -> Self {
        let now = Instant::now();
        Self { began: now, last: now }
    }

    /// How long it has gone on, where that is to be reported again.
    pub(super) fn due(&mut self) -> Option<Duration> {
        let is_due = self.last.elapsed() >= REPORT_EVERY;
        is_due.then(|| {
            self.last = Instant::now();
            self.elapsed()
        })
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// What is known of the moves of a position after a level.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LiveStep {
    /// The level that was finished.
    pub level: Level,
    /// All moves, each searched as if the others did not exist, the best first; of moves that are
    /// images of each other the first. Values are for the side to move.
    pub moves: Vec<MoveScore>,
    /// Positions visited so far, by all levels.
    pub nodes: u64,
    /// Seconds since the search began.
    pub seconds: f64,
}

/// What a search that deepens reports.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Live<'a> {
    /// It goes on: positions visited so far by all levels, and seconds since it began.
    Nodes(u64, f64),
    /// A move was searched at a level that may not be finished yet; of moves that are images of each other the first.
    Move(&'a MoveScore),
    /// A level was finished.
    Step(&'a LiveStep),
}

/// Searches every move of a position at a low level, then at higher ones up to `last`, and gives what
/// each level found. It ends early where all moves are solved, or when `stop` is raised; what an
/// unfinished level found is not given. A position without a move gives nothing.
pub(crate) fn deepen(
    searcher: &mut AnySearcher,
    position: Position,
    last: Level,
    stop: &Stop,
    mut each: impl FnMut(&LiveStep),
) {
    let steps = |live: Live<'_>| {
        if let Live::Step(step) = live {
            each(step);
        }
    };
    deepen_by(position, last, stop, steps, |limits, watch| {
        searcher.all_moves_watched(position, limits, stop, Some(watch))
    });
}

/// As [`deepen`], for the best `count` moves that are not `excluded`: fewer moves take less time.
pub(super) fn deepen_best(
    searcher: &mut AnySearcher,
    position: Position,
    excluded: Bitboard,
    count: usize,
    last: Level,
    stop: &Stop,
    each: impl FnMut(Live<'_>),
) {
    let is_excluded = |square: Square| excluded & square.bit() != 0;
    let moves = position.legal_moves().filter(|square| !is_excluded(*square)).count();
    deepen_by(position, last, stop, each, |limits, watch| match count < moves {
        true => best_moves(searcher, position, excluded, count, limits, stop, watch),
        false => {
            let mut others = |progress: Progress<'_>| match progress {
                Progress::Move(found) if is_excluded(found.square) => {}
                progress => watch(progress),
            };
            let mut all = searcher.all_moves_watched(position, limits, stop, Some(&mut others));
            all.retain(|found| !is_excluded(found.square));
            all
        }
    });
}

/// The best moves that are not excluded, found one after the other, each as the best of a search without those
/// before it, and sorted by value.
fn best_moves(
    searcher: &mut AnySearcher,
    position: Position,
    mut excluded: Bitboard,
    count: usize,
    limits: &Limits,
    stop: &Stop,
    watch: &mut Watch<'_>,
) -> Vec<MoveScore> {
    let mut found: Vec<MoveScore> = Vec::with_capacity(count);
    while found.len() < count && !stop.is_stopped() {
        let before = visited(&found);
        let mut nodes = |progress: Progress<'_>| {
            if let Progress::Nodes(nodes) = progress {
                watch(Progress::Nodes(before + nodes));
            }
        };
        let outcome = searcher.search_watched(position, excluded, limits, stop, Some(&mut nodes));
        let Some(square) = outcome.best else { break };
        let images = position.legal_moves().filter(|&other| same_move(position, square, other));
        excluded |= images.fold(0, |images, other| images | other.bit());
        let next = MoveScore::of(square, outcome);
        watch(Progress::Move(&next));
        found.push(next);
    }
    found.sort_by_key(|each| std::cmp::Reverse(each.value));
    found
}

/// Positions visited for all of these.
fn visited(found: &[MoveScore]) -> u64 {
    found.iter().map(|found| found.nodes).sum()
}

fn deepen_by(
    position: Position,
    last: Level,
    stop: &Stop,
    mut each: impl FnMut(Live<'_>),
    mut search: impl FnMut(&Limits, &mut Watch<'_>) -> Vec<MoveScore>,
) {
    if !position.can_move() {
        return;
    }
    let mut ticks = Ticks::start();
    let mut nodes = 0;
    let mut before = None;
    for level in levels(last) {
        let limits = Limits::level(level, position.empties());
        // Near the end several levels ask for the same.
        let plan = (limits.depth, limits.selectivity);
        if before.replace(plan) == Some(plan) {
            continue;
        }
        let mut known: Vec<Square> = Vec::new();
        let found = search(&limits, &mut |progress| match progress {
            Progress::Nodes(more) => {
                if let Some(time) = ticks.due() {
                    each(Live::Nodes(nodes + more, time.as_secs_f64()));
                }
            }
            // What was cut short is no result of its level.
            Progress::Move(found) if found.complete => {
                if !known.iter().any(|&known| same_move(position, known, found.square)) {
                    known.push(found.square);
                    each(Live::Move(found));
                }
            }
            Progress::Move(_) | Progress::Iteration(_) | Progress::Bounds(..) => {}
        });
        if stop.is_stopped() {
            return;
        }
        nodes += visited(&found);
        let mut moves: Vec<MoveScore> = Vec::with_capacity(found.len());
        for found in found {
            if !moves.iter().any(|known| same_move(position, known.square, found.square)) {
                moves.push(found);
            }
        }
        let is_solved = |found: &MoveScore| {
            found.proof == Proof::Exact && found.selectivity == Selectivity::FULL
        };
        let is_over = moves.iter().all(is_solved);
        let seconds = ticks.elapsed().as_secs_f64();
        each(Live::Step(&LiveStep { level, moves, nodes, seconds }));
        if is_over {
            return;
        }
    }
}

/// The levels on the way: two plies more each time, as a value swings between odd and even depths.
fn levels(last: Level) -> impl Iterator<Item = Level> {
    let numbers = (2..last.number()).step_by(2).chain([last.number().max(1)]);
    numbers.filter_map(Level::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::{Line, Placed};
    use crate::othello::eval::by_name;

    fn searcher() -> AnySearcher {
        AnySearcher::new(by_name("rosebill").unwrap(), 1)
    }

    fn steps(position: Position, last: u8) -> Vec<LiveStep> {
        let mut steps = Vec::new();
        let last = Level::new(last).unwrap();
        deepen(&mut searcher(), position, last, &Stop::new(), |step| steps.push(step.clone()));
        steps
    }

    #[test]
    fn levels_rise_by_two_to_the_last() {
        let numbers = |last: u8| -> Vec<u8> {
            levels(Level::new(last).unwrap()).map(Level::number).collect()
        };
        assert_eq!(numbers(7), [2, 4, 6, 7]);
        assert_eq!(numbers(6), [2, 4, 6]);
        assert_eq!(numbers(0), [1]);
    }

    #[test]
    fn every_move_is_there_once_at_every_level_as_a_search_finds_it() {
        let line: Line = "f5d6c3d3c4".parse().unwrap();
        let position = line.end().unwrap().position;
        let steps = steps(position, 5);
        let levels: Vec<u8> = steps.iter().map(|step| step.level.number()).collect();
        assert_eq!(levels, [2, 4, 5]);
        for step in &steps {
            assert_eq!(step.moves.len(), position.legal_moves().len());
            let limits = Limits::level(step.level, position.empties());
            let alone = searcher().search(position, 0, &limits, &Stop::new());
            assert_eq!(step.moves[0].score, alone.score, "level {}", step.level);
        }
        assert!(steps.windows(2).all(|pair| pair[0].nodes < pair[1].nodes));
        // The four first moves are one.
        let start = super::tests::steps(Placed::START.position, 2);
        assert_eq!(start[0].moves.len(), 1);
    }

    #[test]
    fn the_best_moves_are_the_first_of_all() {
        // Moves are found by score and sorted by value: here both agree on the order.
        let line: Line = "f5d6c3".parse().unwrap();
        let (position, last) = (line.end().unwrap().position, Level::new(4).unwrap());
        let all = steps(position, 4);
        let stop = Stop::new();
        let first = all[1].moves[0].square;
        for (excluded, skipped, count) in [(0, 0, 2), (first.bit(), 1, 2), (first.bit(), 1, 64)] {
            let (mut best, mut told) = (Vec::new(), Vec::new());
            let each = |live: Live<'_>| match live {
                Live::Step(step) => best.push(step.clone()),
                Live::Move(found) => told.push(found.clone()),
                Live::Nodes(..) => {}
            };
            deepen_best(&mut searcher(), position, excluded, count, last, &stop, each);
            assert_eq!(best.len(), all.len());
            // Each move was there before its level was finished.
            told.drain(..best[0].moves.len());
            told.sort_by_key(|found| std::cmp::Reverse(found.value));
            assert_eq!(told, best[1].moves);
            let (best, all) = (&best[1].moves, &all[1].moves[skipped..]);
            assert_eq!(best.len(), all.len().min(count));
            let scores = |moves: &[MoveScore]| -> Vec<(crate::othello::board::Square, i16)> {
                moves.iter().map(|found| (found.square, found.score.centidiscs())).collect()
            };
            assert_eq!(scores(best), scores(&all[..best.len()]));
        }
        // Of moves that are images of each other one is enough.
        let mut start = Vec::new();
        let each = |live: Live<'_>| {
            if let Live::Step(step) = live {
                start.push(step.moves.len());
            }
        };
        deepen_best(&mut searcher(), Placed::START.position, 0, 3, last, &stop, each);
        assert_eq!(start, [1, 1]);
    }

    #[test]
    fn it_ends_where_all_is_solved() {
        let mut position = Placed::START.position;
        while position.empties() > 8 {
            let next = position.legal_moves().next().and_then(|square| position.after(square));
            position = next.and_then(crate::othello::board::After::position).unwrap();
        }
        let steps = steps(position, 30);
        assert!(steps.len() < 5, "{} levels", steps.len());
        assert!(steps.last().unwrap().moves.iter().all(|found| found.proof == Proof::Exact));
    }

    #[test]
    fn a_raised_stop_gives_nothing_half_done() {
        let stop = Stop::new();
        let mut seen = 0;
        deepen(&mut searcher(), Placed::START.position, Level::MAX, &stop, |_| {
            seen += 1;
            stop.stop();
        });
        assert_eq!(seen, 1);
    }
}
