//! `rosebill gtp`.

use crate::app::amounts::level;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::output::note;
use crate::faces::cli::player::PlayerArguments;
use crate::faces::cli::talk::ended;
use crate::faces::protocol::gtp::{Session, serve};
use crate::faces::protocol::{Replies, read_lines_watched};
use crate::othello::search::Level;

/// Arguments of `gtp`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill gtp --level 16\n\n\
    Commands of GTP 2 on standard input, answers on standard output: 'list_commands' lists them. A pass \
    that a side is forced to may be left out. 'loadsgf' reads games in any format that 'games import' \
    reads. GoGui plays Othello with it, and draws values, lines and the book on its board. With -v each iteration of \
    a search is on stderr. Behind the end of the input no move is searched longer than 3 s.")]
pub struct Arguments {
    /// Level of searches, 1 to 60 [default: as deep as the clock allows, without one as deep as
    /// 1 s a move allows]
    #[arg(long, value_parser = level)]
    level: Option<Level>,
    #[command(flatten)]
    player: PlayerArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    // A controller shows nothing of an engine that ends before its first answer.
    if let Err(error) = arguments.player.check_book(context) {
        note(&format!("no book: {error:#}"));
    }
    let player = arguments.player.player_anyway(context)?;
    let session = Session::new(player, arguments.level).with_contempt(arguments.player.contempt());
    let session = match tracing::enabled!(tracing::Level::INFO) {
        true => session.with_log(Replies::to(std::io::stderr())),
        false => session,
    };
    let (running, at_end) = (session.running(), session.running());
    let seen = move |line: &_| running.line_was_read(line);
    let lines = read_lines_watched(std::io::stdin(), seen, || at_end.input_has_ended())?;
    let replies = Replies::to(std::io::stdout());
    serve(session, &lines, &replies);
    ended(&lines, &replies)
}
