//! The error of an evaluator on labelled positions.

use super::{Sample, Samples};
use crate::othello::eval::Evaluator;
use crate::othello::eval::weights::StageError;

/// The error of an evaluator on some samples, weighted as they are, in discs.
pub(crate) fn measure<'a, E: Evaluator>(
    evaluator: &E,
    samples: impl Iterator<Item = &'a Sample>,
) -> StageError {
    let mut error = StageError { from_discs: 64, ..StageError::default() };
    let mut total = 0.0;
    for sample in samples {
        let position = sample.key.position();
        let value = evaluator.evaluate(&evaluator.state(position), position).discs();
        let (miss, weight) = (value - f64::from(sample.label), f64::from(sample.weight));
        total += weight;
        error.positions += 1;
        error.mean_absolute += weight * miss.abs();
        error.root_mean_square += weight * miss * miss;
        error.bias += weight * miss;
        error.from_discs = error.from_discs.min(position.discs());
        error.to_discs = error.to_discs.max(position.discs());
    }
    if total > 0.0 {
        error.mean_absolute /= total;
        error.root_mean_square = (error.root_mean_square / total).sqrt();
        error.bias /= total;
    }
    error
}

/// The error for every four numbers of discs that have samples.
pub(crate) fn error_by_discs<E: Evaluator>(evaluator: &E, samples: &Samples) -> Vec<StageError> {
    (0..16_u8)
        .map(|stage| {
            let discs = 4 * stage + 1..=4 * stage + 4;
            measure(evaluator, discs.flat_map(|discs| samples.with_discs(discs)))
        })
        .filter(|error| error.positions > 0)
        .collect()
}
