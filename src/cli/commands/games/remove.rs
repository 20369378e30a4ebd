//! `rosebill games remove`.

use anyhow::bail;
use serde::Serialize;

use super::filter::FilterArguments;
use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::counted::counted;
use crate::ops::games::{GameDatabase, ListOptions, list_games, remove_games};

/// Arguments of `games remove`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games remove --source WTH_1977.wtb --dry-run\n\n\
    At least one condition is needed; --all takes every game. 'undo' does not bring games back: \
    'rosebill games export' saves them first.")]
pub struct Arguments {
    #[command(flatten)]
    filter: FilterArguments,
    /// Every game
    #[arg(long)]
    all: bool,
    /// Only tell how many
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct RemovedJson {
    removed: u64,
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let filter = arguments.filter.filter();
    if filter.is_empty() && !arguments.all {
        bail!("which games? Give a condition, such as --source NAME, or --all");
    }
    let count = if arguments.dry_run {
        let book = context.read_book()?;
        let database = GameDatabase::open(&book)?;
        list_games(&database, &ListOptions { filter, ..ListOptions::default() })?.1
    } else {
        remove_games(&mut context.book().open()?, &filter)?
    };
    if context.output.is_json() {
        context.output.object(&RemovedJson { removed: count, dry_run: arguments.dry_run })?;
    } else {
        let games = counted(count, "game");
        let would = if arguments.dry_run { " would be" } else { "" };
        context.output.line(format_args!("{games}{would} removed"))?;
    }
    Ok(if count == 0 { Status::NotFound } else { Status::Done })
}
