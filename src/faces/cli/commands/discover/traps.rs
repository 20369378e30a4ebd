//! `rosebill discover traps`.

use clap::ValueEnum;

use super::common::{PlaceArguments, loss_text, share_text, table_of};
use crate::app::amounts::{at_least, discs};
use crate::app::discover::{Trap, TrapOptions, WINDOW, traps};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::counted::grouped;
use crate::othello::board::Side;

/// A colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SideArgument {
    Black,
    White,
}

impl From<SideArgument> for Side {
    fn from(side: SideArgument) -> Self {
        match side {
            SideArgument::Black => Self::Black,
            SideArgument::White => Self::White,
        }
    }
}

/// Arguments of `discover traps`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill discover traps --side white --least-games 50\n          \
             rosebill discover traps --from tiger --regret 0.5 --lines\n\n\
    The line is the one that costs least to the side that sets the trap; of the other side's moves on \
    it each is played by one of ten at least. 'wrong' is how many go wrong there, 'gain' what replies \
    give away on average, recent games counted more; those come first that bring most in, less what \
    the line costs. The exit code is 1 when nothing is found."
)]
pub struct Arguments {
    /// Only positions that this many games came through
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = at_least::<2, u64>)]
    least_games: u64,
    /// What a wrong reply gives away at least, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "2")]
    loss: i32,
    /// The most that the side that sets the trap may give away along the line, in discs
    #[arg(long, value_name = "DISCS", value_parser = discs, default_value = "1")]
    regret: i32,
    /// The side that sets the trap [default: either]
    #[arg(long)]
    side: Option<SideArgument>,
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = arguments.place.database(&book, context)?;
    let found = traps(
        &database,
        &TrapOptions {
            place: arguments.place.place(arguments.least_games),
            loss: arguments.loss,
            regret: arguments.regret,
            window: arguments.place.window(WINDOW),
            side: arguments.side.map(Side::from),
        },
    )?;
    let table = table_of(
        ["side", "games", "wrong", "gain", "regret", "usual", "loss", "right", "line"],
        row,
    );
    arguments.place.print(&found, "no trap is known here", |trap| &trap.line, table, context)
}

fn row(trap: &Trap) -> [String; 9] {
    let (reply, times) = trap.reply;
    [
        trap.side.name().to_owned(),
        grouped(trap.games),
        share_text(trap.wrong, trap.games),
        format!("{:.1}", trap.gain.discs()),
        format!("{:.1}", trap.regret.discs()),
        format!("{reply} {}", share_text(times, trap.games)),
        loss_text(trap.loss, trap.error),
        trap.right.0.to_string(),
        trap.line.to_string(),
    ]
}
