//! `rosebill discover disagreements`.

use super::common::{PlaceArguments, guess_text, table_of};
use crate::app::amounts::{at_least, discs};
use crate::app::discover::{
    ComparedWith, Disagreement, DisagreementOptions, WINDOW, disagreements,
};
use crate::app::error_to_expect;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::figures::signed;
use crate::files::counted::grouped;

/// Arguments of `discover disagreements`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill discover disagreements --programs no\n          \
             rosebill discover disagreements --with theory --lines\n\n\
    Values are discs, for the side to move. 'games' are those that have the result that is compared, 'mean' is theirs, \
    'difference' that less the book's guess, with the error to expect of it. The largest differences come first, each less its \
    error. Results show what is hard to play; theoretical scores (WTHOR has them, for 24 empty squares) show where \
    the book may be wrong, as far as people play well until then. The exit code is 1 when nothing is found.")]
pub struct Arguments {
    /// What the book is compared with
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    with: ComparedWith,
    /// Only positions with at least this many games that have this result
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least::<2, u64>)]
    least_games: u64,
    /// The least difference, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "2")]
    difference: i32,
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = arguments.place.database(&book, context)?;
    let place = arguments.place.place(arguments.least_games);
    let window = arguments.place.window(WINDOW);
    let Arguments { with, difference, .. } = *arguments;
    let found = disagreements(&database, &DisagreementOptions { place, with, difference, window })?;
    let table = table_of(["side", "games", "guess", "mean", "difference", "line"], row);
    arguments.place.print(&found, "book and games agree here", |found| &found.line, table, context)
}

fn row(found: &Disagreement) -> [String; 6] {
    [
        found.side.name().to_owned(),
        grouped(found.games),
        guess_text(Some(found.guess)),
        signed(found.mean, 1),
        format!("{} ±{:.1}", signed(found.difference(), 1), error_to_expect(found.error)),
        found.line.to_string(),
    ]
}
