//! `rosebill games sources`.

use crate::app::games::FilterError;
use crate::app::json::object;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::files::counted::grouped;

/// Arguments of `games sources`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games sources\n\n\
    A game may be in several. --source chooses one of them by its whole name, or several by the \
    beginnings of words.")]
pub struct Arguments {}

pub(super) fn run(_: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let mut table = Table::new(&["source", "games"]);
    let collections = book.games().collections()?;
    if collections.is_empty() {
        context.explain(&FilterError::NoGames);
        return Ok(Status::NotFound);
    }
    for known in collections {
        if context.output.is_json() {
            context.output.object(&object! { source: known.name, games: known.games })?;
        } else {
            table.row([known.name, grouped(known.games)]);
        }
    }
    if !context.output.is_json() {
        context.output.table(&table)?;
    }
    Ok(Status::Done)
}
