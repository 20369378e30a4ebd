//! What several kinds of training need.

use crate::app::amounts::within;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::counted::counted;
use crate::othello::eval::PatternEvaluator;
use crate::othello::search::Stop;

/// Threads, as many as asked for or as the settings say.
pub(super) fn pool(context: &Context, threads: Option<u16>) -> anyhow::Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new()
        .num_threads(context.threads(threads.map(usize::from)))
        .build()?)
}

/// What searches are made with.
#[derive(clap::Args, Debug)]
pub(super) struct Means {
    /// Weights to search with instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Searches at once [default: the setting, else all processors]
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

impl Means {
    pub(super) fn pool(&self, context: &Context) -> anyhow::Result<rayon::ThreadPool> {
        pool(context, self.threads)
    }

    pub(super) fn evaluator(&self) -> anyhow::Result<Arc<PatternEvaluator>> {
        Ok(match &self.weights {
            Some(path) => Arc::new(PatternEvaluator::from_file(path)?),
            None => PatternEvaluator::embedded()?,
        })
    }
}

/// How work ended of which a file keeps so much, and what is said of that.
pub(super) fn ended(
    stop: &Stop,
    (done, wanted): (u64, u64),
    (what, file): (&str, &Path),
    context: &Context,
) -> Status {
    let kept = counted(done, what);
    // It may be stopped at its very end.
    if done >= wanted || !stop.is_stopped() {
        return Status::Done;
    }
    let file = file.display();
    context.note(format_args!(
        "stopped with {kept} of {wanted} in {file}: the same command goes on from there"
    ));
    Status::Interrupted
}
