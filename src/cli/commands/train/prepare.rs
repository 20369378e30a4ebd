//! What several kinds of training need.

use std::path::Path;
use std::sync::Arc;

use crate::cli::context::Context;
use crate::eval::PatternEvaluator;

/// Threads, as many as asked for or as the settings say.
pub(super) fn pool(context: &Context, threads: Option<u16>) -> anyhow::Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new()
        .num_threads(context.threads(threads.map(usize::from)))
        .build()?)
}

/// The evaluator of a weights file, else the one that comes with the program.
pub(super) fn evaluator(weights: Option<&Path>) -> anyhow::Result<Arc<PatternEvaluator>> {
    Ok(match weights {
        Some(path) => Arc::new(PatternEvaluator::from_file(path)?),
        None => PatternEvaluator::embedded()?,
    })
}
