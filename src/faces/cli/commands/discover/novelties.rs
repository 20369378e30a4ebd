//! `rosebill discover novelties`.

use super::common::{PlaceArguments, guess_text, loss_text, name_text, table_of};
use super::mistakes::mistake_table;
use crate::app::amounts::{at_least, discs, percent};
use crate::app::discover::{Mistake, MistakeOptions, Novelty, NoveltyOptions, mistakes, novelties};
use crate::app::games::GameDatabase;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::counted::grouped;
use crate::othello::board::Line;

/// Arguments of `discover novelties`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill discover novelties --from tiger --least-games 50\n          \
             rosebill discover novelties --habits --years 2010-\n\n\
    A line ends with the novelty. First come those that many recent games could have had, and \
    that the book is surest of: a game counts half for every ten years of its age. A move to a position \
    that many games reached in another order is not a novelty. After the ± is the error to expect of the loss; \
    'behind' is how many positions of best play the book has behind the move, 0 for a single search. \
    The exit code is 1 when nothing is found."
)]
pub struct Arguments {
    /// Only positions that this many games came through
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least::<2, u64>)]
    least_games: u64,
    /// The most that a novelty gives away in discs; habits give away more [default: 1, and 3 with --habits]
    #[arg(long, alias = "loss", value_name = "DISCS", value_parser = discs)]
    max_loss: Option<i32>,
    /// A novelty is played in at most this many percent of the games
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = percent, conflicts_with = "habits")]
    hardly: f64,
    /// Moves with this many positions of best play in the book behind them; 0 takes those, too, that
    /// the book knows by a single search only
    #[arg(long, value_name = "POSITIONS", default_value_t = 3, value_parser = at_least::<0, usize>, conflicts_with = "habits")]
    behind: usize,
    /// Instead, list popular moves that cost more, and the players that make them
    #[arg(long)]
    habits: bool,
    #[command(flatten)]
    place: PlaceArguments,
}

/// The columns of the table.
const TITLES: [&str; 8] = ["games", "played", "loss", "guess", "behind", "usual", "name", "line"];

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = arguments.place.database(&book, context)?;
    if arguments.habits {
        return habits(arguments, &database, context);
    }
    let usual = NoveltyOptions::default();
    let found = novelties(
        &database,
        &NoveltyOptions {
            place: arguments.place.place(arguments.least_games),
            loss: arguments.max_loss.unwrap_or(usual.loss),
            per_mille: (arguments.hardly * 1000.0).round() as u64,
            window: arguments.place.window(usual.window),
            behind: arguments.behind,
        },
    )?;
    let nothing = match arguments.behind {
        0 => "no novelty is known here",
        _ => {
            "no novelty is known here with positions behind it (--behind 0 takes single searches, too)"
        }
    };
    let table = table_of(TITLES, row);
    arguments.place.print(&found, nothing, |novelty| &novelty.line, table, context)
}

fn row(novelty: &Novelty) -> [String; 8] {
    let mut before: Line = novelty.line.clone();
    before.pop();
    [
        grouped(novelty.games),
        grouped(novelty.played),
        loss_text(novelty.loss, novelty.error),
        guess_text(Some(novelty.guess)),
        novelty.behind.to_string(),
        novelty.usual.map_or_else(String::new, |(square, _)| square.to_string()),
        name_text(&before),
        novelty.line.to_string(),
    ]
}

fn habits(
    arguments: &Arguments,
    database: &GameDatabase<'_>,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let usual = MistakeOptions::habits();
    let found = mistakes(
        database,
        &MistakeOptions {
            place: arguments.place.place(arguments.least_games),
            loss: arguments.max_loss.unwrap_or(usual.loss),
            window: arguments.place.window(usual.window),
            ..usual
        },
    )?;
    let table = |found: &[Mistake]| mistake_table(found, true);
    arguments.place.print(&found, "no habit costs so much", |habit| &habit.right, table, context)
}
