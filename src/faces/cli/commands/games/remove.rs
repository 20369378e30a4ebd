//! `rosebill games remove`.

use anyhow::bail;

use super::filter::tell_namesakes;
use crate::app::amounts::at_least;
use crate::app::games::{
    FilterError, GameDatabase, GameFilter, GameId, Removal, remove_games, remove_numbered_games,
    would_remove, would_remove_numbered,
};
use crate::app::json::object;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::counted::counted;

/// Arguments of `games remove`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill games remove 4711 4712\n          \
             rosebill games remove --source WTH_1977.wtb --dry-run\n\n\
    'rosebill games list' lists the numbers. Without numbers at least one condition is needed; --all \
    takes every game. With --source a game that others gave, \
    too, stays: it only loses the sources that are meant, which are listed. 'undo' does not bring games \
    back: 'rosebill games export' saves them first. The exit code is 1 when no game meets the conditions, and 2 when \
    a number is not there.")]
pub struct Arguments {
    /// The numbers of games, instead of conditions
    #[arg(value_name = "NUMBER", value_parser = at_least::<0, u32>)]
    games: Vec<u32>,
    #[command(flatten)]
    filter: GameFilter,
    /// Every game
    #[arg(long)]
    all: bool,
    /// Only report how many games would be removed, how many would stay, and which sources match
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let filter = &arguments.filter;
    let numbers: Vec<GameId> = arguments.games.iter().copied().map(GameId).collect();
    let has_conditions = !filter.is_empty() || arguments.all;
    match (numbers.is_empty(), has_conditions) {
        (true, false) => {
            bail!("which games? Give their numbers, a condition, such as --source NAME, or --all")
        }
        (false, true) => bail!("numbers of games or conditions: give one of the two"),
        _ => {}
    }
    let (removal, is_empty) = if arguments.dry_run {
        let book = context.read_book()?;
        tell_namesakes(arguments.filter.names(), &GameDatabase::open(&book)?, context)?;
        let removal = match numbers.is_empty() {
            true => would_remove(&book, filter)?,
            false => would_remove_numbered(&book, &numbers)?,
        };
        (removal, book.games().count()? == 0)
    } else {
        let mut book = context.book().open()?;
        tell_namesakes(arguments.filter.names(), &GameDatabase::open(book.reader())?, context)?;
        let is_empty = book.reader().games().count()? == 0;
        let removal = match numbers.is_empty() {
            true => remove_games(&mut book, filter)?,
            false => remove_numbered_games(&mut book, &numbers)?,
        };
        (removal, is_empty)
    };
    let is_found = removal.removed + removal.kept > 0;
    if is_empty {
        context.explain(&FilterError::NoGames);
    } else if !is_found {
        context.note("no game matches: try fewer conditions");
    }
    let dry_run = arguments.dry_run;
    if context.output.is_json() {
        let Removal { removed, kept, sources } = removal;
        context.output.object(&object! { removed, kept, sources, dry_run })?;
    } else if !is_empty {
        tell(&removal, dry_run, context)?;
    }
    Ok(if is_found { Status::Done } else { Status::NotFound })
}

fn tell(removal: &Removal, dry_run: bool, context: &mut Context) -> anyhow::Result<()> {
    let Removal { removed, kept, sources } = removal;
    let mut text = String::new();
    if !sources.is_empty() {
        text.push_str(&format!("{}: ", sources.join(", ")));
    }
    let would = if dry_run { " would be" } else { "" };
    text.push_str(&format!("{}{would} removed", counted(*removed, "game")));
    if *kept > 0 {
        let (stay, them) = match (dry_run, kept) {
            (true, 1) => ("would stay", "it"),
            (true, _) => ("would stay", "them"),
            (false, 1) => ("stays", "it"),
            (false, _) => ("stay", "them"),
        };
        text.push_str(&format!(", {kept} {stay}, since others gave {them}, too"));
    }
    context.output.folded(&text, ", ", 2)?;
    Ok(())
}
