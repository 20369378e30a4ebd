//! `rosebill train bounce` and `balance`: the constants of odd and even numbers of empties.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::prepare::{evaluator, pool};
use crate::faces::cli::amounts::{at_least, one_or_more, whole, within};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::progress::Progress;
use crate::lab::train::{
    BalanceRequest, Bounce, BounceRequest, TrainError, balance_constants, correct_constants,
    keep_weights, measure_bounce,
};
use crate::othello::eval::{AnyEvaluator, PatternEvaluator};
use crate::othello::search::{Selectivity, Stop};

#[derive(Args, Debug)]
pub struct BounceArguments {
    /// Game files (*.wtb, own games) or folders of them, whose beginnings lead to positions
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Weights to measure instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Where the damped weights go; without it the bounce is only measured
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Positions for each number of empties
    #[arg(long, default_value_t = 200, value_parser = at_least::<1, u64>)]
    positions: u64,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 5, value_parser = within::<u8>(2..=12))]
    depth: u8,
    /// Another seed chooses other positions
    #[arg(long, default_value_t = 1, value_parser = whole)]
    seed: u64,
    /// Searches at once; the configuration's number when left out
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill train balance known.csv --every 2 --out new.weights")]
pub struct BalanceArguments {
    /// Files of positions with scores: OBF, CSV with columns board and value, or our own labels
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Weights to correct instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Where the corrected weights go
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Depths to search each position to
    #[arg(long, num_args = 1.., value_parser = within::<u8>(0..=60), default_values_t = [8, 9, 10, 11, 12, 13])]
    depths: Vec<u8>,
    /// Confidence of the searches, percent
    #[arg(long, default_value = "73")]
    selectivity: Selectivity,
    /// Take every so many-th position
    #[arg(long, default_value_t = 1, value_parser = one_or_more)]
    every: usize,
    /// Leave out so many positions at the beginning of each file
    #[arg(long, default_value_t = 0, value_parser = at_least::<0, usize>)]
    skip: usize,
    /// Searches at once; the configuration's number when left out
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

pub(super) fn run_bounce(
    arguments: &BounceArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = BounceRequest {
        games: arguments.games.clone(),
        positions: arguments.positions,
        depth: arguments.depth,
        seed: arguments.seed,
    };
    let pool = pool(context, arguments.threads)?;
    let evaluator = evaluator(arguments.weights.as_deref())?;
    let before = pool.install(|| measure_bounce(&request, &evaluator, stop))?;
    print_bounce(context, "bounce", &before)?;
    let Some(out) = &arguments.out else { return Ok(Status::Done) };
    let mut progress = Progress::new(context.quiet);
    let weights = pool.install(|| {
        correct_constants(&request, evaluator.weights(), stop, &mut |empties, discs| {
            progress.show(|| format!("{empties} empties: constant changed by {discs:+.2} discs"));
        })
    })?;
    drop(progress);
    keep_weights(&weights, out)?;
    context.note(format_args!("corrected weights in {}", out.display()));
    let corrected = Arc::new(PatternEvaluator::new(weights));
    match pool.install(|| measure_bounce(&request, &corrected, stop)) {
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
    let request = BalanceRequest {
        positions: arguments.positions.clone(),
        every: arguments.every,
        skip: arguments.skip,
        depths: arguments.depths.clone(),
        selectivity: arguments.selectivity,
    };
    let pool = pool(context, arguments.threads)?;
    let evaluator = evaluator(arguments.weights.as_deref())?;
    let before = evaluator.weights();
    let mut progress = Progress::new(context.quiet);
    let known = AnyEvaluator::Pattern(Arc::clone(&evaluator));
    let weights = pool.install(|| {
        balance_constants(&request, before, &known, stop, &mut |depth| {
            progress.show(|| format!("searched to depth {depth}"));
        })
    })?;
    drop(progress);
    keep_weights(&weights, &arguments.out)?;
    context.note(format_args!("balanced weights in {}", arguments.out.display()));
    Ok(Status::Done)
}
