//! `rosebill train`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, Subcommand};
use serde_json::json;

use crate::cli::context::stop_on_interrupt;
use crate::cli::progress::Progress;
use crate::cli::{Context, Status};
use crate::eval::train::FitOptions;
use crate::eval::weights::{Provenance, StageError};
use crate::eval::{Evaluator, PatternEvaluator, Spec};
use crate::ops::train::{
    Accuracy, FitRequest, LabelRequest, MeasureRequest, ProbCutRequest, SelfPlayRequest,
    SolveRequest, TrainProgress, fit_weights, label_positions, measure_file, measure_probcut,
    play_games, solve_games,
};
use crate::search::{Limits, Selectivity, Stop};

/// Arguments of `train`.
#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill train fit --games wthor --out new.weights")]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Play games against itself to learn from
    Games(GamesArguments),
    /// Solve the ends of games
    Solve(SolveArguments),
    /// Label positions by searches
    Label(LabelArguments),
    /// Fit the weights of an evaluator to games and labelled positions
    Fit(FitArguments),
    /// Measure how well shallow searches foretell deep ones
    Probcut(ProbcutArguments),
    /// Measure static values or searches against positions with known scores
    Measure(MeasureArguments),
}

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill train games --out own.games --count 100000")]
struct GamesArguments {
    /// The file that games are added to; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games that the file is to hold in the end
    #[arg(long)]
    count: u64,
    /// Another seed makes other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies of a search
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: u8,
    /// Confidence of a search, percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, default_value = "73")]
    selectivity: Selectivity,
    /// With at most so many empties both sides play perfectly
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u8).range(1..=30))]
    perfect_from: u8,
    /// Weights to search with instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Games at once; the configuration's number when left out
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Args, Debug)]
struct SolveArguments {
    /// Game files (*.wtb) or folders of them
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The file of labels; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions with at most so many empties are solved
    #[arg(long, default_value_t = 12)]
    empties: u8,
    /// Searches at once; the configuration's number when left out
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Args, Debug)]
struct LabelArguments {
    /// Game files (*.wtb) or folders of them, whose beginnings lead to positions
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The file that labels are added to; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Labels that the file is to hold in the end
    #[arg(long)]
    count: u64,
    /// Another seed chooses other positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Fewest discs of a position
    #[arg(long, default_value_t = 5)]
    from_discs: u8,
    /// Most discs of a position
    #[arg(long, default_value_t = 60)]
    to_discs: u8,
    /// Plies of a search
    #[arg(long, default_value_t = 8)]
    depth: u8,
    /// Confidence of a search, percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, default_value = "100")]
    selectivity: Selectivity,
    /// Positions with at most so many empties are solved
    #[arg(long, default_value_t = 14)]
    solve_from: u8,
    /// Weights to search with instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Searches at once; the configuration's number when left out
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Args, Debug)]
struct FitArguments {
    /// Game files (*.wtb) or folders of them
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Files of labelled positions
    #[arg(long, num_args = 1.., value_name = "FILE")]
    labels: Vec<PathBuf>,
    /// Learn from positions of games up to so many moves before their value is known
    #[arg(long, default_value_t = 8)]
    furthest: u8,
    /// Learn only from positions of games with at least so many empties
    #[arg(long, default_value_t = 0)]
    least_empties: u8,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// rosebill, zebra or ntest
    #[arg(long, default_value = "rosebill")]
    spec: String,
    /// Start from these weights
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Most rounds of the fit
    #[arg(long, default_value_t = 50)]
    rounds: u32,
    /// Pull of each weight to nought, in positions
    #[arg(long, default_value_t = 8.0)]
    ridge: f32,
    /// The same at the first knot, where configurations are few and repeat
    #[arg(long, default_value_t = 24.0)]
    opening_ridge: f32,
    /// The date to note in the file, such as 2026-11-20
    #[arg(long, default_value = "")]
    date: String,
    /// Threads; the configuration's number when left out
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Args, Debug)]
struct ProbcutArguments {
    /// Game files (*.wtb) or folders of them, whose beginnings lead to positions
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Numbers of empties to measure at
    #[arg(long, num_args = 1.., default_values_t = [12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52])]
    empties: Vec<u8>,
    /// Positions for each number of empties
    #[arg(long, default_value_t = 50)]
    positions: u64,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 10)]
    depth: u8,
    /// Confidence of the searches deeper than eight plies, percent
    #[arg(long, default_value = "98")]
    selectivity: Selectivity,
    /// Another seed chooses other positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Weights to search with instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Searches at once; the configuration's number when left out
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Args, Debug)]
struct MeasureArguments {
    /// Files of positions with scores: OBF, or CSV with columns board and value
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Weights to measure instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Measure searches of so many plies instead of static values
    #[arg(long)]
    depth: Option<u8>,
    /// Confidence of the searches, percent
    #[arg(long, default_value = "100")]
    selectivity: Selectivity,
    /// Take every so many-th position
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Only positions with so many empties
    #[arg(long)]
    empties: Option<u8>,
    /// Searches at once; the configuration's number when left out
    #[arg(long)]
    threads: Option<usize>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    match &arguments.action {
        Action::Games(arguments) => run_games(arguments, context),
        Action::Solve(arguments) => run_solve(arguments, context),
        Action::Label(arguments) => run_label(arguments, context),
        Action::Fit(arguments) => run_fit(arguments, context),
        Action::Probcut(arguments) => run_probcut(arguments, context),
        Action::Measure(arguments) => run_measure(arguments, context),
    }
}

fn pool(context: &Context, threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(context.threads(threads)).build()?)
}

fn evaluator(weights: Option<&Path>) -> anyhow::Result<Arc<PatternEvaluator>> {
    Ok(match weights {
        Some(path) => Arc::new(PatternEvaluator::from_file(path)?),
        None => PatternEvaluator::embedded()?,
    })
}

fn run_games(arguments: &GamesArguments, context: &Context) -> anyhow::Result<Status> {
    let request = SelfPlayRequest {
        out: arguments.out.clone(),
        count: arguments.count,
        seed: arguments.seed,
        depth: arguments.depth,
        selectivity: arguments.selectivity,
        perfect_from: arguments.perfect_from,
    };
    let evaluator = evaluator(arguments.weights.as_deref())?;
    let stop = stop_on_interrupt()?;
    let mut progress = Progress::new(context.quiet);
    let (started, mut before) = (Instant::now(), None);
    let games = pool(context, arguments.threads)?.install(|| {
        play_games(&request, &evaluator, &stop, &mut |step| {
            let before = *before.get_or_insert(step.games);
            let speed = (step.games - before) as f64 / started.elapsed().as_secs_f64();
            progress.show(|| format!("{}/{} games, {speed:.1}/s", step.games, step.wanted));
        })
    })?;
    drop(progress);
    context.note(format_args!("{games} games in {}", arguments.out.display()));
    Ok(if games < arguments.count { Status::Interrupted } else { Status::Done })
}

fn run_solve(arguments: &SolveArguments, context: &Context) -> anyhow::Result<Status> {
    let request = SolveRequest {
        games: arguments.games.clone(),
        out: arguments.out.clone(),
        empties: arguments.empties,
    };
    let evaluator = evaluator(None)?;
    let mut progress = Progress::new(context.quiet);
    pool(context, arguments.threads)?.install(|| {
        solve_games(&request, &evaluator, &Stop::new(), &mut |done, of| {
            progress.show(|| format!("{done}/{of} games solved"));
        })
    })?;
    drop(progress);
    context.note(format_args!("exact labels in {}", arguments.out.display()));
    Ok(Status::Done)
}

fn run_label(arguments: &LabelArguments, context: &Context) -> anyhow::Result<Status> {
    let request = LabelRequest {
        games: arguments.games.clone(),
        out: arguments.out.clone(),
        count: arguments.count,
        seed: arguments.seed,
        from_discs: arguments.from_discs,
        to_discs: arguments.to_discs,
        depth: arguments.depth,
        selectivity: arguments.selectivity,
        solve_from: arguments.solve_from,
    };
    let evaluator = evaluator(arguments.weights.as_deref())?;
    let stop = Stop::new();
    let mut progress = Progress::new(context.quiet);
    let started = Instant::now();
    let mut before = None;
    let labels = pool(context, arguments.threads)?.install(|| {
        label_positions(&request, &evaluator, &stop, &mut |step| {
            let before = *before.get_or_insert(step.labels);
            let speed = (step.labels - before) as f64 / started.elapsed().as_secs_f64();
            progress.show(|| format!("{}/{} labels, {speed:.0}/s", step.labels, step.wanted));
        })
    })?;
    drop(progress);
    context.note(format_args!("{labels} labels in {}", arguments.out.display()));
    Ok(Status::Done)
}

fn run_fit(arguments: &FitArguments, context: &mut Context) -> anyhow::Result<Status> {
    let request = FitRequest {
        spec: Spec::named(&arguments.spec)?,
        games: arguments.games.clone(),
        labels: arguments.labels.clone(),
        furthest: arguments.furthest,
        least_empties: arguments.least_empties,
        start: arguments.start.clone(),
        options: FitOptions {
            rounds: arguments.rounds,
            ridge: arguments.ridge,
            opening_ridge: arguments.opening_ridge,
        },
    };
    let mut progress = Progress::new(context.quiet);
    let weights = pool(context, arguments.threads)?
        .install(|| fit_weights(&request, &mut |step| progress.show(|| told(step))))?;
    drop(progress);
    let provenance = weights.provenance().clone();
    let weights =
        weights.with_provenance(Provenance { date: arguments.date.clone(), ..provenance });
    weights.write(&arguments.out)?;
    for error in &weights.provenance().errors {
        print_error(context, error)?;
    }
    let (name, checksum) = (weights.spec().name(), weights.checksum());
    context.note(format_args!("{name} {checksum:08x} in {}", arguments.out.display()));
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

fn run_probcut(arguments: &ProbcutArguments, context: &mut Context) -> anyhow::Result<Status> {
    let request = ProbCutRequest {
        games: arguments.games.clone(),
        empties: arguments.empties.clone(),
        positions: arguments.positions,
        depth: arguments.depth,
        selectivity: arguments.selectivity,
        seed: arguments.seed,
    };
    let evaluator = evaluator(arguments.weights.as_deref())?;
    let mut found = Vec::new();
    pool(context, arguments.threads)?
        .install(|| measure_probcut(&request, &evaluator, &mut |each| found.push(each)))?;
    for each in &found {
        if context.output.is_json() {
            context.output.object(each)?;
            continue;
        }
        context.output.line(format_args!(
            "{:2} empties, {:2} plies by {:2}: {} positions, bias {:+.2}, deviation {:.2}, slope \
             {:.2}",
            each.empties,
            each.depth,
            each.shallow,
            each.positions,
            each.bias,
            each.deviation,
            each.slope
        ))?;
    }
    Ok(Status::Done)
}

fn run_measure(arguments: &MeasureArguments, context: &mut Context) -> anyhow::Result<Status> {
    let evaluator = evaluator(arguments.weights.as_deref())?;
    context.note(evaluator.name());
    let pool = pool(context, arguments.threads)?;
    for path in &arguments.positions {
        let request = MeasureRequest {
            positions: path.clone(),
            limits: arguments.depth.map(|depth| Limits::depth(depth, arguments.selectivity)),
            every: arguments.every,
            empties: arguments.empties,
        };
        let accuracy = pool.install(|| measure_file(&evaluator, &request))?;
        print_accuracy(context, path, &accuracy)?;
        context.output.flush()?;
    }
    Ok(Status::Done)
}

fn print_accuracy(context: &mut Context, path: &Path, accuracy: &Accuracy) -> std::io::Result<()> {
    let Accuracy { positions, mean_absolute, root_mean_square, bias, slope, best_move, nodes } =
        *accuracy;
    if context.output.is_json() {
        return context.output.object(&json!({
            "file": path.display().to_string(),
            "positions": positions,
            "mean_absolute": mean_absolute,
            "root_mean_square": root_mean_square,
            "bias": bias,
            "slope": slope,
            "best_move": best_move,
            "nodes": nodes,
        }));
    }
    let best = best_move.map_or_else(String::new, |share| {
        format!(", best move {:.1} %, {nodes} nodes", 100.0 * share)
    });
    context.output.line(format_args!(
        "{}: {positions} positions, mean absolute error {mean_absolute:.2}, root mean square \
         {root_mean_square:.2}, bias {bias:+.2}, slope {slope:.2}{best}",
        path.display()
    ))
}
