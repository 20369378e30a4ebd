//! `rosebill nboard`.

use crate::app::amounts::level;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::{MOST_TOLD, Status};
use crate::faces::cli::player::PlayerArguments;
use crate::faces::cli::talk::ended;
use crate::faces::protocol::nboard::{Options, Session, serve};
use crate::faces::protocol::{Replies, read_lines};
use crate::othello::one_line::one_line;
use crate::othello::search::Level;
use anyhow::Context as _;
use serde_json::json;

/// Arguments of `nboard`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill nboard --setup; rosebill nboard --book my.db --variety 1\n\n\
    This is the command for NBoard's list of engines; --setup prints what to type there. Hints are moves of the book first, with the \
    number of games in which each was played, then searched ones. 'Learn' keeps the game in the book and \
    adds its positions, at no lower level than grow does; meanwhile no other program can write the book. The depth that NBoard sets is a level: it \
    fixes depth and selectivity for every number of empty squares."
)]
pub struct Arguments {
    /// Level of searches, 1 to 60, until NBoard sets a depth [default: the setting,
    /// else 12]
    #[arg(long, value_parser = level)]
    level: Option<Level>,
    /// Print what NBoard's dialog asks for to add this engine on this machine, and end
    #[arg(long)]
    setup: bool,
    #[command(flatten)]
    player: PlayerArguments,
    /// What was wrong with the arguments, which are the usual ones instead
    #[arg(skip)]
    pub trouble: Option<String>,
}

/// Prints the three fields of NBoard's dialog: it does not look into PATH, and splits the command at blanks.
fn print_setup(context: &mut Context) -> anyhow::Result<Status> {
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let folder = program.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    let file = program.file_name().unwrap_or_default().to_string_lossy();
    anyhow::ensure!(
        !file.contains(' '),
        "NBoard takes no program with a blank in its name: '{file}'"
    );
    let command = format!("{}{file} nboard", if cfg!(windows) { "" } else { "./" });
    if context.output.is_json() {
        let object = json!({ "name": "Rosebill", "folder": folder, "command": command });
        context.output.object(&object)?;
        return Ok(Status::Done);
    }
    context.output.line("In NBoard: Engine, Select Opponent or Select Analysis, Add Engine.")?;
    context.output.line("  Name               Rosebill")?;
    context.output.line(format!("  Working directory  {folder}"))?;
    context.output.line(format!("  Command            {command}"))?;
    Ok(Status::Done)
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if arguments.setup {
        return print_setup(context);
    }
    let usual = context.settings().level.value;
    let options = Options {
        level: arguments.level.unwrap_or(usual),
        least_learned: usual,
        draw_for_black: arguments.player.contempt(),
    };
    let player = arguments.player.player_anyway(context)?;
    let replies = Replies::to(std::io::stdout());
    // NBoard shows nothing of an engine that ends: it plays on, and says what is wrong.
    let book = arguments.player.check_book(context).err();
    let trouble = arguments.trouble.clone().or(book.map(|error| format!("no book: {error:#}")));
    if let Some(trouble) = trouble {
        replies.line(format_args!("status {}", one_line(&trouble, MOST_TOLD)));
    }
    let session = Session::new(player, replies.clone(), options)?;
    let lines = read_lines(std::io::stdin())?;
    serve(session, &lines);
    ended(&lines, &replies)
}
