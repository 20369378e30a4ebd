//! `rosebill lab train leaves`.

use super::prepare::{Means, ended};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::progress::Progress;
use crate::files::counted::counted;
use crate::lab::train::{LeavesRequest, label_leaves};
use crate::othello::search::Stop;
use clap::Args;
use std::time::Instant;

/// Arguments of `lab train leaves`.
#[derive(Args, Debug)]
#[command(
    override_usage = "rosebill lab train leaves [OPTIONS] --out <FILE> --depths <PLIES>...\n       <FILE>...",
    after_help = "Example: rosebill lab train leaves deep.labels --depths 3 4 --out leaves.labels"
)]
pub struct LeavesArguments {
    #[command(flatten)]
    request: LeavesRequest,
    #[command(flatten)]
    with: Means,
}

pub(super) fn run_leaves(
    arguments: &LeavesArguments,
    stop: &Stop,
    context: &Context,
) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let evaluator = arguments.with.evaluator()?;
    let mut progress = Progress::new(context.quiet);
    let (started, mut before) = (Instant::now(), None);
    let (done, of) = arguments.with.pool(context)?.install(|| {
        label_leaves(request, &evaluator, stop, &mut |done, of| {
            let before = *before.get_or_insert(done);
            let speed = (done - before) as f64 / started.elapsed().as_secs_f64();
            progress.show(|| format!("{done}/{of} roots searched, {speed:.0}/s"));
        })
    })?;
    drop(progress);
    let status = ended(stop, (done as u64, of as u64), ("root", &request.out), context);
    if status == Status::Done {
        context.note(format_args!(
            "leaves of {} in {}",
            counted(done as u64, "root"),
            request.out.display()
        ));
    }
    Ok(status)
}
