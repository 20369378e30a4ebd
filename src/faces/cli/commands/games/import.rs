//! `rosebill games import`.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::app::games::{
    GameFile, GameImportEvent, GameImportOptions, GameImportReport, import_games_at,
};
use crate::app::json::object;
use crate::app::today;
use crate::faces::cli::context::{BeginArguments, Context};
use crate::faces::cli::exit::{Status, tell_error};
use crate::faces::cli::hint::Refusal;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::output::fault;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::wrong_file::{Takes, right_command, without_games};
use crate::faces::render::Command;
use crate::files::counted::{counted, grouped};
use crate::files::games::GameFormat;

/// Notes of a file that are printed one by one.
const MOST_TOLD: u64 = 20;

/// Refusals of a file that are printed one by one.
const MOST_REFUSED: u64 = 10;

/// Arguments of `games import`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games import WTH_2023.wtb club.pgn games/\n\n\
    A game that is not possible is reported and skipped; the others of its file are imported. A game that \
    is there already is not added twice: it gets the details that only the file has. Each file is imported \
    whole or not at all. Names of a WTHOR file are read from the .jou and .trn beside it. The exit \
    code is 3 when a game or a file was refused, 1 when there is no game, 2 when nothing could be \
    read.")]
pub struct Arguments {
    /// Files of games, or folders of them; - is standard input
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
    #[arg(long, value_parser = format, help = format!(
        "Their format [default: seen from each file]: {}", GameFormat::names()
    ))]
    format: Option<GameFormat>,
    /// Refuse a file that has a game that cannot be right
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    begin: BeginArguments,
}

pub(super) fn format(name: &str) -> Result<GameFormat, String> {
    let found = GameFormat::ALL.into_iter().find(|format| format.name() == name);
    found.ok_or_else(|| format!("expected one of {}", GameFormat::names()))
}

/// The result of importing games.
fn counts_json(file: &GameFile) -> impl Serialize + use<> {
    let GameFile { games, new, known, richer, refused, notes, .. } = *file;
    object! { games, new, known, richer, refused, notes }
}

fn file_json(file: &GameFile) -> impl Serialize + '_ {
    object! {
        file: &file.file,
        format: file.format.map(GameFormat::name),
        ..counts: counts_json(file),
        failed?: file.failed.as_ref(),
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    // Where nothing can be read, no book is made.
    if arguments.paths.iter().any(|path| path.exists() || path.as_os_str() == "-") {
        context.begin_book(arguments.begin)?;
    }
    let options = GameImportOptions {
        format: arguments.format,
        strict: arguments.strict,
        day: today(),
        stop: stop_on_interrupt()?,
    };
    let mut progress = Progress::new(context.quiet);
    let (mut told, mut refused, quiet) = (0, 0, context.quiet);
    let (book, own) = (context.book(), context.own_book());
    let output = &mut context.output;
    let mut printed: std::io::Result<()> = Ok(());
    let (report, is_new) =
        import_games_at(&book, &arguments.paths, &options, |event| match event {
            GameImportEvent::Progress(file, games, (_, 1)) => {
                progress.show_share(&format!("{file}: "), games, None, "game");
            }
            GameImportEvent::Progress(file, games, (number, of)) => {
                let before = format!("{file}: {} | ", counted(games, "game"));
                progress.show_share(&before, number, Some(of), "file");
            }
            GameImportEvent::Indexing => {
                progress.show(|| "looking for shared positions".to_owned())
            }
            GameImportEvent::Refused(defect) => {
                refused += 1;
                if refused <= MOST_REFUSED {
                    fault(defect);
                }
            }
            GameImportEvent::Note(note) => {
                told += 1;
                if told <= MOST_TOLD && !quiet {
                    fault(note);
                }
            }
            GameImportEvent::File(file) => {
                if told > MOST_TOLD && !quiet {
                    fault(format_args!("{}: {} more notes", file.file, told - MOST_TOLD));
                }
                if refused >= MOST_REFUSED && file.refused > MOST_REFUSED {
                    let more = file.refused - MOST_REFUSED;
                    fault(format_args!("{}: {} more refused", file.file, grouped(more)));
                }
                (told, refused) = (0, 0);
                if let Some(failed) = &file.failed {
                    let refusal = right_command(Path::new(&file.file), Takes::Games);
                    let refusal = refusal.unwrap_or_else(|| {
                        let hint = file.hint.as_ref();
                        let commands = hint.map(|hint| Command::of_hint(hint, &own));
                        Refusal::new(failed, commands.unwrap_or_default())
                    });
                    tell_error(&refusal, &own);
                }
                if printed.is_ok() {
                    printed = match output.is_json() {
                        true => output.object(&file_json(file)),
                        false if quiet || file.failed.is_some() => Ok(()),
                        false => output.line(line(file)),
                    };
                }
            }
        })?;
    drop(progress);
    printed?;
    if is_new {
        context.note_new_book(0);
    }
    total(&report, context)?;
    let failed = report.files.iter().filter(|file| file.failed.is_some()).count();
    let refused = report.files.iter().any(|file| file.refused > 0);
    Ok(match failed {
        _ if report.stopped => Status::Interrupted,
        0 if !refused && report.files.iter().all(|file| file.games == 0) => Status::NotFound,
        0 if !refused => Status::Done,
        all if all == report.files.len() && all > 0 => Status::Failed,
        _ => Status::Partly,
    })
}

fn line(file: &GameFile) -> String {
    if file.games == 0 && file.refused == 0 {
        return format!("{}: no games", file.file);
    }
    let mut text = format!("{}: {}", file.file, counted(file.games, "game"));
    text.push_str(&format!(", {} new", grouped(file.new)));
    for (count, what) in [
        (file.known, "known"),
        (file.richer, "with new details"),
        (file.refused, "refused"),
        (file.notes, "with notes"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {} {what}", grouped(count)));
        }
    }
    text
}

fn total(report: &GameImportReport, context: &mut Context) -> anyhow::Result<()> {
    let sum = |of: fn(&GameFile) -> u64| report.files.iter().map(of).sum();
    let whole = GameFile {
        file: counted(report.files.len() as u64, "file").to_string(),
        games: sum(|file| file.games),
        new: sum(|file| file.new),
        known: sum(|file| file.known),
        richer: sum(|file| file.richer),
        refused: sum(|file| file.refused),
        notes: sum(|file| file.notes),
        ..GameFile::default()
    };
    if context.output.is_json() {
        let (files, complete) = (report.files.len() as u64, !report.stopped);
        context.output.object(&object! { files, complete, ..counts: counts_json(&whole) })?;
    } else if !context.quiet && report.files.len() > 1 {
        context.output.line(line(&whole))?;
    }
    if report.stopped {
        let kept = report.files.iter().filter(|file| file.failed.is_none()).count() as u64;
        let kept = match kept {
            0 => "nothing was imported".to_owned(),
            files => {
                format!("{} imported whole, the one being read not at all", counted(files, "file"))
            }
        };
        context.note(format_args!("stopped: {kept}; the same command again imports the rest"));
    }
    if let Some(told) = without_games(&report.skipped) {
        context.note(told);
    } else if report.files.is_empty() && !report.stopped {
        context.note("no file in the folders");
    }
    Ok(())
}
