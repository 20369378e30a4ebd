//! `rosebill games export`.

use super::filter::tell_namesakes;
use super::list::ChoiceArguments;
use crate::app::amounts::one_or_more;
use crate::app::export::ExportTarget;
use crate::app::games::{FilterError, GameDatabase, GameExport, GameExportError, export_games};
use crate::app::json::object;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::output::fault;
use crate::faces::cli::present_file::ForceArguments;
use crate::faces::cli::progress::Progress;
use crate::files::counted::{counted, grouped};
use crate::files::games::{GameFormat, Loss, Losses};
use anyhow::Context as _;
use std::path::PathBuf;

/// Arguments of `games export`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill games export tiger.pgn tiger --years 2000-\n          \
             rosebill games export mine.wtb --player aspenryd\n\n\
    A .wtb file has its players and tournaments in .jou and .trn beside it, all dated the 1st of January \
    of the year of most of its games: the same games give the same bytes on any day. A file that other .wtb \
    files there have their names from is not replaced: give another name or another folder. What a \
    format cannot hold of the games is reported; json holds everything. A .wtb file has theoretical scores \
    of all its games or of none: --theory yes takes those that have one. The exit code is 3 when a game \
    could not be written, 1 when there is none.")]
pub struct Arguments {
    /// The file to write; - is standard output
    #[arg(value_name = "FILE")]
    target: PathBuf,
    #[command(flatten)]
    choice: ChoiceArguments,
    #[arg(long, value_parser = super::import::format, help = format!(
        "The format [default: from the file's ending]: {}", GameFormat::names()
    ))]
    format: Option<GameFormat>,
    /// How many games are written at most, the first of their order [default: all]
    #[arg(long, value_name = "N", value_parser = one_or_more)]
    limit: Option<usize>,
    #[command(flatten)]
    replaced: ForceArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    arguments.replaced.check(&arguments.target, Some("games import"))?;
    let is_stdout = ExportTarget::of(&arguments.target) == ExportTarget::Stdout;
    let format = arguments.format.or_else(|| GameFormat::of_ending(&arguments.target));
    let format = format.with_context(|| {
        let names = GameFormat::names();
        let target = arguments.target.display();
        format!("{target}: its ending names no format: give one with --format ({names})")
    })?;
    let mut options = arguments.choice.options(context)?;
    options.limit = arguments.limit.unwrap_or(options.limit);
    let stop = stop_on_interrupt()?;
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    tell_namesakes(arguments.choice.filter.names(), &database, context)?;
    let mut progress = Progress::new(context.quiet);
    let target = ExportTarget::of(&arguments.target);
    let done = export_games(&database, &options, format, &target, &stop, |games| {
        progress.show_share("", games, None, "game");
    });
    drop(progress);
    let export = match done {
        Err(error @ GameExportError::Stopped(_)) => {
            context.note(error);
            return Ok(Status::Interrupted);
        }
        done => done?,
    };
    for (game, why) in &export.refused {
        fault(format_args!("game {}: {why}", game.0));
    }
    if database.is_empty() {
        context.explain(&FilterError::NoGames);
    } else if export.written.games == 0 && !is_stdout {
        let target = arguments.target.display();
        context.note(format_args!("no game to write: {target} is as it was"));
    }
    print(&export, format, is_stdout, context)?;
    Ok(match export.written.games {
        0 => Status::NotFound,
        _ if export.refused.is_empty() => Status::Done,
        _ => Status::Partly,
    })
}

/// Why a file of WTHOR does not hold the theoretical scores, and what to do.
fn why_no_theory(losses: &Losses) -> Option<String> {
    losses.counts().find(|&(what, _)| what == Loss::Theoretical)?;
    Some(match losses.without_theory {
        0 => "such a file has theoretical scores for one number of empty squares, and these games for \
              several"
            .to_owned(),
        1 => "such a file has theoretical scores of all its games or of none, and 1 game has none: \
              --theory yes leaves it out"
            .to_owned(),
        without => format!(
            "such a file has theoretical scores of all its games or of none, and {} games have \
             none: --theory yes leaves them out",
            grouped(without)
        ),
    })
}

fn print(
    export: &GameExport,
    format: GameFormat,
    is_stdout: bool,
    context: &mut Context,
) -> anyhow::Result<()> {
    let GameExport { written, refused, files } = export;
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let losses = written.losses.counts().map(|(what, games)| (what.text().to_owned(), games));
    let losses: Vec<(String, u64)> = losses.collect();
    if context.output.is_json() && !is_stdout {
        let losses = losses.into_iter().map(|(what, games)| object! { what, games });
        context.output.object(&object! {
            files,
            format: format.name(),
            games: written.games,
            refused: refused.len() as u64,
            losses: losses.collect::<Vec<_>>(),
            // For whose sake WTHOR does not hold the theoretical scores of the others.
            without_theory: written.losses.without_theory,
        })?;
        return Ok(());
    }
    if written.games == 0 {
        return Ok(());
    }
    let mut lines = vec![match is_stdout {
        true => counted(written.games, "game").to_string(),
        false => format!("{}: {}", files.join(", "), counted(written.games, "game")),
    }];
    lines.extend(losses.iter().map(|(what, games)| {
        format!("not stored in {}: {what} ({})", format.name(), counted(*games, "game"))
    }));
    if format == GameFormat::Wthor {
        lines.extend(why_no_theory(&written.losses));
    }
    for line in lines {
        if is_stdout {
            context.note(line);
        } else if !context.quiet {
            context.output.folded(&line, " ", 2)?;
        }
    }
    Ok(())
}
