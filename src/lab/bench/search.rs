//! How fast positions are searched and judged.

use std::hint::black_box;
use std::time::Instant;

use super::CpuTime;
use crate::othello::board::{Cpu, CpuLevel, CpuTask, Line, Placed, Portable, Position, Squares};
use crate::othello::eval::Evaluator;
use crate::othello::search::{Limits, Outcome, Searcher, Stop};

/// One search and what it cost.
#[derive(Clone, Debug)]
pub(crate) struct TimedSearch {
    /// What was found. Its number of nodes is the signature of the search: it changes only when
    /// the search or the evaluator does.
    pub outcome: Outcome,
    /// Processor time of all threads, in seconds.
    pub seconds: f64,
    /// Time by the clock, in seconds.
    pub elapsed: f64,
}

/// Searches a position and takes the time, in which the table is not filled.
pub(crate) fn time_search<E: Evaluator>(
    searcher: &mut Searcher<E>,
    position: Position,
    limits: &Limits,
) -> TimedSearch {
    searcher.prepare_for(position, limits);
    let (start, clock) = (CpuTime::now(), Instant::now());
    let outcome = searcher.search(position, 0, limits, &Stop::new());
    let elapsed = clock.elapsed().as_secs_f64();
    TimedSearch { outcome, seconds: start.seconds(), elapsed }
}

/// The lines to the midgame positions that [`midgame_positions`] gives: openings and what follows.
const LINES: [&str; 10] = [
    "",
    "f5d6c3d3c4",
    "f5f6e6f4g5",
    "f5d6c4",
    "f5d6c3d3c4f4c5b3c2e6",
    "f5f4e3f6d3e2",
    "f5d6c3d3c4f4f6f3e6e7",
    "f5d6c4d3c5f4e3f3e2c6",
    "f5f6e6f4e3c5c4",
    "f5d6c3d3c4b3b4c5",
];

/// Midgame positions that are always the same, with the lines that lead there.
pub(crate) fn midgame_positions() -> Vec<(&'static str, Placed)> {
    LINES.iter().filter_map(|text| Some((*text, text.parse::<Line>().ok()?.end()?))).collect()
}

/// How many static evaluations were made and what they cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TimedEvaluations {
    pub count: u64,
    /// Processor time, in seconds.
    pub seconds: f64,
    /// All values added up: the same for the same evaluator.
    pub sum: i64,
}

/// Evaluates all positions up to `depth` plies after the given ones, keeping the evaluator's state
/// up to date from move to move (`incremental`) or taking it anew from each board.
pub(crate) fn time_evaluations<E: Evaluator>(
    evaluator: &E,
    positions: &[Position],
    depth: u32,
    incremental: bool,
) -> TimedEvaluations {
    let start = CpuTime::now();
    let (mut count, mut sum) = (0, 0);
    for &position in positions {
        let state = &evaluator.state(position);
        count += 1;
        sum += i64::from(evaluator.estimate(Portable, state, position).centidiscs());
        if depth == 0 {
            continue;
        }
        let walk = Walk {
            evaluator,
            state,
            position,
            depth,
            incremental,
            count: &mut count,
            sum: &mut sum,
        };
        CpuLevel::detect().run(walk);
    }
    TimedEvaluations { count, seconds: start.seconds(), sum: black_box(sum) }
}

struct Walk<'a, E: Evaluator> {
    evaluator: &'a E,
    state: &'a E::State,
    position: Position,
    depth: u32,
    incremental: bool,
    count: &'a mut u64,
    sum: &'a mut i64,
}

impl<E: Evaluator> CpuTask for Walk<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { evaluator, state, position, depth, incremental, count, sum } = self;
        for square in Squares(cpu.legal_moves(position.mover, position.opponent)) {
            let turned = cpu.flips(square, position.mover, position.opponent);
            let position = position.with_move(square, turned);
            let state = &if incremental {
                evaluator.play(state, square, turned)
            } else {
                evaluator.state(position)
            };
            *count += 1;
            *sum += i64::from(evaluator.estimate(cpu, state, position).centidiscs());
            // As in a search, there is no call for what is judged without looking further.
            if depth == 1 {
                continue;
            }
            cpu.enter(Walk {
                evaluator,
                state,
                position,
                depth: depth - 1,
                incremental,
                count: &mut *count,
                sum: &mut *sum,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::PatternEvaluator;
    use crate::othello::search::Selectivity;

    #[test]
    fn both_ways_of_evaluating_agree() {
        let evaluator = PatternEvaluator::embedded().unwrap();
        let positions: Vec<_> = midgame_positions().iter().map(|(_, p)| p.position).collect();
        assert_eq!(positions.len(), LINES.len());
        let one = time_evaluations(&*evaluator, &positions, 2, true);
        let other = time_evaluations(&*evaluator, &positions, 2, false);
        assert_eq!((one.count, one.sum), (other.count, other.sum));
        assert!(one.count > 500);
    }

    #[test]
    fn a_search_is_timed() {
        let mut searcher = Searcher::new(PatternEvaluator::embedded().unwrap(), 1);
        let limits = Limits::depth(4, Selectivity::FULL);
        let timed = time_search(&mut searcher, Position::START, &limits);
        assert!(timed.outcome.nodes > 50 && timed.seconds >= 0.0);
    }
}
