//! `rosebill discover only-moves`.

use super::common::{PlaceArguments, guess_text, loss_text, share_text, table_of};
use crate::app::amounts::{at_least, discs};
use crate::app::discover::{OnlyMove, OnlyMoveOptions, WINDOW, only_moves};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::counted::grouped;

/// Arguments of `discover only-moves`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill discover only-moves --from tiger --rating 1800\n\n\
    A line ends with the only good move. 'others' is what the best of the other moves gives away, 'usual' the one of them \
    that is made most often and what it gives away. What is missed most comes first: how often, recent games \
    counted more, times that loss. The exit code is 1 when nothing is found.")]
pub struct Arguments {
    /// Only positions that this many games came through
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least::<2, u64>)]
    least_games: u64,
    /// What every other move gives away at least, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "2")]
    loss: i32,
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = arguments.place.database(&book, context)?;
    let place = arguments.place.place(arguments.least_games);
    let window = arguments.place.window(WINDOW);
    let options = OnlyMoveOptions { place, loss: arguments.loss, window };
    let found = only_moves(&database, &options)?;
    let table = table_of(["games", "missed", "guess", "others", "usual", "line"], row);
    arguments.place.print(&found, "no only move is missed here", |only| &only.line, table, context)
}

fn row(only: &OnlyMove) -> [String; 6] {
    let (usual, times) = only.usual;
    let loss = only.usual_loss.map_or_else(String::new, |loss| loss_text(loss, 0.0));
    [
        grouped(only.games),
        share_text(only.missed, only.games),
        guess_text(Some(only.guess)),
        loss_text(only.loss, only.error),
        format!("{usual} {} {loss}", share_text(times, only.games)).trim_end().to_owned(),
        only.line.to_string(),
    ]
}
