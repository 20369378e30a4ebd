//! How far results are from zero beyond what searches say, from positions of known value.

use crate::app::amounts::within;
use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::TrainError;
use super::measure::read_known;
use crate::app::amounts::{at_least, one_or_more};
use crate::othello::eval::train::{Foretold, fit_stretch};
use crate::othello::eval::weights::Weights;
use crate::othello::eval::{AnyEvaluator, PatternEvaluator, Stretch};
use crate::othello::score::Score;
use crate::othello::search::{AnySearcher, Limits, Selectivity, Stop};

/// Which searches of which positions to learn from.
#[derive(Args, Clone, Debug)]
pub(crate) struct StretchRequest {
    /// Files of positions with scores: OBF, CSV with columns board and value, or our own labels
    #[arg(required = true, value_name = "FILE")]
    pub positions: Vec<PathBuf>,
    /// Depths to search each position to; what would reach the end is left out
    #[arg(long, num_args = 1.., value_parser = within::<u8>(0..=60), default_values_t = [4, 6, 8, 10, 12])]
    pub depths: Vec<u8>,
    /// Confidence of the searches, percent
    #[arg(long, default_value = "73")]
    pub selectivity: Selectivity,
    /// Take only every Nth position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = one_or_more)]
    pub every: usize,
    /// Leave out this many positions at the beginning of each file
    #[arg(long, default_value_t = 0, value_parser = at_least::<0, usize>)]
    pub skip: usize,
}

/// What became of the values of one size, of searches that stop with about so many empty squares left.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct StretchCell {
    /// Fewest empty squares left.
    pub from_left: u8,
    /// Most empty squares left.
    pub to_left: u8,
    /// Smallest size of a value, in discs.
    pub from: f64,
    /// The size that values stay below, in discs.
    pub below: f64,
    pub searches: usize,
    /// By how much results were further from zero, in discs.
    pub further: f64,
    /// The same of stretched values.
    pub further_than_stretched: f64,
}

/// Searches positions of known value and fits a stretch to the result. The stretch that the weights
/// may have already has no part in it.
pub(crate) fn measure_stretch(
    request: &StretchRequest,
    weights: &Weights,
    stop: &Stop,
) -> Result<(Stretch, Vec<StretchCell>), TrainError> {
    let plain = PatternEvaluator::new(weights.clone().with_stretch(None));
    let evaluator = AnyEvaluator::Pattern(plain.into());
    let mut known = Vec::new();
    for path in &request.positions {
        let all = read_known(path)?.into_iter().skip(request.skip).step_by(request.every.max(1));
        known.extend(all.filter(|each| each.position.can_move()));
    }
    let searches: Option<Vec<Vec<Foretold>>> = known
        .par_iter()
        .map_init(
            || AnySearcher::new(evaluator.clone(), 64),
            |searcher, known| {
                let empties = known.position.empties();
                let depths = request.depths.iter().filter(|&&depth| depth < empties);
                let search = |&depth: &u8| {
                    let limits = Limits::depth(depth, request.selectivity);
                    let found = searcher.search(known.position, 0, &limits, stop);
                    let (value, result) = (found.value.discs(), known.value);
                    Foretold { left: empties - depth, value, result }
                };
                let searches = depths.map(search).collect();
                (!stop.is_stopped()).then_some(searches)
            },
        )
        .collect();
    let searches = searches.ok_or(TrainError::Stopped)?.concat();
    let stretch = fit_stretch(&searches).ok_or(TrainError::NoSamples)?;
    let cells = cells(&searches, &stretch);
    Ok((stretch, cells))
}

/// Limits of the table that people look at.
const LEFT: [(u8, u8); 7] = [(1, 6), (7, 10), (11, 14), (15, 18), (19, 22), (23, 28), (29, 60)];
const SIZES: [f64; 9] = [0.0, 2.0, 4.0, 7.0, 11.0, 16.0, 24.0, 36.0, 65.0];

fn cells(searches: &[Foretold], stretch: &Stretch) -> Vec<StretchCell> {
    let mut cells = Vec::new();
    for (from_left, to_left) in LEFT {
        for &[from, below] in SIZES.array_windows() {
            let (mut count, mut further, mut left_over) = (0_usize, 0.0, 0.0);
            for each in searches {
                if !(from_left..=to_left).contains(&each.left)
                    || !(from..below).contains(&each.value.abs())
                {
                    continue;
                }
                let sign = if each.value < 0.0 { -1.0 } else { 1.0 };
                let value = Score::from_centidiscs((each.value * 100.0).round() as i16);
                count += 1;
                further += sign * (each.result - each.value);
                left_over += sign * (each.result - stretch.apply(value, each.left).discs());
            }
            if count > 0 {
                let mean = |sum: f64| sum / count as f64;
                cells.push(StretchCell {
                    from_left,
                    to_left,
                    from,
                    below,
                    searches: count,
                    further: mean(further),
                    further_than_stretched: mean(left_over),
                });
            }
        }
    }
    cells
}
