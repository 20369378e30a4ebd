//! `rosebill discover mistakes`.

use anyhow::bail;

use super::common::{PlaceArguments, loss_text, year_text};
use crate::app::amounts::{at_least, discs};
use crate::app::discover::{Mistake, MistakeOptions, WINDOW, Whose, mistakes};
use crate::app::games::GameFilter;
use crate::faces::cli::commands::games::filter::tell_namesakes;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::files::counted::grouped;

/// Arguments of `discover mistakes`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill discover mistakes takizawa masaki --years 2015-\n          \
             rosebill discover mistakes --event 'world championship'\n\n\
    A line ends with the mistake; 'right' ('best_line' in JSON) is what the book would have played, and \
    how it goes on. \
    With --lines the right lines are printed. What costs most in all comes first: the loss times how \
    often, recent games counted more. '>=' marks a least loss: the book has no value of the move itself. \
    The exit code is 1 when nothing is found, and when no player, or more than one, \
    has such a name."
)]
pub struct Arguments {
    /// The player: the whole name, however it is spelled, or the beginnings of its words [default: all of the games chosen below]
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Only what was played in this many games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = at_least::<2, u64>)]
    least_games: u64,
    /// What a mistake gives away at least, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "2")]
    loss: i32,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Mistakes as a table, with their players where that is asked.
pub(super) fn mistake_table(found: &[Mistake], with_players: bool) -> Table {
    let titles = ["times", "of", "last", "loss", "right", "players", "line"];
    // One column is left out where it says nothing.
    let kept = |index: &usize| with_players || *index != 5;
    let titles: Vec<&str> =
        titles.into_iter().enumerate().filter(|(at, _)| kept(at)).map(|(_, title)| title).collect();
    let mut table = Table::new(&titles);
    for mistake in found {
        let (players, by) = &mistake.players;
        let mut names: Vec<String> = by
            .iter()
            .map(|player| format!("{} ({}{})", player.name, player.games, since(player.last_year)))
            .collect();
        if *players > names.len() as u64 {
            names.push(format!("{} more", players - names.len() as u64));
        }
        let cells = [
            grouped(mistake.played),
            grouped(mistake.games),
            year_text(mistake.last_year),
            loss_text(mistake.loss, mistake.error),
            mistake.right_moves(),
            names.join(", "),
            mistake.line.to_string(),
        ];
        table.row(cells.into_iter().enumerate().filter(|(at, _)| kept(at)).map(|(_, cell)| cell));
    }
    table
}

/// The last year, behind a number.
fn since(year: Option<u16>) -> String {
    year.map_or_else(String::new, |year| format!(", {year}"))
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let place = arguments.place.place(arguments.least_games);
    let whose = match arguments.name.is_empty() {
        false => Whose::Players(arguments.name.join(" ")),
        true if place.filter == GameFilter::default() => {
            bail!("whose mistakes? Give a player's name, or choose games, such as --event WORDS");
        }
        true => Whose::AllHere,
    };
    let one_player = matches!(whose, Whose::Players(_));
    let book = context.read_book()?;
    let database = arguments.place.database(&book, context)?;
    tell_namesakes([&arguments.name.join(" ")], &database, context)?;
    let window = arguments.place.window(WINDOW);
    let options = MistakeOptions { place, whose, loss: arguments.loss, window };
    let found = mistakes(&database, &options)?;
    let table = |found: &[Mistake]| mistake_table(found, !one_player);
    arguments.place.print(
        &found,
        "no mistake was made that often",
        |mistake| &mistake.right,
        table,
        context,
    )
}
