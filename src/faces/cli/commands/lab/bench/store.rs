//! `rosebill lab bench store` and `rosebill lab bench propagate`.

use clap::Args;
use serde_json::json;

use crate::app::StoreError;
use crate::faces::cli::config::Origin;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::{MEASURED, end_at_once_on_interrupt};
use crate::lab::bench::{Measure, measure_copy, measure_games, measure_store};

/// Arguments of `lab bench store`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: rosebill lab bench store --positions 2m\n\nWith --book a new book is made there and kept; without it the book is deleted in the end. A file that is there is refused."
)]
pub struct Arguments {
    /// How large the scratch book is to be: a number, or as 500k or 2m
    #[arg(long, default_value = "1m", value_parser = parse_count)]
    positions: u64,
}

/// Arguments of `lab bench propagate`.
#[derive(Args, Debug)]
pub struct PropagateArguments {}

/// Arguments of `lab bench games`.
#[derive(Args, Debug)]
pub struct GamesArguments {
    /// A player for the filter of many conditions
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
}

pub(super) fn run_games(
    arguments: &GamesArguments,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    end_at_once_on_interrupt(MEASURED)?;
    head(context)?;
    let mut result = Ok(());
    measure_games(&book, arguments.player.clone(), |measure| {
        if result.is_ok() {
            result = show("games", measure, context);
        }
    })?;
    result?;
    Ok(Status::Done)
}

pub(super) fn parse_count(text: &str) -> Result<u64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let (digits, unit) = match lower.strip_suffix(['k', 'm']) {
        Some(digits) if lower.ends_with('k') => (digits, 1_000.0),
        Some(digits) => (digits, 1_000_000.0),
        None => (lower.as_str(), 1.0),
    };
    match digits.parse::<f64>() {
        Ok(number) if (1.0..=1e10).contains(&(number * unit)) => Ok((number * unit) as u64),
        _ => Err(format!(
            "'{text}' is not a number of positions: expected such as 50000, 500k or 2m"
        )),
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let mut result = Ok(());
    let kept = context.settings().book.origin == Origin::Flag;
    context.end_on_interrupt()?;
    let file = context.book();
    head(context)?;
    let kept = kept.then_some(&file);
    let measured = measure_store(kept, arguments.positions, &file.stop, |measure| {
        if result.is_ok() {
            result = show("store", measure, context);
        }
    });
    ended(measured, result, context)
}

/// How it ends: a user who stops it has what is printed.
fn ended(
    measured: Result<(), StoreError>,
    shown: anyhow::Result<()>,
    context: &Context,
) -> anyhow::Result<Status> {
    match measured {
        Err(StoreError::Stopped(_)) => {
            context.note(MEASURED);
            Ok(Status::Interrupted)
        }
        measured => {
            measured?;
            shown?;
            Ok(Status::Done)
        }
    }
}

pub(super) fn run_propagate(
    _: &PropagateArguments,
    context: &mut Context,
) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    let book = context.book();
    let mut result = Ok(());
    head(context)?;
    let measured = measure_copy(&book, |measure| {
        if result.is_ok() {
            result = show("propagate", measure, context);
        }
    });
    ended(measured, result, context)
}

fn head(context: &mut Context) -> anyhow::Result<()> {
    if !context.output.is_json() {
        context.output.line(format_args!(
            "{:<52} {:>10} {:>9} {:>9} {:>11} {:>9} {:>9}",
            "", "count", "seconds", "wall", "a second", "p50 µs", "p99 µs"
        ))?;
    }
    Ok(())
}

fn show(bench: &str, measure: &Measure, context: &mut Context) -> anyhow::Result<()> {
    let Measure { name, count, seconds, wall, median, percentile_99, note } = measure;
    // A fact, such as the size of the file, takes no time.
    let speed = (*wall > 0.0).then(|| *count as f64 / seconds.max(1e-9));
    if context.output.is_json() {
        context.output.object(&json!({
            "bench": bench,
            "name": name,
            "positions": count,
            "seconds": seconds,
            "wall_seconds": wall,
            "per_second": speed,
            "median_microseconds": median,
            "percentile_99_microseconds": percentile_99,
            "note": note,
        }))?;
    } else {
        let time = |time: &Option<f64>| time.map_or_else(String::new, |t| format!("{t:.1}"));
        context.output.line(format_args!(
            "{name:<52} {count:>10} {seconds:>9.3} {wall:>9.3} {:>11} {:>9} {:>9}  {note}",
            speed.map_or_else(String::new, |speed| format!("{speed:.0}")),
            time(median),
            time(percentile_99)
        ))?;
    }
    context.output.flush()?;
    Ok(())
}
