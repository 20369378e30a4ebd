//! `rosebill lab bench grow`.

use crate::app::amounts::{whole, within};
use crate::app::{BookFile, Depth, GrowOptions, GrowStart, PolicySpec, RegretLimits, Spent};
use crate::faces::cli::commands::grow::options;
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::place::start;
use crate::files::games::Asked;
use crate::lab::bench::{GrowthMeasure, measure_growth, peak_megabytes};
use crate::othello::eval::PatternEvaluator;
use crate::othello::search::Level;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `lab bench grow`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: rosebill lab bench grow --policy best,deviate --searches 10000 my.db\n\n\
    Answers are drawn instead of searched, so what is measured is all the rest of growth. Each run \
    grows a copy of the book, which is thrown away."
)]
pub struct Arguments {
    /// What is searched next: a run for each, with commas between them
    #[arg(long, value_enum, value_delimiter = ',', default_value = "best")]
    policy: Vec<PolicySpec>,
    /// Grow from this position: a line, an opening's name or a board; may be given several times [default: the start]
    #[arg(long, value_name = "POSITION", value_parser = start)]
    from: Vec<Asked>,
    /// How deep positions are noted to be searched [default: that of the settings]
    #[arg(long)]
    level: Option<Level>,
    /// With --policy best: as for 'rosebill grow'
    #[arg(long, value_name = "LEVEL")]
    deepen: Option<Level>,
    /// With --policy lines: as for 'rosebill grow'
    #[arg(long, value_name = "MOVES", value_parser = start)]
    line: Vec<Asked>,
    /// With --policy lines, popular or doubt: as for 'rosebill grow' [default: games of the book]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    losses: RegretLimits,
    /// Positions that are handed out at once: a run for each number
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1",
        value_parser = within::<u32>(1..=100_000))]
    in_flight: Vec<u32>,
    /// Simulated searches in each run
    #[arg(long, value_name = "N", value_parser = whole, default_value = "5000")]
    searches: u64,
    /// How long each run takes at most
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// Books to be grown [default: the book]
    files: Vec<PathBuf>,
}

/// Grows copies of books, a line for each run.
pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let stop = stop_on_interrupt()?;
    let evaluator = PatternEvaluator::embedded()?;
    let files = match arguments.files.as_slice() {
        [] => vec![context.book_path()],
        files => files.to_vec(),
    };
    let level = arguments.level.unwrap_or(context.settings().level.value);
    let folder = tempfile::Builder::new().prefix("rosebill-bench-").tempdir()?;
    let mut has_head = false;
    for file in files {
        for policy in &arguments.policy {
            for &in_flight in &arguments.in_flight {
                let copy = folder.path().join("copy.db");
                BookFile::at(&file).read()?.copy_to(&copy)?;
                let options = arguments.options(policy.clone(), level, &copy, context)?;
                let mut book = BookFile::at(&copy).open()?;
                let measure =
                    measure_growth(&mut book, &evaluator, in_flight as usize, &options, &stop)?;
                if !std::mem::replace(&mut has_head, true) {
                    head(context)?;
                }
                show(policy.name(), in_flight, &measure, context)?;
                book.remove();
                if stop.is_stopped() {
                    return Ok(Status::Interrupted);
                }
            }
        }
    }
    Ok(Status::Done)
}

impl Arguments {
    fn options(
        &self,
        mut policy: PolicySpec,
        level: Level,
        book: &std::path::Path,
        context: &Context,
    ) -> anyhow::Result<GrowOptions> {
        let depth = Depth::Level(level);
        for (_, option) in options(self.deepen, &self.line, &self.games) {
            // Of some policies of several.
            let _ = option.map(|option| policy.take(option));
        }
        Ok(GrowOptions {
            from: self.from.iter().map(GrowStart::from).collect(),
            policy: policy.policy(book, depth, &mut |told| context.note(told))?,
            limits: self.losses,
            depth,
            time: self.time,
            searches: Some(self.searches),
            asked: "bench grow".to_owned(),
            ..GrowOptions::default()
        })
    }
}

fn head(context: &mut Context) -> anyhow::Result<()> {
    if !context.output.is_json() {
        context.output.line("microseconds of processor time a result")?;
        context.output.line(format_args!(
            "{:<8} {:>9} {:>9} {:>8} {:>8} {:>8} | {:>7} {:>7} {:>9} {:>7} {:>7} {:>8} | {:>8} {:>6}",
            "policy", "in flight", "positions", "added", "results", "searches", "choice", "insert",
            "propagate", "commit", "other", "all", "first ms", "MB"
        ))?;
    }
    Ok(())
}

fn show(
    name: &str,
    in_flight: u32,
    measure: &GrowthMeasure,
    context: &mut Context,
) -> anyhow::Result<()> {
    let &GrowthMeasure { positions, new_positions, results, searches, first, .. } = measure;
    let Spent { rank, check, insert, propagate, commit, other } = measure.spent;
    let all = rank + check + insert + propagate + commit + other;
    let each = |seconds: f64| seconds * 1e6 / results.max(1) as f64;
    let peak = peak_megabytes();
    if context.output.is_json() {
        context.output.object(&json!({
            "bench": "grow",
            "policy": name,
            "in_flight": in_flight,
            "positions": positions,
            "new_positions": new_positions,
            "results": results,
            "searches": searches,
            "microseconds": {
                "choice": each(rank),
                "insert": each(insert),
                "propagate": each(propagate),
                "commit": each(commit),
                "other": each(other),
                "all": each(all),
            },
            "first_seconds": first,
            "megabytes": peak,
        }))?;
    } else {
        context.output.line(format_args!(
            "{name:<8} {in_flight:>9} {positions:>9} {new_positions:>8} {results:>8} {searches:>8} | \
             {:>7.0} {:>7.0} {:>9.0} {:>7.0} {:>7.0} {:>8.0} | {:>8} {:>6}",
            each(rank),
            each(insert),
            each(propagate),
            each(commit),
            each(other),
            each(all),
            first.map_or_else(String::new, |first| format!("{:.0}", first * 1e3)),
            peak.map_or_else(String::new, |peak| peak.to_string()),
        ))?;
    }
    Ok(context.output.flush()?)
}
