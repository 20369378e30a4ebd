//! `rosebill analyze`.

mod arguments;
mod pictures;
mod text;
mod what;

use crate::app::analysis::{
    AnalysedGame, AnalysisBook, AnalysisError, AnalysisEvent, AnalysisOptions, AnalysisSummary,
    CommentedPgn, Stored, analyse_games,
};
use crate::app::games::GameDatabase;
use crate::faces::cli::commands::games::filter::tell_namesakes;
use crate::faces::cli::config::Origin;
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::show_duration;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::wrong_file::without_games;
use crate::faces::render::Command;
use crate::faces::render::json::analysed_json;
use crate::files::counted::{counted, grouped};
use anyhow::{Context as _, bail};
use std::time::{Duration, Instant};

pub use arguments::Arguments;
use pictures::{Pictures, cannot_write, named};
pub(super) use text::{how_known, print_game};
use what::What;

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if let Some(path) = arguments.named_twice() {
        match path.as_os_str() == "-" {
            true => bail!("only one of --pgn, --svg and --html can be standard output"),
            false => bail!("two of --pgn, --svg and --html would write {}", path.display()),
        }
    }
    let what = What::of(arguments)?;
    let stop = stop_on_interrupt()?;
    let settings = context.settings();
    let options = AnalysisOptions {
        level: arguments.level.unwrap_or(settings.level.value),
        exact_from: arguments.exact_from,
        time: arguments.time,
        threads: context.threads(arguments.threads.map(usize::from)),
        table_megabytes: settings.table_megabytes.value,
        stop,
    };
    let file = context.book();
    // A book that was named must be there. Where neither an own one nor that of the program can be had, games can be
    // explained, too.
    let is_needed = settings.book.origin != Origin::Default || what.is_of_the_book();
    let asked = context.book_to_ask();
    let book = match is_needed || asked.readable().is_some() {
        true => Some(asked.read()?),
        false => None,
    };
    let database = book.as_ref().map(GameDatabase::open).transpose()?;
    if let Some(database) = &database {
        tell_namesakes(arguments.filter.names(), database, context)?;
    }
    let mut games = what.games(database.as_ref(), &options.stop, context.own_book())?;
    if let Some(path) = games.overwritten(arguments.targets(), arguments.svg.as_deref()) {
        bail!("{} is one of the files to be read: expected another name to write", path.display());
    }
    arguments.targets().try_for_each(|path| arguments.replaced.check(path, None))?;
    let pgn = match &arguments.pgn {
        Some(path) => {
            let made = CommentedPgn::create(path);
            Some((named(path), made.with_context(|| cannot_write(path))?))
        }
        None => None,
    };
    let pictures = Pictures::of(arguments.svg.as_deref(), arguments.html.as_deref())?;
    // Files are read once more for it.
    let of = if context.quiet { None } else { games.most() };
    let mut printer = Printer {
        alone: games.is_one(),
        moves: arguments.moves,
        prints_a_file: arguments.prints_a_file(),
        pgn,
        pictures,
        all: text::Totals::default(),
        progress: Progress::new(context.quiet),
        of,
        started: Instant::now(),
        context,
    };
    let book = database
        .as_ref()
        .map(|database| AnalysisBook { database, file: file.exists().then_some(file) });
    let summary = analyse_games(book, &mut games, &options, |event| printer.take(event))?;
    let Printer { pgn, pictures, all, progress, .. } = printer;
    drop(progress);
    // Without any game what was there stays.
    if let (Some((_, pgn)), Some(path), true) = (pgn, &arguments.pgn, summary.games > 0) {
        pgn.finish().with_context(|| cannot_write(path))?;
    }
    if let Some(left_out) = pictures.finish()? {
        context.note(left_out);
    }
    end(&summary, &all, arguments, context)?;
    if let Some(told) = without_games(games.skipped()) {
        context.note(told);
    }
    Ok(match games.refused() {
        _ if summary.stopped => Status::Interrupted,
        0 if summary.games == 0 => {
            let (nothing, commands) = games.nothing();
            context.note(nothing);
            context.hint(&commands);
            Status::NotFound
        }
        0 => Status::Done,
        _ if summary.games == 0 => Status::Failed,
        _ => Status::Partly,
    })
}

/// Prints games as they come.
struct Printer<'c> {
    /// Whether there is one game only.
    alone: bool,
    /// Whether every move of several games is printed.
    moves: bool,
    /// Whether standard output is that of a file.
    prints_a_file: bool,
    /// With its name for messages.
    pgn: Option<(String, CommentedPgn)>,
    pictures: Pictures,
    all: text::Totals,
    progress: Progress,
    /// How many games there are, where that is known.
    of: Option<u64>,
    started: Instant,
    context: &'c mut Context,
}

impl Printer<'_> {
    fn take(&mut self, event: AnalysisEvent<'_>) -> Result<(), AnalysisError> {
        match event {
            AnalysisEvent::Progress(summary) => {
                self.progress.show(|| {
                    let AnalysisSummary { games, searched, .. } = summary;
                    let positions = counted(*searched, "position");
                    format!("{} | {positions}", come(*games, self.of, self.started.elapsed()))
                });
                Ok(())
            }
            AnalysisEvent::Game(game) => self.game(game),
            AnalysisEvent::Begun(_) | AnalysisEvent::Move(..) => Ok(()),
        }
    }

    fn game(&mut self, game: &AnalysedGame) -> Result<(), AnalysisError> {
        if let Some((file, pgn)) = &mut self.pgn {
            let failed = |error| AnalysisError::File { file: file.clone(), error };
            pgn.write(game).map_err(failed)?;
        }
        self.pictures.take(game)?;
        if self.prints_a_file {
            return Ok(());
        }
        let Self { progress, context, all, alone, moves, .. } = self;
        progress.above(|| {
            if context.output.is_json() {
                context.output.object(&analysed_json(game))?;
            } else if *alone || *moves {
                text::print_game(game, context)?;
                if !*alone {
                    context.output.line("")?;
                }
            } else {
                all.print_line(game, &mut context.output)?;
            }
            Ok(context.output.flush()?)
        })
    }
}

/// How far it has come with the games, for how long, and how long it may go on: `12 of 1,374 games | 0:12, 20:10 left`.
fn come(games: u64, of: Option<u64>, elapsed: Duration) -> String {
    let clock = show_duration(elapsed);
    let Some(of) = of else { return format!("{} | {clock}", counted(games, "game")) };
    let left = match games {
        0 => String::new(),
        games => {
            let share = of.saturating_sub(games) as f64 / games as f64;
            format!(", {} left", show_duration(elapsed.mul_f64(share)))
        }
    };
    format!("{} of {} | {clock}{left}", grouped(games), counted(of, "game"))
}

/// Reports the result of all.
fn end(
    summary: &AnalysisSummary,
    all: &text::Totals,
    arguments: &Arguments,
    context: &mut Context,
) -> anyhow::Result<()> {
    if !context.output.is_json() {
        all.print(&mut context.output)?;
    }
    let of_level = match summary.searched {
        0 => "nothing had to be searched".to_owned(),
        positions => format!("{} searched", counted(positions, "position")),
    };
    if summary.games > 0 || summary.searched > 0 {
        context.note(format_args!("{}: {of_level}", counted(summary.games, "game")));
    }
    match &summary.stored {
        Stored::All => {}
        Stored::NoBook if summary.searched == 0 => {}
        Stored::NoBook => {
            context.note("nothing was stored, as there is no book of your own");
            context.hint(&[Command::new("new").with(["--starter"])]);
        }
        Stored::Not { positions, why } => context.note(format_args!(
            "not stored: {why}; {} will be searched again",
            counted(*positions, "position")
        )),
    }
    if summary.stopped {
        let path = arguments.pgn.as_ref().filter(|_| summary.games > 0);
        let path = path.filter(|path| path.as_os_str() != "-");
        let with = path.map_or(String::new(), |path| format!(" ({} has them)", path.display()));
        context.note(format_args!(
            "stopped after {}{with}: the same command{} goes on where it was",
            counted(summary.games, "game"),
            if path.is_some() { " with --force" } else { "" }
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_games_left() {
        let told = |games, of| come(games, of, Duration::from_secs(12));
        assert_eq!(told(12, Some(1_374)), "12 of 1,374 games | 0:12, 22:42 left");
        assert_eq!(told(0, Some(3)), "0 of 3 games | 0:12");
        assert_eq!(told(3, None), "3 games | 0:12");
    }
}
