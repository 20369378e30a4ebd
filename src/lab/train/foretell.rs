//! How well searches of each depth, and static values, predict deeper searches.

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
use crate::othello::search::{Limits, Searcher, Selectivity, Stop};

#[derive(Args, Clone, Debug)]
pub(crate) struct ForetellRequest {
    /// Game files (*.wtb) or folders of them, whose beginnings lead to positions
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub games: Vec<PathBuf>,
    /// Numbers of empties to measure at
    #[arg(long, num_args = 1.., value_parser = within::<u8>(1..=60), default_values_t = [12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52])]
    pub empties: Vec<u8>,
    /// Positions for each number of empties
    #[arg(long, default_value_t = 50, value_parser = at_least::<1, u64>)]
    pub positions: u64,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 10, value_parser = within::<u8>(0..=60))]
    pub depth: u8,
    /// Confidence of the searches deeper than eight plies, percent
    #[arg(long, default_value = "98")]
    pub selectivity: Selectivity,
    /// Another seed chooses other positions
    #[arg(long, default_value_t = 1, value_parser = whole)]
    pub seed: u64,
    /// Only positions of the games as they were played, without stray moves and random openings
    #[arg(long, requires = "games")]
    pub as_played: bool,
}

/// How searches of `shallow` plies predict those of `depth` plies.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Foretelling {
    /// Empty squares.
    pub empties: u8,
    /// Plies of the deep search.
    pub depth: u8,
    /// Plies of the shallow one; 0 is the static value.
    pub shallow: u8,
    pub positions: u64,
    /// Mean of deep less shallow, in discs.
    pub bias: f64,
    /// Standard deviation of deep less shallow, in discs.
    pub deviation: f64,
    /// Deep against shallow, by least squares.
    pub slope: f64,
}

/// Plies that are searched at full width, so that what is measured is not itself cut.
const FULL_WIDTH: u8 = 8;

/// Searches positions to every depth and compares the depths with each other.
pub(crate) fn measure_foretelling(
    request: &ForetellRequest,
    evaluator: &Arc<PatternEvaluator>,
    stop: &Stop,
    each: &mut dyn FnMut(Foretelling),
) -> Result<(), TrainError> {
    let games = read_training_games(&request.games)?;
    if request.as_played && games.is_empty() {
        return Err(TrainError::NoGames(request.games.clone()));
    }
    for &empties in &request.empties {
        let discs = 64_u8.saturating_sub(empties);
        if !(4..64).contains(&discs) {
            return Err(TrainError::Discs(discs, discs));
        }
        let maker = PositionMaker {
            games: &games,
            evaluator: evaluator.as_ref(),
            from_discs: discs,
            to_discs: discs,
        };
        let deepest = request.depth.min(empties.saturating_sub(1));
        let values = (0..request.positions)
            .into_par_iter()
            .map_init(
                || Searcher::new(Arc::clone(evaluator), 64),
                |searcher, number| {
                    let position = match request.as_played {
                        true => maker.position_as_played(request.seed, number),
                        false => Some(maker.position(request.seed, number)),
                    };
                    let position = position.ok_or(TrainError::NoneReaches(discs))?;
                    let confidence = request.selectivity;
                    let values = values_by_depth(searcher, position, deepest, confidence, stop);
                    if stop.is_stopped() { Err(TrainError::Stopped) } else { Ok(values) }
                },
            )
            .collect::<Result<Vec<Vec<f64>>, TrainError>>()?;
        for depth in 1..=deepest {
            for shallow in 0..depth {
                each(compare(&values, empties, depth, shallow));
            }
        }
    }
    Ok(())
}

fn values_by_depth(
    searcher: &mut Searcher<PatternEvaluator>,
    position: Position,
    deepest: u8,
    selectivity: Selectivity,
    stop: &Stop,
) -> Vec<f64> {
    (0..=deepest)
        .map(|depth| {
            let full = depth <= FULL_WIDTH;
            let confidence = if full { Selectivity::FULL } else { selectivity };
            let limits = Limits::depth(depth, confidence);
            searcher.search(position, 0, &limits, stop).score.discs()
        })
        .collect()
}

fn compare(values: &[Vec<f64>], empties: u8, depth: u8, shallow: u8) -> Foretelling {
    let pairs = || values.iter().map(|v| (v[usize::from(shallow)], v[usize::from(depth)]));
    let count = values.len() as f64;
    let mean = |of: &dyn Fn((f64, f64)) -> f64| pairs().map(of).sum::<f64>() / count;
    let bias = mean(&|(shallow, deep)| deep - shallow);
    let variance = mean(&|(shallow, deep)| (deep - shallow - bias).powi(2));
    let middle = mean(&|(shallow, _)| shallow);
    let spread = mean(&|(shallow, _)| (shallow - middle).powi(2));
    let together = mean(&|(shallow, deep)| (shallow - middle) * deep);
    Foretelling {
        empties,
        depth,
        shallow,
        positions: values.len() as u64,
        bias,
        deviation: variance.sqrt(),
        slope: together / spread,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_depths() {
        let values: Vec<_> =
            (0..10).map(|i| vec![f64::from(i), 2.0 * f64::from(i) + 1.0]).collect();
        let found = compare(&values, 30, 1, 0);
        assert!((found.slope - 2.0).abs() < 1e-9 && (found.bias - 5.5).abs() < 1e-9);
        assert!((found.deviation - 8.25_f64.sqrt()).abs() < 1e-9);
    }
}
