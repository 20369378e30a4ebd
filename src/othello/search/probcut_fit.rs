//! Measuring how well a shallow search predicts a deep one, and fitting Multi-ProbCut to it.

use std::sync::Arc;

use crate::othello::board::{Portable, Position, Square};
use crate::othello::eval::Evaluator;
use crate::othello::random::Random;

use super::probcut::{ErrorModel, features};
use super::{Goal, Limits, Searcher, Selectivity, Stop};

/// What searches of every depth say of one position, in centidiscs for its side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProbcutSample {
    /// Empty squares.
    pub empties: u8,
    /// The values at depth 0, 1, 2 and so on.
    pub values: Vec<i16>,
    /// The exact result, where it was asked for.
    pub exact: Option<i16>,
}

/// How far positions are searched for the fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProbcutPlan {
    /// Plies of the deepest search.
    pub depth: u8,
    /// Up to so many empties the exact result is found as well.
    pub solve: u8,
}

/// The difference between deep and shallow values of one kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ProbcutCell {
    /// Empty squares: the lowest of a band of [`BAND`].
    pub empties: u8,
    /// Plies of the deep search; none for the exact result.
    pub depth: Option<u8>,
    /// Plies of the shallow search.
    pub shallow: u8,
    pub positions: usize,
    /// Mean of deep less shallow, centidiscs.
    pub bias: f64,
    /// The standard error of a normal distribution that has as many small differences of deep
    /// and shallow as were measured, centidiscs.
    pub error: f64,
}

/// Numbers of empties that share a cell.
pub(crate) const BAND: u8 = 4;

/// Decided games are left out: they are harder to judge, and a search seldom has its window there.
const WINDOW: i16 = 2400;

/// Least positions in a cell that counts.
const LEAST_POSITIONS: usize = 100;

/// A position of a made-up game with so many empties: random moves first, then the moves that look
/// best, with slips. None when the game ends before.
pub(crate) fn sample_position<E: Evaluator>(
    evaluator: &E,
    seed: u64,
    empties: u8,
) -> Option<Position> {
    let mut random = Random::new(seed);
    // As the fits that are embedded were made.
    let mut below = |limit: u64| random.number() % limit;
    let mut position = Position::START;
    let opening = 56 - below(8) as u8;
    while position.empties() > empties {
        let moves: Vec<Square> = position.legal_moves().collect();
        let slip = position.empties() > opening || below(10) == 0;
        let value = |square: &Square| {
            let child = position.play(*square)?;
            Some(evaluator.estimate(Portable, &evaluator.state(child), child))
        };
        let chosen = if slip {
            moves.get(below(moves.len().max(1) as u64) as usize)
        } else {
            moves.iter().min_by_key(|square| value(square))
        };
        position = position.after(*chosen?)?.position()?;
    }
    Some(position)
}

/// Searches a position at every depth. When it was stopped, the sample means nothing.
pub(crate) fn measure<E: Evaluator>(
    searcher: &mut Searcher<E>,
    position: Position,
    plan: ProbcutPlan,
    stop: &Stop,
) -> ProbcutSample {
    let empties = position.empties();
    let mut value = |depth| {
        let limits = if depth == empties {
            Limits::solve(Goal::Score)
        } else if depth > 10 {
            Limits::depth(depth, Selectivity::OURS[3])
        } else {
            Limits::depth(depth, Selectivity::FULL)
        };
        searcher.search(position, 0, &limits, stop).score.centidiscs()
    };
    let values = (0..=plan.depth.min(empties.saturating_sub(1))).map(&mut value).collect();
    let exact = (empties <= plan.solve).then(|| value(empties));
    ProbcutSample { empties, values, exact }
}

/// The errors by band, deep and shallow depth.
pub(crate) fn cells(samples: &[ProbcutSample]) -> Vec<ProbcutCell> {
    let deepest = samples.iter().map(|sample| sample.values.len()).max().unwrap_or(0) as u8;
    let mut cells = Vec::new();
    for empties in (0..60).step_by(usize::from(BAND)) {
        let band: Vec<_> = samples
            .iter()
            .filter(|s| {
                (empties..empties + BAND).contains(&s.empties)
                    && s.values.last().is_some_and(|v| v.abs() <= WINDOW)
            })
            .collect();
        for depth in (1..deepest).map(Some).chain([None]) {
            for shallow in 0..depth.unwrap_or(deepest).min(10) {
                let differences: Vec<f64> = band
                    .iter()
                    .filter_map(|sample| {
                        let deep = match depth {
                            Some(depth) => *sample.values.get(usize::from(depth))?,
                            None => sample.exact?,
                        };
                        let shallow = *sample.values.get(usize::from(shallow))?;
                        Some(f64::from(deep) - f64::from(shallow))
                    })
                    .collect();
                if differences.len() < LEAST_POSITIONS {
                    continue;
                }
                let count = differences.len() as f64;
                let bias = differences.iter().sum::<f64>() / count;
                let positions = differences.len();
                let error = typical_size(differences);
                cells.push(ProbcutCell { empties, depth, shallow, positions, bias, error });
            }
        }
    }
    cells
}

/// The standard error that fits the inner 73 % of the differences. Their root mean square would
/// be larger: a few positions err by much, and would make every cut too careful.
fn typical_size(mut differences: Vec<f64>) -> f64 {
    for difference in &mut differences {
        *difference = difference.abs();
    }
    differences.sort_by(f64::total_cmp);
    let place = differences.len() * 73 / 100;
    differences.get(place).map_or(0.0, |difference| difference / 1.1)
}

/// The smooth model nearest to the logarithms of the measured errors. Only pairs of the same
/// parity, as the search uses them, count.
pub(crate) fn fit(cells: &[ProbcutCell]) -> ErrorModel {
    let middle = |cell: &ProbcutCell| f32::from(cell.empties) + f32::from(BAND - 1) / 2.0;
    let mut rows = Vec::new();
    let mut end_rows = Vec::new();
    for cell in cells.iter().filter(|cell| cell.error > 1.0) {
        let weight = (cell.positions as f64).sqrt();
        let (empties, error) = (middle(cell), cell.error.ln());
        match cell.depth {
            Some(depth) if (depth - cell.shallow) % 2 == 0 && depth >= 3 => {
                rows.push((features(empties, f32::from(depth), cell.shallow), error, weight));
            }
            None => end_rows.push((features(empties, empties, cell.shallow), error, weight)),
            _ => {}
        }
    }
    ErrorModel { midgame: least_squares(&rows), end: least_squares(&end_rows) }
}

const TERMS: usize = ErrorModel::TERMS;

/// Weighted linear regression with a slight pull to zero, by the normal equations.
fn least_squares(rows: &[([f32; TERMS], f64, f64)]) -> [f32; TERMS] {
    let mut matrix = [[0.0_f64; TERMS + 1]; TERMS];
    for (features, target, weight) in rows {
        for (i, line) in matrix.iter_mut().enumerate() {
            let left = f64::from(features[i]) * weight;
            for (j, cell) in line.iter_mut().enumerate() {
                *cell += left * if j == TERMS { *target } else { f64::from(features[j]) };
            }
        }
    }
    for (i, line) in matrix.iter_mut().enumerate() {
        line[i] += 1e-3;
    }
    // Gauss-Jordan; the matrix is positive definite.
    for pivot in 0..TERMS {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|cell| *cell /= scale);
        let line = matrix[pivot];
        for (_, other) in matrix.iter_mut().enumerate().filter(|&(i, _)| i != pivot) {
            let factor = other[pivot];
            other.iter_mut().zip(line).for_each(|(cell, value)| *cell -= factor * value);
        }
    }
    matrix.map(|line| line[TERMS] as f32)
}

/// Samples from seeds, one position for each seed and number of empties of the range, searched on
/// all threads of the current pool. None when it was stopped.
pub(crate) fn measure_many<E: Evaluator + 'static>(
    evaluator: &Arc<E>,
    seeds: std::ops::Range<u64>,
    empties: std::ops::RangeInclusive<u8>,
    plan: ProbcutPlan,
    stop: &Stop,
) -> Option<Vec<ProbcutSample>> {
    use rayon::prelude::*;
    let span = u64::from(empties.end().saturating_sub(*empties.start())) + 1;
    let samples: Option<Vec<Option<ProbcutSample>>> = seeds
        .into_par_iter()
        .map_init(
            || Searcher::new(Arc::clone(evaluator), 16),
            |searcher, seed| {
                let empties = empties.start() + (seed % span) as u8;
                let position = sample_position(&**evaluator, seed, empties);
                let sample = position.map(|position| measure(searcher, position, plan, stop));
                (!stop.is_stopped()).then_some(sample)
            },
        )
        .collect();
    Some(samples?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_model_again() {
        let truth = ErrorModel {
            midgame: [5.0, 0.5, -0.4, 0.6, -0.3, 0.1],
            end: [6.0, 0.1, -0.2, 0.2, -0.1, 0.0],
        };
        let mut cells = Vec::new();
        for empties in (8..48).step_by(usize::from(BAND)) {
            for depth in (3..12).map(Some).chain([None]) {
                for shallow in 0..depth.unwrap_or(8) {
                    let middle = f32::from(empties) + 1.5;
                    let error = match depth {
                        Some(depth) => truth.midgame_sigma(middle, f32::from(depth), shallow),
                        None => truth.end_sigma(middle, shallow),
                    };
                    let (positions, bias, error) = (1000, 0.0, f64::from(error));
                    cells.push(ProbcutCell { empties, depth, shallow, positions, bias, error });
                }
            }
        }
        let found = fit(&cells);
        for (found, truth) in found.midgame.iter().zip(truth.midgame) {
            assert!((found - truth).abs() < 0.05, "{found} {truth}");
        }
        let (found, truth) = (found.end_sigma(20.0, 6), truth.end_sigma(20.0, 6));
        assert!((found / truth - 1.0).abs() < 0.02);
    }
}
