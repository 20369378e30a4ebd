//! `rosebill lab train bounce` and `balance`: the constants of odd and even numbers of empties.

use super::prepare::Means;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::progress::Progress;
use crate::lab::train::{
    BalanceRequest, Bounce, BounceRequest, TrainError, balance_constants, correct_constants,
    keep_weights, measure_bounce,
};
use crate::othello::eval::{AnyEvaluator, PatternEvaluator};
use crate::othello::search::Stop;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab train bounce --games wthor --out damped.weights")]
pub struct BounceArguments {
    #[command(flatten)]
    request: BounceRequest,
    /// Where the damped weights go; without it the bounce is only measured
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    with: Means,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab train balance known.csv --every 2 --out new.weights")]
pub struct BalanceArguments {
    #[command(flatten)]
    request: BalanceRequest,
    /// Where the corrected weights go
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    with: Means,
}

pub(super) fn run_bounce(
    arguments: &BounceArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let pool = arguments.with.pool(context)?;
    let evaluator = arguments.with.evaluator()?;
    let before = pool.install(|| measure_bounce(request, &evaluator, stop))?;
    print_bounce(context, "bounce", &before)?;
    let Some(out) = &arguments.out else { return Ok(Status::Done) };
    let mut progress = Progress::new(context.quiet);
    let weights = pool.install(|| {
        correct_constants(request, evaluator.weights(), stop, &mut |empties, discs| {
            progress.show(|| format!("{empties} empties: constant changed by {discs:+.2} discs"));
        })
    })?;
    drop(progress);
    keep_weights(&weights, out)?;
    context.note(format_args!("corrected weights in {}", out.display()));
    let corrected = Arc::new(PatternEvaluator::new(weights));
    match pool.install(|| measure_bounce(request, &corrected, stop)) {
        Ok(after) => print_bounce(context, "damped", &after)?,
        Err(TrainError::Stopped) => {
            context.note("stopped before they were measured");
            return Ok(Status::Interrupted);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(Status::Done)
}

fn print_bounce(context: &mut Context, what: &str, bounce: &[Bounce]) -> std::io::Result<()> {
    if context.output.is_json() {
        return bounce.iter().try_for_each(|each| {
            let Bounce { empties, discs } = *each;
            context.output.object(&json!({"what": what, "empties": empties, "discs": discs}))
        });
    }
    for each in bounce {
        context
            .output
            .line(format_args!("{what}, {:2} empties: {:+.2} discs", each.empties, each.discs))?;
    }
    let size = bounce.iter().map(|each| each.discs.abs()).sum::<f64>() / bounce.len().max(1) as f64;
    context.output.line(format_args!("{what}, mean size: {size:.2} discs"))
}

pub(super) fn run_balance(
    arguments: &BalanceArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let pool = arguments.with.pool(context)?;
    let evaluator = arguments.with.evaluator()?;
    let before = evaluator.weights();
    let mut progress = Progress::new(context.quiet);
    let known = AnyEvaluator::Pattern(Arc::clone(&evaluator));
    let weights = pool.install(|| {
        balance_constants(request, before, &known, stop, &mut |depth| {
            progress.show(|| format!("searched to depth {depth}"));
        })
    })?;
    drop(progress);
    keep_weights(&weights, &arguments.out)?;
    context.note(format_args!("balanced weights in {}", arguments.out.display()));
    Ok(Status::Done)
}
