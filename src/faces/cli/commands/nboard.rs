//! `rosebill nboard`.

use crate::faces::cli::amounts::level;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::player::PlayerArguments;
use crate::faces::cli::talk::ended;
use crate::faces::protocol::nboard::{Options, Session, serve};
use crate::faces::protocol::{Replies, read_lines};
use crate::othello::search::Level;

/// Arguments of `nboard`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill nboard --book my.db --variety 1\n\n\
    This is the command line for NBoard's list of engines. Hints are moves of the book first, with the \
    number of games in which each was played, then searched ones. 'Learn' keeps the game in the book and \
    adds its positions, at no lower level than grow does; meanwhile nobody else can write the book. The depth that NBoard sets is a level: it \
    fixes depth and confidence for every number of empty squares.")]
pub struct Arguments {
    /// Level of searches, 1 to 60, until NBoard sets a depth [default: that of grow]
    #[arg(long, value_parser = level)]
    level: Option<Level>,
    #[command(flatten)]
    player: PlayerArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let usual = context.settings().level.value;
    let options = Options {
        level: arguments.level.unwrap_or(usual),
        least_learned: usual,
        draw_for_black: arguments.player.contempt(),
    };
    let player = arguments.player.player(context)?;
    let replies = Replies::to(std::io::stdout());
    let session = Session::new(player, replies.clone(), options)?;
    let lines = read_lines(std::io::stdin())?;
    serve(session, &lines);
    ended(&lines, &replies)
}
