//! `rosebill export`.

use std::path::PathBuf;

use anyhow::Context as _;
use serde::Serialize;

use super::filter::FilterArguments;
use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::cli::interrupt::stop_on_interrupt;
use crate::cli::output::tell;
use crate::cli::progress::Progress;
use crate::counted::counted;
use crate::formats::Format;
use crate::ops::export::{
    ExportError, ExportOptions, ExportReport, ExportTarget, export_at, not_held,
};
use crate::search::Level;

/// Arguments of `export`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill export book.dat --book my.db\n\
             rosebill export tiger.dat --from f5d6c3d3c4 --max-discs 30 --deviate 2\n\n\
    Filters work together. A part of a book keeps its values: a move that leads to a position left \
    out becomes the best move out of the book for the position before it.\n\n\
    The file is written beside its target and takes its name when it is complete. Only json holds \
    everything.")]
pub struct Arguments {
    /// The file to write; - is standard output
    #[arg(value_name = "FILE")]
    target: PathBuf,
    /// The format [default: from the file's ending]: edax, edax-text, ntest, ntest-1, egaroucid,
    /// zebra, zebra-text, zebra-cmp, zebra-cmp-z, json, csv
    #[arg(long)]
    format: Option<Format>,
    /// Edax, Egaroucid: the level of all records [default: the one that each was searched at]
    #[arg(long)]
    level: Option<Level>,
    #[command(flatten)]
    filter: FilterArguments,
}

#[derive(Serialize)]
struct ExportJson {
    file: String,
    format: &'static str,
    positions: u64,
    passes: u64,
    finished: u64,
    added: u64,
    disagree: u64,
    filtered: u64,
    left_out: u64,
    search_due: u64,
    likely_moves: u64,
    rounded: u64,
    unchanged: u64,
    bytes: u64,
    not_held: Vec<&'static str>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let target = ExportTarget::of(&arguments.target);
    let format = arguments.format.or_else(|| Format::of_ending(&arguments.target));
    let format = format.with_context(|| {
        format!(
            "{}: the ending names no format: give one with --format ({})",
            target.name(),
            Format::ALL.map(Format::name).join(", ")
        )
    })?;
    let options = ExportOptions {
        level: arguments.level,
        filter: arguments.filter.filter(),
        stop: stop_on_interrupt()?,
        ..ExportOptions::now(format)
    };
    let mut progress = Progress::new(context.quiet);
    let done = export_at(&context.book_path(), &target, &options, |now| {
        progress.show(|| format!("{} of {} positions", now.done, now.of));
    });
    drop(progress);
    let (report, few) = match done {
        Err(error) => return failed(error, context),
        Ok(done) => done,
    };
    print(&target, format, &report, context)?;
    if let Some(few) = few {
        context.note(few);
    }
    Ok(Status::Done)
}

/// What an export that wrote nothing means for the exit code.
pub(super) fn failed(error: ExportError, context: &Context) -> anyhow::Result<Status> {
    match error {
        ExportError::Stopped(_) => {
            context.note(error);
            Ok(Status::Interrupted)
        }
        ExportError::NothingLeft(_) => {
            tell(format_args!("rosebill: {error}"));
            Ok(Status::NotFound)
        }
        error => Err(error.into()),
    }
}

/// Tells what was written, beside it where that is standard output.
pub(super) fn print(
    target: &ExportTarget,
    format: Format,
    report: &ExportReport,
    context: &mut Context,
) -> anyhow::Result<()> {
    if target == &ExportTarget::Stdout {
        lines(target, format, report).iter().for_each(|line| context.note(line));
        return Ok(());
    }
    if context.output.is_json() {
        let ExportReport {
            positions,
            passes,
            finished,
            added,
            disagree,
            filtered,
            left_out,
            search_due,
            likely_moves,
            rounded,
            unchanged,
            bytes,
        } = *report;
        context.output.object(&ExportJson {
            file: target.name(),
            format: format.name(),
            positions,
            passes,
            finished,
            added,
            disagree,
            filtered,
            left_out,
            search_due,
            likely_moves,
            rounded,
            unchanged,
            bytes,
            not_held: not_held(format).iter().map(|loss| loss.what).collect(),
        })?;
        return Ok(());
    }
    if !context.quiet {
        for line in lines(target, format, report) {
            context.output.line(line)?;
        }
    }
    Ok(())
}

/// What was written and what the format could not hold.
fn lines(target: &ExportTarget, format: Format, report: &ExportReport) -> Vec<String> {
    let mut lines = vec![format!(
        "{}: {}, {}, {} bytes",
        target.name(),
        format.title(),
        counted(report.positions, "position"),
        report.bytes
    )];
    for (count, text) in [
        (report.passes, "records made for forced passes"),
        (report.finished, "records made for finished games"),
        (report.added, "positions added after a best move that is in no book"),
        (report.disagree, "of them valued twice: the deeper search taken"),
        (report.filtered, "positions left out, as asked for"),
        (report.left_out, "positions left out: no value, or too few empties for the format"),
        (report.search_due, "positions with moves that are not searched yet"),
        (report.likely_moves, "values without a move: given the likeliest move"),
        (report.rounded, "scores rounded to what the format holds"),
        (report.unchanged, "positions written as they stood in the imported file"),
    ] {
        if count != 0 {
            lines.push(format!("  {count:>8} {text}"));
        }
    }
    if !not_held(format).is_empty() {
        lines.push("  what the format cannot hold:".to_owned());
    }
    for loss in not_held(format) {
        lines.push(format!("    {:<36} {}", loss.what, loss.instead));
    }
    lines
}
