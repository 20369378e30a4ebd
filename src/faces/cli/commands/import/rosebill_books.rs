//! `rosebill import` of books of rosebill.

use std::path::PathBuf;

use super::super::dry_run;
use super::{Arguments, fact_lines, less_sure};
use crate::app::games::MergedGames;
use crate::app::{MergeError, Reader, merge_into, try_merge};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::wrong_file::{Takes, or_right_command};
use crate::files::counted::{counted, grouped};

/// Merges books into the user's own, all or none.
pub(super) fn run(
    files: &[PathBuf],
    arguments: &Arguments,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let book = context.book();
    let positions = |file: &PathBuf| Some(Reader::open(file).ok()?.counts().ok()?.positions);
    let busy = context.busy("merging", files.iter().map(positions).sum());
    let merged = if arguments.dry_run {
        let done = book.open().map_err(MergeError::from);
        done.and_then(|mut book| try_merge(&mut book, files))
            .map(|(reports, differs)| (reports, false, Some(differs)))
    } else {
        merge_into(&book, files, !arguments.no_undo)
            .map(|(reports, is_new)| (reports, is_new, None))
    };
    let (reports, is_new, would_change) = merged.map_err(|error| {
        or_right_command(error.into(), Takes::Books, files.iter().map(PathBuf::as_path))
    })?;
    drop(busy);
    if is_new {
        context.note_new_book(0);
    }
    let has_games = |games: MergedGames| games != MergedGames::default();
    for (file, report) in files.iter().zip(&reports) {
        if context.output.is_json() {
            let facts = &report.facts;
            let mut merged = serde_json::json!({
                "file": file.display().to_string(),
                "new": report.new,
                "replaced": report.replaced,
                "kept": report.kept,
                "less_sure": report.less_sure.count,
                "conflicts": report.conflicts,
                "games": {
                    "new": report.games.new,
                    "known": report.games.known,
                    "richer": report.games.richer,
                },
            });
            if facts.stated > 0 {
                merged["facts"] = serde_json::to_value(facts)?;
            }
            context.output.object(&merged)?;
            continue;
        }
        context.summary(format_args!(
            "{}: {} new, {} replaced, {} kept, {} between proofs",
            file.display(),
            counted(report.new, "position"),
            grouped(report.replaced),
            grouped(report.kept),
            counted(report.conflicts, "conflict")
        ))?;
        if let Some(lost) = less_sure(report.less_sure) {
            context.summary(format_args!("  {lost}"))?;
        }
        for (key, ours, theirs) in &report.examples {
            context.summary(format_args!(
                "  {:?}: proven {}..{} here, {}..{} there",
                key.position(),
                ours.lower,
                ours.upper,
                theirs.lower,
                theirs.upper
            ))?;
        }
        if report.facts.stated > 0 {
            for line in fact_lines("  facts", &report.facts) {
                context.summary(line)?;
            }
        }
        if has_games(report.games) {
            let MergedGames { new, known, richer } = report.games;
            context.summary(format_args!(
                "  {}: {} new, {} known, {} with new details",
                counted(new + known + richer, "game"),
                grouped(new),
                grouped(known),
                grouped(richer)
            ))?;
        }
    }
    would_change.map_or(Ok(()), |differs| dry_run::print(&differs, context))?;
    let are_refused = reports.iter().any(|report| report.facts.refused > 0);
    Ok(if are_refused { Status::Partly } else { Status::Done })
}
