//! `rosebill train leaves`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::prepare::{ended, evaluator, pool};
use crate::faces::cli::amounts::within;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::progress::Progress;
use crate::files::counted::counted;
use crate::lab::train::{LeavesRequest, label_leaves};
use crate::othello::search::Stop;

/// Arguments of `train leaves`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: rosebill train leaves deep.labels --depths 3 4 --out leaves.labels"
)]
pub struct LeavesArguments {
    /// Files of labelled positions, such as `train label` makes: the roots of the searches
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    roots: Vec<PathBuf>,
    /// The file that labels are added to; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Plies of the searches, each of which every root gets
    #[arg(long, num_args = 1.., required = true, value_name = "PLIES",
          value_parser = within::<u8>(1..=12))]
    depths: Vec<u8>,
    /// Weights to search with instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Searches at once; the configuration's number when left out
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

pub(super) fn run_leaves(
    arguments: &LeavesArguments,
    stop: &Stop,
    context: &Context,
) -> anyhow::Result<Status> {
    let request = LeavesRequest {
        roots: arguments.roots.clone(),
        out: arguments.out.clone(),
        depths: arguments.depths.clone(),
    };
    let evaluator = evaluator(arguments.weights.as_deref())?;
    let mut progress = Progress::new(context.quiet);
    let (started, mut before) = (Instant::now(), None);
    let (done, of) = pool(context, arguments.threads)?.install(|| {
        label_leaves(&request, &evaluator, stop, &mut |done, of| {
            let before = *before.get_or_insert(done);
            let speed = (done - before) as f64 / started.elapsed().as_secs_f64();
            progress.show(|| format!("{done}/{of} roots searched, {speed:.0}/s"));
        })
    })?;
    drop(progress);
    let status = ended(stop, (done as u64, of as u64), ("root", &arguments.out), context);
    if status == Status::Done {
        context.note(format_args!(
            "leaves of {} in {}",
            counted(done as u64, "root"),
            arguments.out.display()
        ));
    }
    Ok(status)
}
