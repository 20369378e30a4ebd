//! `rosebill gtp`.

use crate::app::amounts::level;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::output::note;
use crate::faces::cli::player::PlayerArguments;
use crate::faces::cli::talk::ended;
use crate::faces::protocol::gtp::{Session, is_interrupt, serve};
use crate::faces::protocol::{Lines, Replies, Running, read_lines_watched, ugi};
use crate::othello::search::Level;

/// Arguments of `gtp`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill gtp --level 16\n\n\
    Commands of GTP 2 on standard input, answers on standard output: 'list_commands' lists them. A pass \
    that a side is forced to may be left out. 'loadsgf' reads games in any format that 'games import' \
    reads. GoGui plays Othello with it, and draws values, lines and the book on its board. With -v each iteration of \
    a search is on stderr. After the end of the input no move is searched for longer than 3 s.")]
pub struct Arguments {
    /// Level of searches, 1 to 60 [default: as deep as the clock allows, without one as deep as
    /// 1 s a move allows]
    #[arg(long, value_parser = level)]
    level: Option<Level>,
    /// Speak UGI instead, the Universal Game Interface of cutegames
    #[arg(long)]
    ugi: bool,
    #[command(flatten)]
    player: PlayerArguments,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    // A controller shows nothing of an engine that ends before its first answer.
    if let Err(error) = arguments.player.check_book(context) {
        note(&format!("no book: {error:#}"));
    }
    let player = arguments.player.player_anyway(context)?;
    let (level, draw) = (arguments.level, arguments.player.contempt());
    let replies = Replies::to(std::io::stdout());
    if arguments.ugi {
        let session = ugi::Session::new(player, replies.clone(), level, draw);
        let (running, waiting, at_once) = (session.running(), session.waiting(), replies.clone());
        let at_end = running.clone();
        let seen = move |line: &_| {
            waiting.line_was_read(line, &running, &at_once);
            running.line_was_read(line, ugi::is_interrupt);
        };
        let at_end = || at_end.input_has_ended();
        let lines = read_lines_watched(std::io::stdin(), seen, at_end)?;
        ugi::serve(session, &lines);
        return ended(&lines, &replies);
    }
    let session = Session::new(player, level).with_contempt(draw);
    let session = match tracing::enabled!(tracing::Level::INFO) {
        true => session.with_log(Replies::to(std::io::stderr())),
        false => session,
    };
    let lines = lines_for(&session.running(), is_interrupt)?;
    serve(session, &lines, &replies);
    ended(&lines, &replies)
}

/// Lines of standard input, which end searches where they interrupt or end.
fn lines_for(running: &Running, interrupts: fn(&str) -> bool) -> std::io::Result<Lines> {
    let (running, at_end) = (running.clone(), running.clone());
    let seen = move |line: &_| running.line_was_read(line, interrupts);
    read_lines_watched(std::io::stdin(), seen, || at_end.input_has_ended())
}
