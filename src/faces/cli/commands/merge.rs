//! `rosebill merge`.

use std::path::PathBuf;

use super::dry_run;
use super::import::{fact_lines, less_sure};
use crate::app::games::MergedGames;
use crate::app::{merge_files, try_merge};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::wrong_file::{Takes, or_right_command};
use crate::files::counted::counted;

/// Arguments of `merge`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill merge other.db\n\n\
    All searches of both books are put together, in any order of merging: of each position that search is kept for \
    a move which is the greatest of those that covered it, by depth, then confidence, then proof. What was \
    proven stays proven. A move to a position of the book counts once that is as sure as the search \
    above it; until then it is held, and the search answers for it ('rosebill show' says how to make it \
    count). So no deep search is overruled by shallow ones. Games come in too, none twice, with the collections \
    that they are from. All files come in or none; --dry-run says before what would change. 'rosebill undo' takes it back, but for the \
    games.\n\n\
    A fact that contradicts a proof of ours or a fact that is there already is refused and listed: the \
    rest comes in, and the exit code is then 1. How values moved while the other books grew \
    (info --history) stays with them.")]
pub struct Arguments {
    /// The books to take in
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say what would change, and write nothing
    #[arg(long, conflicts_with = "no_undo")]
    dry_run: bool,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    let mut book = context.book().open()?;
    let files = &arguments.files;
    let merged = match arguments.dry_run {
        true => try_merge(&mut book, files).map(|(reports, differs)| (reports, Some(differs))),
        false => merge_files(&mut book, files, !arguments.no_undo).map(|reports| (reports, None)),
    };
    let (reports, would_change) = merged.map_err(|error| {
        or_right_command(error.into(), Takes::Books, files.iter().map(PathBuf::as_path))
    })?;
    let has_games = |games: MergedGames| games != MergedGames::default();
    for (file, report) in arguments.files.iter().zip(&reports) {
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
            report.new,
            report.replaced,
            report.kept,
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
                "  {}: {new} new, {known} known, {richer} richer than before",
                counted(new + known + richer, "game")
            ))?;
        }
    }
    would_change.map_or(Ok(()), |differs| dry_run::print(&differs, context))?;
    let are_refused = reports.iter().any(|report| report.facts.refused > 0);
    Ok(if are_refused { Status::NotFound } else { Status::Done })
}
