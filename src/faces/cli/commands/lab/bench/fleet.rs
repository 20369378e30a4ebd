//! `rosebill lab bench fleet`.

use crate::app::amounts::{percent, within};
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::fleet::FleetArguments;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `lab bench fleet`.
#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab bench fleet --fleet nats://127.0.0.1:4222 \\\n    \
    --workers 10,100,1000 my.db\n\n\
    Workers in this process answer without searching, so what is measured is the coordinator and the \
    server. Each run grows a copy of the book, which is thrown away.")]
pub struct Arguments {
    #[command(flatten)]
    at: FleetArguments,
    /// Workers of one thread each: a run for each number
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "10,100,1000",
        value_parser = within::<u32>(0..=100_000))]
    workers: Vec<u32>,
    /// How long an answer takes on average; drawn for each
    #[arg(long, default_value = "0ms", value_parser = parse_duration)]
    answer: Duration,
    /// The share of jobs that are never answered, as when a worker dies, in percent
    #[arg(long, value_name = "PERCENT", default_value = "0", value_parser = percent)]
    fail: f64,
    /// Jobs without an answer are handed out again after this time
    #[arg(long, default_value = "30s", value_parser = parse_duration)]
    ack_wait: Duration,
    /// How long each run takes
    #[arg(long, default_value = "30s", value_parser = parse_duration)]
    time: Duration,
    /// Positions that are handed out at once [default: three times the workers]
    #[arg(long, value_name = "N", value_parser = within::<u32>(1..=200_000))]
    in_flight: Option<u32>,
    /// Books to be grown [default: the book]
    files: Vec<PathBuf>,
}

#[cfg(not(feature = "fleet"))]
pub(super) fn run(
    arguments: &Arguments,
    context: &mut crate::faces::cli::context::Context,
) -> anyhow::Result<crate::faces::cli::exit::Status> {
    match arguments.at.address(context)? {}
}

#[cfg(feature = "fleet")]
pub(super) use measured::run;

#[cfg(feature = "fleet")]
mod measured {
    use serde_json::json;

    use crate::app::{BookFile, Depth, GrowOptions, Spent};
    use crate::faces::cli::commands::lab::bench::fleet::Arguments;
    use crate::faces::cli::context::Context;
    use crate::faces::cli::exit::Status;
    use crate::faces::cli::interrupt::stop_on_interrupt;
    use crate::fleet::{FleetBench, FleetMeasure, measure_fleet};
    use crate::lab::bench::peak_megabytes;
    use crate::othello::eval::PatternEvaluator;

    /// Grows copies of books, a line for each run.
    pub fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
        let address = arguments.at.address(context)?;
        let stop = stop_on_interrupt()?;
        let evaluator = PatternEvaluator::embedded()?;
        let files = match arguments.files.as_slice() {
            [] => vec![context.book_path()],
            files => files.to_vec(),
        };
        let folder = tempfile::Builder::new().prefix("rosebill-bench-").tempdir()?;
        head(context)?;
        for file in files {
            for &workers in &arguments.workers {
                let copy = folder.path().join("copy.db");
                BookFile::at(&file).read()?.copy_to(&copy)?;
                let mut book = BookFile::at(&copy).open()?;
                let bench = FleetBench {
                    address: address.clone(),
                    workers: workers as usize,
                    answer: arguments.answer,
                    fail: arguments.fail,
                    ack_wait: arguments.ack_wait,
                    time: arguments.time,
                };
                let options = GrowOptions {
                    depth: Depth::Level(context.settings().level.value),
                    time: Some(bench.time),
                    in_flight: arguments.in_flight.map(|count| count as usize),
                    asked: "bench fleet".to_owned(),
                    ..GrowOptions::default()
                };
                let measure = measure_fleet(&mut book, &evaluator, &bench, &options, &stop)?;
                show(&measure, context)?;
                book.remove();
                if stop.is_stopped() {
                    return Ok(Status::Interrupted);
                }
            }
        }
        Ok(Status::Done)
    }

    fn head(context: &mut Context) -> anyhow::Result<()> {
        if !context.output.is_json() {
            context.output.line(
                "microseconds of processor time a result, of the thread that owns the book by what it \
                 does, and of the one that speaks with the server; of the workers for all",
            )?;
            context.output.line(format_args!(
                "{:>7} {:>9} {:>8} {:>7} {:>9} | {:>6} {:>6} {:>6} {:>9} {:>6} {:>6} | {:>6} {:>7} | \
                 {:>7} {:>7} | {:>6} {:>8} {:>8}",
                "workers", "positions", "results", "refused", "a second", "rank", "check", "insert",
                "propagate", "commit", "other", "server", "workers", "p50 ms", "p99 ms", "MB",
                "queue MB", "on disk"
            ))?;
        }
        Ok(())
    }

    fn show(measure: &FleetMeasure, context: &mut Context) -> anyhow::Result<()> {
        let results = measure.results.max(1) as f64;
        let a_second = measure.results as f64 / measure.wall.max(1e-9);
        let Spent { rank, check, insert, propagate, commit, other } = measure.spent;
        let each = |seconds: f64| seconds * 1e6 / results;
        let (memory, disk) = measure.server;
        let peak = peak_megabytes();
        if context.output.is_json() {
            context.output.object(&json!({
                "bench": "fleet",
                "workers": measure.workers,
                "positions": measure.positions,
                "new_positions": measure.new_positions,
                "results": measure.results,
                "refused": measure.refused,
                "wall_seconds": measure.wall,
                "per_second": a_second,
                "microseconds": {
                    "rank": each(rank),
                    "check": each(check),
                    "insert": each(insert),
                    "propagate": each(propagate),
                    "commit": each(commit),
                    "other": each(other),
                    "server_thread": each(measure.link),
                    "workers": each(measure.work),
                },
                "median_seconds": measure.median,
                "percentile_99_seconds": measure.percentile_99,
                "megabytes": peak,
                "queue_memory_bytes": memory,
                "queue_disk_bytes": disk,
            }))?;
        } else {
            let milliseconds = |seconds: Option<f64>| {
                seconds.map_or_else(String::new, |seconds| format!("{:.0}", seconds * 1e3))
            };
            context.output.line(format_args!(
                "{:>7} {:>9} {:>8} {:>7} {a_second:>9.0} | {:>6.0} {:>6.0} {:>6.0} {:>9.0} {:>6.0} \
                 {:>6.0} | {:>6.0} {:>7.0} | {:>7} {:>7} | {:>6} {:>8.1} {:>8.1}",
                measure.workers,
                measure.positions,
                measure.results,
                measure.refused,
                each(rank),
                each(check),
                each(insert),
                each(propagate),
                each(commit),
                each(other),
                each(measure.link),
                each(measure.work),
                milliseconds(measure.median),
                milliseconds(measure.percentile_99),
                peak.map_or_else(String::new, |peak| peak.to_string()),
                memory as f64 / 1e6,
                disk as f64 / 1e6,
            ))?;
        }
        Ok(context.output.flush()?)
    }
}
