//! What several kinds of training need.

use std::path::Path;
use std::sync::Arc;

use crate::cli::context::Context;
use crate::eval::PatternEvaluator;
use crate::eval::weights::StageError;

/// Threads, as many as asked for or as the settings say.
pub(super) fn pool(context: &Context, threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(context.threads(threads)).build()?)
}

/// The evaluator of a weights file, else the one that comes with the program.
pub(super) fn evaluator(weights: Option<&Path>) -> anyhow::Result<Arc<PatternEvaluator>> {
    Ok(match weights {
        Some(path) => Arc::new(PatternEvaluator::from_file(path)?),
        None => PatternEvaluator::embedded()?,
    })
}

/// The error on positions that were held out, as a line or as JSON.
pub(super) fn print_error(context: &mut Context, error: &StageError) -> std::io::Result<()> {
    if context.output.is_json() {
        return context.output.object(error);
    }
    context.output.line(format_args!(
        "held out, {:2}-{:2} discs: {:7} positions, mean absolute error {:5.2}, root mean square \
         {:5.2}, bias {:+5.2}",
        error.from_discs,
        error.to_discs,
        error.positions,
        error.mean_absolute,
        error.root_mean_square,
        error.bias
    ))
}
