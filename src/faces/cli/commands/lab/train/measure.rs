//! `rosebill lab train measure`, `foretell`, `probcut` and `calibrate`.

use super::prepare::{Means, ended, pool};
use crate::app::Task;
use crate::app::amounts::{at_least, one_or_more, within};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::table::Table;
use crate::lab::train::{
    Accuracy, CalibrateRequest, ForetellRequest, MeasureRequest, ProbcutRequest, TrainError,
    calibrate, measure_file, measure_foretelling, read_probcut, sample_probcut,
};
use crate::othello::eval::{Explain, by_name};
use crate::othello::search::probcut_fit::{cells, fit};
use crate::othello::search::{Level, Limits, Selectivity, Stop};
use anyhow::bail;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab train foretell --games wthor")]
pub struct ForetellArguments {
    #[command(flatten)]
    request: ForetellRequest,
    #[command(flatten)]
    with: Means,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab train probcut --out cuts.samples --count 20000")]
pub struct ProbcutArguments {
    #[command(flatten)]
    request: ProbcutRequest,
    #[command(flatten)]
    with: Means,
}

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab train calibrate e20.obf e25.obf --depths 4 8 12")]
pub struct CalibrateArguments {
    #[command(flatten)]
    request: CalibrateRequest,
    /// An evaluator's name or weights file
    #[arg(long, default_value = "rosebill", value_name = "NAME")]
    evaluator: String,
    /// Searches at once [default: the setting, else all processors]
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

#[derive(Args, Debug)]
pub struct MeasureArguments {
    /// Files of positions with scores: OBF, CSV with columns board and value, or our own labels
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Evaluators to measure: names or weights files
    #[arg(long, num_args = 1.., default_values_t = [String::from("rosebill")], value_name = "NAME")]
    evaluator: Vec<String>,
    /// The same as --evaluator with one weights file
    #[arg(long, value_name = "FILE", conflicts_with = "evaluator")]
    weights: Option<PathBuf>,
    /// One line for each number of discs
    #[arg(long)]
    by_discs: bool,
    /// Measure searches of this many plies instead of static values
    #[arg(long, value_parser = within::<u8>(0..=60))]
    depth: Option<u8>,
    /// Confidence of the searches, percent
    #[arg(long, default_value = "100")]
    selectivity: Selectivity,
    /// Measure searches of a level, as growth makes them, instead of static values
    #[arg(long, conflicts_with_all = ["depth", "selectivity"])]
    level: Option<Level>,
    /// Judge the score of the last iteration, not the value made of the last two
    #[arg(long)]
    last_iteration: bool,
    /// Take only every Nth position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = one_or_more)]
    every: usize,
    /// Leave out this many positions at the beginning of each file
    #[arg(long, default_value_t = 0, value_parser = at_least::<0, usize>)]
    skip: usize,
    /// Only positions with this many empties
    #[arg(long, value_parser = within::<u8>(0..=60))]
    empties: Option<u8>,
    /// Searches at once [default: the setting, else all processors]
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

pub(super) fn run_foretell(
    arguments: &ForetellArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let evaluator = arguments.with.evaluator()?;
    let mut found = Vec::new();
    let ended = arguments
        .with
        .pool(context)?
        .install(|| measure_foretelling(request, &evaluator, stop, &mut |each| found.push(each)));
    // What was measured before it was stopped is printed, too.
    if let Err(error) = &ended
        && !matches!(error, TrainError::Stopped)
    {
        return Ok(ended.map(|()| Status::Done)?);
    }
    for each in &found {
        if context.output.is_json() {
            context.output.object(each)?;
            continue;
        }
        context.output.line(format_args!(
            "{:2} empties, {:2} plies by {:2}: {} positions, bias {:+.2}, deviation {:.2}, root mean \
             square {:.2}, slope {:.2}",
            each.empties,
            each.depth,
            each.shallow,
            each.positions,
            each.bias,
            each.deviation,
            each.bias.hypot(each.deviation),
            each.slope
        ))?;
    }
    Ok(ended.map(|()| Status::Done)?)
}

pub(super) fn run_probcut(
    arguments: &ProbcutArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let evaluator = arguments.with.evaluator()?;
    let mut progress = Progress::new(context.quiet);
    let done = arguments.with.pool(context)?.install(|| {
        sample_probcut(request, &evaluator, stop, &mut |done| {
            progress.show(|| format!("{done}/{} samples", request.count));
        })
    })?;
    drop(progress);
    let status = ended(stop, (done, request.count), ("sample", &request.out), context);
    if status == Status::Interrupted {
        return Ok(status);
    }
    let cells = cells(&read_probcut(&request.out)?);
    let model = fit(&cells);
    for cell in &cells {
        let middle = f32::from(cell.empties) + 1.5;
        let expected = match cell.depth {
            Some(depth) => model.midgame_sigma(middle, f32::from(depth), cell.shallow),
            None => model.end_sigma(middle, cell.shallow),
        };
        if context.output.is_json() {
            context.output.object(&json!({
                "empties": cell.empties,
                "depth": cell.depth,
                "shallow": cell.shallow,
                "positions": cell.positions,
                "bias": cell.bias / 100.0,
                "error": cell.error / 100.0,
                "model": f64::from(expected) / 100.0,
            }))?;
            continue;
        }
        let deep = cell.depth.map_or_else(|| "end".to_owned(), |depth| format!("{depth:3}"));
        context.output.line(format_args!(
            "{:2}-{:2} empties, {deep} by {:2}: {:6} positions, bias {:+.2}, error {:.2}, model \
             {:.2}",
            cell.empties,
            cell.empties + 3,
            cell.shallow,
            cell.positions,
            cell.bias / 100.0,
            cell.error / 100.0,
            expected / 100.0,
        ))?;
    }
    if context.output.is_json() {
        context.output.object(&json!({"midgame": model.midgame, "end": model.end}))?;
    } else {
        for (title, terms) in [("midgame", &model.midgame[..]), ("end", &model.end[..])] {
            let terms: Vec<String> = terms.iter().map(f32::to_string).collect();
            context.output.line(format_args!("{title}: {}", terms.join(", ")))?;
        }
    }
    let few = cells.iter().filter(|cell| cell.positions < ENOUGH_POSITIONS).count();
    if few > 0 {
        context.note(format_args!(
            "{few} of {} cells have fewer than {ENOUGH_POSITIONS} positions",
            cells.len()
        ));
    }
    Ok(status)
}

/// Positions that a cell of the tables of Multi-ProbCut should rest on.
const ENOUGH_POSITIONS: usize = 1000;

pub(super) fn run_calibrate(
    arguments: &CalibrateArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let evaluator = by_name(&arguments.evaluator)?;
    let found =
        pool(context, arguments.threads)?.install(|| calibrate(request, &evaluator, stop))?;
    let output = &mut context.output;
    if output.is_json() {
        found.cells.iter().try_for_each(|cell| output.object(cell))?;
        found.bins.iter().try_for_each(|bin| output.object(bin))?;
        output.object(&json!({"curve": found.curve.0}))?;
        return Ok(Status::Done);
    }
    let mut table =
        Table::new(&["empties", "depth", "%", "positions", "bias", "error", "expected"]);
    for cell in &found.cells {
        table.row([
            cell.empties.to_string(),
            cell.depth.to_string(),
            cell.selectivity.to_string(),
            cell.positions.to_string(),
            format!("{:+.2}", cell.bias),
            format!("{:.2}", cell.error),
            format!("{:.2}", cell.expected),
        ]);
    }
    output.table(&table)?;
    output.line("")?;
    let mut table = Table::new(&["chance of", "from %", "searches", "predicted %", "observed %"]);
    for bin in &found.bins {
        table.row([
            bin.result.to_owned(),
            bin.from_percent.to_string(),
            bin.searches.to_string(),
            format!("{:.1}", 100.0 * bin.predicted),
            format!("{:.1}", 100.0 * bin.observed),
        ]);
    }
    output.table(&table)?;
    let constants: Vec<String> =
        found.curve.0.iter().map(|constant| format!("{constant:.4}")).collect();
    output.line(format_args!("\ncurve: [{}]", constants.join(", ")))?;
    Ok(Status::Done)
}

pub(super) fn run_measure(
    arguments: &MeasureArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let names = match &arguments.weights {
        Some(path) => vec![path.display().to_string()],
        None => arguments.evaluator.clone(),
    };
    let pool = pool(context, arguments.threads)?;
    for path in &arguments.positions {
        let request = MeasureRequest {
            positions: path.clone(),
            task: task(arguments),
            last_iteration: arguments.last_iteration,
            every: arguments.every,
            skip: arguments.skip,
            empties: arguments.empties,
        };
        for name in &names {
            let evaluator = by_name(name)?;
            let measured = pool.install(|| measure_file(&evaluator, &request, stop))?;
            if measured.all.positions == 0 {
                let file = path.display();
                let wanted = arguments
                    .empties
                    .map(|empties| format!(" with {empties} empties"))
                    .unwrap_or_default();
                bail!("{file}: expected positions with known values{wanted}, found none");
            }
            let title = evaluator.title();
            if arguments.by_discs {
                for (discs, accuracy) in &measured.by_discs {
                    print_accuracy(context, path, &title, Some(*discs), accuracy)?;
                }
            } else {
                print_accuracy(context, path, &title, None, &measured.all)?;
            }
            context.output.flush()?;
        }
    }
    Ok(Status::Done)
}

/// What the measured searches are to do.
fn task(arguments: &MeasureArguments) -> Option<Task> {
    let fixed = |depth| Task::Limits(Limits::depth(depth, arguments.selectivity));
    arguments.level.map(Task::Level).or(arguments.depth.map(fixed))
}

fn print_accuracy(
    context: &mut Context,
    path: &Path,
    evaluator: &str,
    discs: Option<u8>,
    accuracy: &Accuracy,
) -> std::io::Result<()> {
    let Accuracy {
        positions,
        mean_absolute,
        root_mean_square,
        bias,
        slope,
        slope_of_ours,
        best_move,
        nodes,
        seconds,
    } = *accuracy;
    if context.output.is_json() {
        return context.output.object(&json!({
            "file": path.display().to_string(),
            "evaluator": evaluator,
            "discs": discs,
            "positions": positions,
            "mean_absolute": mean_absolute,
            "root_mean_square": root_mean_square,
            "bias": bias,
            "slope": slope,
            "slope_of_ours": slope_of_ours,
            "best_move": best_move,
            "nodes": nodes,
            "seconds": seconds,
        }));
    }
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let discs = discs.map_or_else(String::new, |discs| format!(", {discs:2} discs"));
    let best =
        best_move.map_or_else(String::new, |share| format!(", best move {:.1} %", 100.0 * share));
    let cost = if nodes == 0 { String::new() } else { format!(", {nodes} nodes, {seconds:.2} s") };
    context.output.line(format_args!(
        "{evaluator}, {file}{discs}: {positions} positions, mean absolute error \
         {mean_absolute:.2}, root mean square {root_mean_square:.2}, bias {bias:+.2}, slope \
         {slope:.2}, of ours {slope_of_ours:.2}{best}{cost}"
    ))
}
