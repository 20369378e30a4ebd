//! `rosebill lab train`.

mod constants;
mod leaves;
mod measure;
mod prepare;
mod stretch;

use crate::app::amounts::within;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::progress::Progress;
use crate::files::counted::counted;
use crate::lab::train::{
    FitRequest, LabelRequest, SelfPlayRequest, SolveRequest, TrainError, TrainProgress,
    fit_weights, keep_weights, label_positions, play_games, solve_games,
};
use crate::othello::eval::train::{Label, read_labels};
use crate::othello::eval::weights::{Provenance, StageError};
use crate::othello::eval::{PatternEvaluator, Spec, Weights};
use crate::othello::search::Stop;
use crate::othello::whole_file::{LONGEST_LIST, read_text};
use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use constants::{BalanceArguments, BounceArguments, run_balance, run_bounce};
use leaves::{LeavesArguments, run_leaves};
use measure::{
    CalibrateArguments, ForetellArguments, MeasureArguments, ProbcutArguments, run_calibrate,
    run_foretell, run_measure, run_probcut,
};
use prepare::{Means, ended, pool};
use std::path::{Path, PathBuf};
use std::time::Instant;
use stretch::{StretchArguments, run_stretch};

/// Arguments of `train`.
#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab train fit --games wthor --out new.weights\n\n\
    Long runs can be interrupted with Ctrl-C. 'games', 'label', 'solve' and 'probcut' keep what they have, and the same \
    command goes on from there; all else starts over, and its file is as it was.")]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Play games against itself to learn from
    Games(GamesArguments),
    /// Solve the ends of games
    #[command(
        after_help = "Example: rosebill lab train solve --games WTH_2015.wtb --out ends.labels"
    )]
    Solve(SolveArguments),
    /// Label positions by searches
    #[command(
        after_help = "Example: rosebill lab train label --games wthor --depth 8 --count 100000 --out eight.labels"
    )]
    Label(LabelArguments),
    /// Label the leaves of shallow searches with the values of the positions searched
    Leaves(LeavesArguments),
    /// Fit the weights of an evaluator to games and labeled positions
    #[command(
        after_help = "Example: rosebill lab train fit --games wthor --labels eight.labels --out new.weights"
    )]
    Fit(FitArguments),
    /// Take the mean of two fits of the same patterns
    Mix(MixArguments),
    /// Measure the bounce between odd and even depths, and damp it
    Bounce(BounceArguments),
    /// Set the constants of odd and even empties right by positions of known value
    Balance(BalanceArguments),
    /// Measure how well searches of each depth foretell deeper ones
    Foretell(ForetellArguments),
    /// Fit the tables of Multi-ProbCut
    Probcut(ProbcutArguments),
    /// Fit the error of searches, and check the chances that follow from it
    Calibrate(CalibrateArguments),
    /// Measure how far results are from zero beyond what searches say, and stretch values by it
    Stretch(StretchArguments),
    /// Measure static values or searches against positions with known scores
    #[command(
        after_help = "Example: rosebill lab train measure e30-edax.obf --depth 12 --selectivity 73"
    )]
    Measure(MeasureArguments),
}

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab train games --out own.games --count 100000")]
struct GamesArguments {
    #[command(flatten)]
    request: SelfPlayRequest,
    #[command(flatten)]
    with: Means,
}

#[derive(Args, Debug)]
struct SolveArguments {
    #[command(flatten)]
    request: SolveRequest,
    /// Searches at once [default: the setting, else all processors]
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

#[derive(Args, Debug)]
struct LabelArguments {
    #[command(flatten)]
    request: LabelRequest,
    #[command(flatten)]
    with: Means,
}

#[derive(Args, Debug)]
struct FitArguments {
    #[command(flatten)]
    request: FitRequest,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// rosebill, zebra or ntest, or a file with a spec in JSON
    #[arg(long, default_value = "rosebill")]
    spec: String,
    /// Numbers of discs that get weights of their own, instead of the spec's
    #[arg(long, num_args = 1.., value_name = "DISCS", value_parser = within::<u8>(4..=64))]
    knots: Option<Vec<u8>>,
    /// The date to note in the file, such as 2026-11-20
    #[arg(long, default_value = "", hide_default_value = true)]
    date: String,
    /// Threads [default: the setting, else all processors]
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

#[derive(Args, Debug)]
#[command(
    override_usage = "rosebill lab train mix [OPTIONS] --out <FILE>\n       --share <DISCS:SHARE>... <FILE> <FILE>",
    after_help = "Example: rosebill lab train mix 1.weights 2.weights --out 3.weights --share 4:0.9 40:0.5"
)]
struct MixArguments {
    /// Two weights files for the same patterns; the mean has the knots of the first
    #[arg(required = true, num_args = 2, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// Where their mean goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The share of the second file from this many discs on, 0 to 1
    #[arg(long, num_args = 1.., required = true, value_parser = parse_share, value_name = "DISCS:SHARE")]
    share: Vec<(u8, f32)>,
    /// The date to note in the file, such as 2026-11-20
    #[arg(long, default_value = "", hide_default_value = true)]
    date: String,
}

fn parse_share(text: &str) -> Result<(u8, f32), String> {
    let parsed = text.split_once(':').and_then(|(discs, share)| {
        let share = share.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
        Some((discs.parse().ok()?, share))
    });
    parsed.ok_or_else(|| format!("'{text}' is not a share: expected DISCS:SHARE such as 40:0.5"))
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let stop = &stop_on_interrupt()?;
    let ended = match &arguments.action {
        Action::Games(arguments) => run_games(arguments, stop, context),
        Action::Solve(arguments) => run_solve(arguments, stop, context),
        Action::Label(arguments) => run_label(arguments, stop, context),
        Action::Leaves(arguments) => run_leaves(arguments, stop, context),
        Action::Fit(arguments) => run_fit(arguments, stop, context),
        Action::Mix(arguments) => run_mix(arguments, context),
        Action::Balance(arguments) => run_balance(arguments, stop, context),
        Action::Bounce(arguments) => run_bounce(arguments, stop, context),
        Action::Foretell(arguments) => run_foretell(arguments, stop, context),
        Action::Calibrate(arguments) => run_calibrate(arguments, stop, context),
        Action::Probcut(arguments) => run_probcut(arguments, stop, context),
        Action::Stretch(arguments) => run_stretch(arguments, stop, context),
        Action::Measure(arguments) => run_measure(arguments, stop, context),
    };
    match ended {
        Err(error) if matches!(error.downcast_ref(), Some(TrainError::Stopped)) => {
            context.note(stopped(arguments.action.made()));
            Ok(Status::Interrupted)
        }
        ended => ended,
    }
}

impl Action {
    /// The file that is written at the end, as a whole.
    fn made(&self) -> Option<&Path> {
        match self {
            Self::Fit(FitArguments { out, .. }) | Self::Balance(BalanceArguments { out, .. }) => {
                Some(out)
            }
            Self::Bounce(BounceArguments { out, .. })
            | Self::Stretch(StretchArguments { out, .. }) => out.as_deref(),
            _ => None,
        }
    }
}

/// What is said where nothing is kept for the next time.
fn stopped(made: Option<&Path>) -> String {
    let left = made.map_or_else(String::new, |file| match file.exists() {
        true => format!(", {} is as it was", file.display()),
        false => format!(", {} was not made", file.display()),
    });
    format!("stopped before its end{left}: the same command starts over")
}

fn run_games(arguments: &GamesArguments, stop: &Stop, context: &Context) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let evaluator = arguments.with.evaluator()?;
    let mut progress = Progress::new(context.quiet);
    let (started, mut before) = (Instant::now(), None);
    let games = arguments.with.pool(context)?.install(|| {
        play_games(request, &evaluator, stop, &mut |step| {
            let before = *before.get_or_insert(step.games);
            let speed = (step.games - before) as f64 / started.elapsed().as_secs_f64();
            progress.show(|| format!("{}/{} games, {speed:.1}/s", step.games, step.wanted));
        })
    })?;
    drop(progress);
    let status = ended(stop, (games, request.count), ("game", &request.out), context);
    if status == Status::Done {
        context.note(format_args!("{} in {}", counted(games, "game"), request.out.display()));
    }
    Ok(status)
}

fn run_solve(arguments: &SolveArguments, stop: &Stop, context: &Context) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let evaluator = PatternEvaluator::embedded()?;
    let mut progress = Progress::new(context.quiet);
    let solved = pool(context, arguments.threads)?.install(|| {
        solve_games(request, &evaluator, stop, &mut |done, of| {
            progress.show(|| format!("{done}/{of} games solved"));
        })
    })?;
    drop(progress);
    let (done, of) = (solved.done as u64, solved.of as u64);
    let status = ended(stop, (done, of), ("solved game", &request.out), context);
    if status == Status::Done {
        let solved = counted(done, "solved game");
        context.note(format_args!("exact labels of {solved} in {}", request.out.display()));
    }
    Ok(status)
}

fn run_label(arguments: &LabelArguments, stop: &Stop, context: &Context) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let evaluator = arguments.with.evaluator()?;
    let mut progress = Progress::new(context.quiet);
    let started = Instant::now();
    let mut before = None;
    let labels = arguments.with.pool(context)?.install(|| {
        label_positions(request, &evaluator, stop, &mut |step| {
            let before = *before.get_or_insert(step.labels);
            let speed = (step.labels - before) as f64 / started.elapsed().as_secs_f64();
            progress.show(|| format!("{}/{} labels, {speed:.0}/s", step.labels, step.wanted));
        })
    })?;
    drop(progress);
    let status = ended(stop, (labels, request.count), ("label", &request.out), context);
    if status == Status::Interrupted {
        return Ok(status);
    }
    let made = read_labels(&request.out).with_context(|| request.out.display().to_string())?;
    let solved = made.iter().filter(|label| label.depth == Label::SOLVED).count();
    context.note(format_args!(
        "{labels} labels in {}: {solved} solved, {} searched",
        request.out.display(),
        made.len() - solved
    ));
    Ok(status)
}

/// A spec by name, whatever files are there, or from a file.
fn read_spec(text: &str) -> anyhow::Result<Spec> {
    let unknown = match Spec::named(text) {
        Ok(spec) => return Ok(spec),
        Err(unknown) => unknown,
    };
    if !Path::new(text).exists() {
        bail!("{unknown}, or a file: there is none of that name");
    }
    let json = read_text(Path::new(text), LONGEST_LIST).with_context(|| text.to_owned())?;
    Spec::from_json(&json).with_context(|| text.to_owned())
}

fn run_fit(arguments: &FitArguments, stop: &Stop, context: &mut Context) -> anyhow::Result<Status> {
    let mut spec = read_spec(&arguments.spec)?;
    if let Some(knots) = &arguments.knots {
        spec = spec.with_knots(knots)?;
    }
    let request = &arguments.request;
    let mut progress = Progress::new(context.quiet);
    let weights = pool(context, arguments.threads)?
        .install(|| fit_weights(&spec, request, stop, &mut |step| progress.show(|| told(step))))?;
    drop(progress);
    let provenance = weights.provenance().clone();
    let weights =
        weights.with_provenance(Provenance { date: arguments.date.clone(), ..provenance });
    keep_weights(&weights, &arguments.out)?;
    for error in &weights.provenance().errors {
        print_error(context, error)?;
    }
    let (name, checksum) = (weights.spec().name(), weights.checksum());
    context.note(format_args!("{name} {checksum:08x} in {}", arguments.out.display()));
    Ok(Status::Done)
}

fn run_mix(arguments: &MixArguments, context: &Context) -> anyhow::Result<Status> {
    let [first, second] = arguments.weights.as_slice() else { bail!("expected two weights files") };
    let (first, second) = (Weights::read(first)?, Weights::read(second)?);
    let share = |discs: u8| {
        let last = arguments.share.iter().rfind(|&&(from, _)| from <= discs);
        last.map_or(0.0, |&(_, share)| share)
    };
    let Some(mixed) = first.mixed_with(&second, share) else {
        let told = arguments.weights.iter().zip([&first, &second]);
        let told: Vec<String> = told
            .map(|(path, weights)| format!("{} ({})", path.display(), weights.spec().name()))
            .collect();
        bail!("{}: expected the same patterns and scalars in both", told.join(" and "));
    };
    let date = arguments.date.clone();
    let provenance = Provenance { date, ..mixed.provenance().clone() };
    keep_weights(&mixed.with_provenance(provenance), &arguments.out)?;
    context.note(format_args!("mean of both in {}", arguments.out.display()));
    Ok(Status::Done)
}

fn told(step: TrainProgress) -> String {
    match step {
        TrainProgress::Read(games) => format!("{games} games read"),
        TrainProgress::Labelled(seen, held_out) => {
            format!("{seen} positions to fit, {held_out} held out")
        }
        TrainProgress::Round(fit) => {
            format!("round {}: held-out error {:.4} discs", fit.round, fit.held_out_error)
        }
    }
}

fn print_error(context: &mut Context, error: &StageError) -> std::io::Result<()> {
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
