//! The bounce between searches of odd and of even depth, and the constant of each ply that damps it
//! (the idea is in "How Ntest Works").
//!
//! The mean of an evaluator over the positions it was fitted to is right, but a search ends in
//! positions of another kind: those that look best to one side. There the means are off, and
//! differently for odd and even numbers of empty squares, because the last mover matters more to
//! them than to the positions of good games.

use crate::app::amounts::within;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::{TrainError, read_training_games};
use crate::app::amounts::{at_least, whole};
use crate::othello::board::Position;
use crate::othello::eval::PatternEvaluator;
use crate::othello::eval::train::PositionMaker;
use crate::othello::eval::weights::{UNITS_PER_DISC, Weights};
use crate::othello::search::{Goal, Limits, Searcher, Selectivity, Stop};

/// Where to measure the bounce.
#[derive(Args, Clone, Debug)]
pub(crate) struct BounceRequest {
    /// Game files (*.wtb, own games) or folders of them, whose beginnings lead to positions
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub games: Vec<PathBuf>,
    /// Positions for each number of empties
    #[arg(long, default_value_t = 200, value_parser = at_least::<1, u64>)]
    pub positions: u64,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 5, value_parser = within::<u8>(2..=12))]
    pub depth: u8,
    /// Another seed chooses other positions
    #[arg(long, default_value_t = 1, value_parser = whole)]
    pub seed: u64,
}

/// The bounce of searches whose last positions have so many empties.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Bounce {
    /// Empties after the last ply.
    pub empties: u8,
    /// How much more a search to there says than the mean of those a ply less and a ply more, for
    /// the side that is not to move there, in discs.
    pub discs: f64,
}

/// Numbers of empties of the measured positions.
const EMPTIES: std::ops::RangeInclusive<u8> = 10..=54;

pub(crate) fn measure_bounce(
    request: &BounceRequest,
    evaluator: &Arc<PatternEvaluator>,
    stop: &Stop,
) -> Result<Vec<Bounce>, TrainError> {
    let games = read_training_games(&request.games)?;
    let mut sums = [(0.0, 0.0); 65];
    for empties in EMPTIES {
        let discs = 64 - empties;
        let maker = PositionMaker {
            games: &games,
            evaluator: evaluator.as_ref(),
            from_discs: discs,
            to_discs: discs,
        };
        let deepest = request.depth.min(empties - 1);
        let values: Option<Vec<Vec<f64>>> = (0..request.positions)
            .into_par_iter()
            .map_init(
                || Searcher::new(Arc::clone(evaluator), 16),
                |searcher, number| {
                    let position = maker.position(request.seed, number);
                    let values = by_depth(searcher, position, deepest, stop);
                    (!stop.is_stopped()).then_some(values)
                },
            )
            .collect();
        let values = values.ok_or(TrainError::Stopped)?;
        for depth in 1..usize::from(deepest) {
            let excess = |v: &Vec<f64>| v[depth] - f64::midpoint(v[depth - 1], v[depth + 1]);
            let mean = values.iter().map(excess).sum::<f64>() / values.len().max(1) as f64;
            let sign = if depth % 2 == 1 { 1.0 } else { -1.0 };
            let (sum, count) = &mut sums[usize::from(empties) - depth];
            *sum += sign * mean;
            *count += 1.0;
        }
    }
    let found = (0_u8..).zip(sums).filter(|&(_, (_, count))| count > 0.0);
    Ok(found.map(|(empties, (sum, count))| Bounce { empties, discs: sum / count }).collect())
}

fn by_depth(
    searcher: &mut Searcher<PatternEvaluator>,
    position: Position,
    deepest: u8,
    stop: &Stop,
) -> Vec<f64> {
    let value = |depth| {
        let limits = Limits::depth(depth, Selectivity::FULL);
        searcher.search(position, 0, &limits, stop).score.discs()
    };
    (0..=deepest).map(value).collect()
}

/// Positions with at most so many empties are solved instead of searched.
const SOLVED_EMPTIES: u8 = 14;

/// Plies of the two searches that shallow ones are compared with.
const DEEP: [u8; 2] = [9, 10];

/// Plies of the two shallow searches.
const SHALLOW: [u8; 2] = [3, 4];

/// Fewest and most empties whose constant is corrected.
const CORRECTED: std::ops::RangeInclusive<u8> = 8..=48;

/// The most a constant changes, in discs.
const LARGEST_CORRECTION: f64 = 4.0;

/// Corrects the constant of each number of empties, from the end of the game to its beginning, so
/// that shallow searches that end there agree in the mean with deep ones, which end where the
/// constants are right already, and at last with exact scores.
///
/// A search of odd depth subtracts the constant, one of even depth adds it, so half the difference
/// of their errors is what it is off. What all searches err in common, because they take the best
/// of values that err, drops out of the difference.
pub(crate) fn correct_constants(
    request: &BounceRequest,
    weights: &Weights,
    stop: &Stop,
    progress: &mut dyn FnMut(u8, f64),
) -> Result<Weights, TrainError> {
    let games = read_training_games(&request.games)?;
    let mut corrections = [0.0_f64; 65];
    let mut corrected = weights.clone();
    for empties in CORRECTED {
        let evaluator = Arc::new(PatternEvaluator::new(corrected));
        let error_of = |depth: u8| -> Result<f64, TrainError> {
            let discs = 64 - (empties + depth);
            let maker = PositionMaker {
                games: &games,
                evaluator: evaluator.as_ref(),
                from_discs: discs,
                to_discs: discs,
            };
            let errors: Option<Vec<f64>> = (0..request.positions)
                .into_par_iter()
                .map_init(
                    || Searcher::new(Arc::clone(&evaluator), 16),
                    |searcher, number| {
                        let position = maker.position(request.seed, number);
                        let error = shortfall(searcher, position, depth, stop);
                        (!stop.is_stopped()).then_some(error)
                    },
                )
                .collect();
            let errors = errors.ok_or(TrainError::Stopped)?;
            Ok(errors.iter().sum::<f64>() / errors.len().max(1) as f64)
        };
        let [odd, even] = SHALLOW;
        let found = (error_of(even)? - error_of(odd)?) / 2.0;
        // Constants of the same parity change slowly; the mean with the last one damps the noise.
        let place = usize::from(empties);
        let before = if empties < *CORRECTED.start() + 2 { found } else { corrections[place - 2] };
        corrections[place] =
            f64::midpoint(found, before).clamp(-LARGEST_CORRECTION, LARGEST_CORRECTION);
        progress(empties, corrections[place]);
        corrected = raised(weights, &corrections);
    }
    // Before the first corrected number of discs go on as it was.
    let most = usize::from(*CORRECTED.end());
    for place in most + 1..=60 {
        corrections[place] = corrections[place - 2];
    }
    Ok(raised(weights, &corrections))
}

/// How much more a deep search says than one of `depth` plies, in discs.
fn shortfall(
    searcher: &mut Searcher<PatternEvaluator>,
    position: Position,
    depth: u8,
    stop: &Stop,
) -> f64 {
    let mut value = |limits: &Limits| searcher.search(position, 0, limits, stop).score.discs();
    let shallow = value(&Limits::depth(depth, Selectivity::FULL));
    if position.empties() <= SOLVED_EMPTIES {
        return value(&Limits::solve(Goal::Score)) - shallow;
    }
    let deep = DEEP.map(|depth| value(&Limits::depth(depth, Selectivity::OURS[0])));
    f64::midpoint(deep[0], deep[1]) - shallow
}

/// Weights with the constant of each number of empties raised by so many discs.
pub(super) fn raised(weights: &Weights, by_empties: &[f64; 65]) -> Weights {
    let mut units = [0_i16; 65];
    for (unit, discs) in units.iter_mut().rev().zip(by_empties) {
        *unit = (discs * f64::from(UNITS_PER_DISC)).round() as i16;
    }
    weights.clone().with_constants_raised(&units)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::Spec;
    use crate::othello::eval::spec::Scalar;
    use crate::othello::eval::weights::Provenance;

    fn constant(units: i16) -> Weights {
        let spec = Spec::new("test", &[("corner", "a1")], &[Scalar::Discs], &[4, 64]).unwrap();
        let rows = vec![vec![0; 3 + 65]; 2];
        let weights = Weights::new(spec, Provenance::default(), rows).unwrap();
        weights.with_constants_raised(&[units; 65])
    }

    /// An evaluator that always says the mover is two discs ahead bounces by four between depths.
    #[test]
    fn a_bounce_is_measured() {
        let request = BounceRequest { games: Vec::new(), positions: 3, depth: 3, seed: 1 };
        let evaluator = Arc::new(PatternEvaluator::new(constant(256)));
        let found = measure_bounce(&request, &evaluator, &Stop::new()).unwrap();
        let at = found.iter().find(|bounce| bounce.empties == 30).unwrap();
        assert!((at.discs + 4.0).abs() < 0.1, "{found:?}");
    }

    /// "Roughly 0.55 disc near the end of the game and 0.25 disc in midgame" ("How Ntest Works"):
    /// twelve positions a number of empties say so much only roughly. Undamped, these two gave 2.0
    /// and 2.7.
    #[test]
    fn the_evaluators_of_other_programs_hardly_bounce() {
        let request = BounceRequest { games: Vec::new(), positions: 12, depth: 3, seed: 2 };
        for evaluator in [PatternEvaluator::ntest().unwrap(), PatternEvaluator::zebra().unwrap()] {
            let found = measure_bounce(&request, &evaluator, &Stop::new()).unwrap();
            let sum: f64 = found.iter().map(|bounce| bounce.discs.abs()).sum();
            let mean = sum / found.len() as f64;
            assert!(mean < 1.2, "{mean} in the mean of {found:?}");
        }
    }

    #[test]
    fn constants_are_raised_by_empties() {
        let mut by_empties = [0.0; 65];
        by_empties[20] = 2.0;
        assert_eq!(raised(&constant(0), &by_empties).knots()[0][3 + 44], 256);
    }
}
