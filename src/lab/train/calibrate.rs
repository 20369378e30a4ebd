//! How far searches are off, and whether the chances that follow from it are right.

use crate::app::amounts::within;
use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::TrainError;
use super::measure::read_known;
use crate::app::amounts::one_or_more;
use crate::othello::eval::AnyEvaluator;
use crate::othello::search::{
    AnySearcher, ErrorCurve, Limits, SearchError, Selectivity, Stop, chances, fit_error_curve,
};

/// What to search for a calibration.
#[derive(Args, Clone, Debug)]
pub(crate) struct CalibrateRequest {
    /// Files of positions with exact scores: OBF, or CSV with columns board and value
    #[arg(required = true, value_name = "FILE")]
    pub positions: Vec<PathBuf>,
    /// Depths to search each position to
    #[arg(long, num_args = 1.., value_parser = within::<u8>(0..=60), default_values_t = [0, 2, 4, 6, 8, 10, 12])]
    pub depths: Vec<u8>,
    /// Confidences to search with, percent
    #[arg(long, num_args = 1.., default_values = ["73", "95"])]
    pub selectivities: Vec<Selectivity>,
    /// Take only every Nth position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = one_or_more)]
    pub every: usize,
}

/// The error of searches of one kind on the positions of one file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ErrorCell {
    /// Empty squares.
    pub empties: u8,
    /// Plies.
    pub depth: u8,
    /// Selectivity in percent.
    pub selectivity: u8,
    pub positions: usize,
    /// Mean of the search's value less the known one, in discs.
    pub bias: f64,
    /// Root mean square of it, in discs.
    pub error: f64,
    /// What the fitted curve says of that, in discs.
    pub expected: f64,
}

/// Searches whose predicted chance of a result lies in one tenth, on positions held out of the fit.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ChanceBin {
    /// "win", "draw" or "loss".
    pub result: &'static str,
    /// Lowest chance of the bin, percent.
    pub from_percent: u8,
    pub searches: usize,
    /// Mean predicted chance, 0 to 1.
    pub predicted: f64,
    /// Share of the searches whose position had that result.
    pub observed: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Calibration {
    /// The constants, fitted to one half of the positions, where the value is at most 16 discs.
    pub curve: ErrorCurve,
    /// Errors by kind of search, on all positions whose value is at most 16 discs.
    pub cells: Vec<ErrorCell>,
    /// Predicted against observed on the other half.
    pub bins: Vec<ChanceBin>,
}

/// One search of a position whose exact score is known.
struct Searched {
    error: SearchError,
    value: crate::othello::score::Score,
    known: f64,
    held_out: bool,
}

/// The curve is fitted to values of at most so many discs: decided positions err more, books hardly have
/// any, and their winner is no question.
const CLOSE: f64 = 16.0;

/// Searches positions of known score, fits the error curve to half of them and checks the chances
/// that follow on the other half.
pub(crate) fn calibrate(
    request: &CalibrateRequest,
    evaluator: &AnyEvaluator,
    stop: &Stop,
) -> Result<Calibration, TrainError> {
    let mut known = Vec::new();
    for path in &request.positions {
        let every = request.every.max(1);
        known
            .extend(read_known(path)?.into_iter().filter(|k| k.position.can_move()).step_by(every));
    }
    let kinds: Vec<(u8, Selectivity)> = (request.depths.iter())
        .flat_map(|&depth| request.selectivities.iter().map(move |&each| (depth, each)))
        .collect();
    let searched: Option<Vec<Vec<Searched>>> = known
        .par_iter()
        .enumerate()
        .map_init(
            || AnySearcher::new(evaluator.clone(), 64),
            |searcher, (number, known)| {
                let position = known.position;
                let search = |&(depth, selectivity): &(u8, Selectivity)| {
                    let empties = position.empties();
                    if depth > empties || depth == empties && selectivity.is_full() {
                        return None;
                    }
                    let limits = Limits::depth(depth, selectivity);
                    let value = searcher.search(position, 0, &limits, stop).value;
                    let error = value.discs() - known.value;
                    let error = SearchError { empties, depth, selectivity, error };
                    Some(Searched { error, value, known: known.value, held_out: number % 2 == 1 })
                };
                let searched = kinds.iter().filter_map(search).collect();
                (!stop.is_stopped()).then_some(searched)
            },
        )
        .collect();
    let searched: Vec<Searched> =
        searched.ok_or(TrainError::Stopped)?.into_iter().flatten().collect();
    let close: Vec<&Searched> =
        searched.iter().filter(|each| each.value.discs().abs() <= CLOSE).collect();
    let seen: Vec<SearchError> =
        close.iter().filter(|each| !each.held_out).map(|each| each.error).collect();
    if seen.is_empty() {
        return Err(TrainError::NoSamples);
    }
    let curve = fit_error_curve(&seen);
    Ok(Calibration { curve, cells: cells(&close, &curve), bins: bins(&searched, &curve) })
}

fn cells(searched: &[&Searched], curve: &ErrorCurve) -> Vec<ErrorCell> {
    let key = |each: &Searched| (each.error.empties, each.error.depth, each.error.selectivity);
    let mut keys: Vec<_> = searched.iter().map(|each| key(each)).collect();
    keys.sort_unstable();
    keys.dedup();
    let cell = |at: (u8, u8, Selectivity)| {
        let errors: Vec<f64> =
            searched.iter().filter(|each| key(each) == at).map(|each| each.error.error).collect();
        let count = errors.len() as f64;
        let (empties, depth, selectivity) = at;
        ErrorCell {
            empties,
            depth,
            selectivity: selectivity.percent(),
            positions: errors.len(),
            bias: errors.iter().sum::<f64>() / count,
            error: (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt(),
            expected: curve.standard_error(empties, depth, selectivity),
        }
    };
    keys.into_iter().map(cell).collect()
}

fn bins(searched: &[Searched], curve: &ErrorCurve) -> Vec<ChanceBin> {
    let mut bins = Vec::new();
    for (result, sign) in [("win", 1.0), ("draw", 0.0), ("loss", -1.0)] {
        let mut sums = [(0_usize, 0.0, 0.0); 10];
        // A value between the even results is a mean, not a result.
        for each in searched.iter().filter(|each| each.held_out && each.known % 2.0 == 0.0) {
            let SearchError { empties, depth, selectivity, .. } = each.error;
            let found = chances(each.value, curve.standard_error(empties, depth, selectivity));
            let chance = [found.loss, found.draw, found.win][(sign + 1.0) as usize];
            let (count, predicted, observed) = &mut sums[((chance * 10.0) as usize).min(9)];
            *count += 1;
            *predicted += chance;
            let same = each.known * sign > 0.0 || (sign == 0.0 && each.known == 0.0);
            *observed += f64::from(u8::from(same));
        }
        let used = (0_u8..).zip(sums).filter(|(_, (count, ..))| *count > 0);
        bins.extend(used.map(|(tenth, (searches, predicted, observed))| ChanceBin {
            result,
            from_percent: 10 * tenth,
            searches,
            predicted: predicted / searches as f64,
            observed: observed / searches as f64,
        }));
    }
    bins
}
