//! `rosebill play`.

mod command;
mod doing;
mod files;
mod page;
mod setting;
mod table;
mod told;
mod typed;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use crate::app::amounts::level;
use crate::app::player::TimeControl;
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::ConsoleInterrupt;
use crate::faces::cli::place::note_turns;
use crate::faces::cli::player::PlayerArguments;
use crate::faces::cli::present_file::check_new;
use crate::faces::protocol::read_lines;
use crate::files::games::{Asked, SAVED_ENDINGS};
use crate::othello::search::Level;

use setting::{Setting, You};
use table::Table;
use typed::{Editor, Source};

/// Arguments of `play`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill play --side white --level 8 --save game.pgn\n         \
    rosebill play tiger --side both\n         \
    rosebill play --json --level 8 < moves.txt\n\n\
    Type a square to play there, 'help' for what else can be typed. Passes are played by themselves. A \
    move that is in the book is marked: its value, and the games in which it was played. In a terminal depth, \
    value and line are shown while rosebill thinks, Ctrl-C makes it play now, and twice leaves: the game is kept then.\n\n\
    With --json each thing is an object whose 'kind' says what it is: 'position' when a move is asked for \
    or the game is over, 'move', 'pass', 'hint', 'analysis', 'result', 'saved', 'new', 'note', and 'refused' for what was \
    typed and cannot be done. Values are for the side that makes the move.")]
pub struct Arguments {
    /// Where the game begins: a line such as f5 d6 c3, an opening's name or a board [default: the start]
    #[arg(value_name = "POSITION")]
    position: Vec<OsString>,
    /// The side that you play
    #[arg(long, value_name = "SIDE", default_value = "black")]
    side: You,
    /// Level of rosebill's searches, 1 to 60 [default: as deep as the clock allows, without one as deep
    /// as 1 s a move allows]
    #[arg(long, value_parser = level)]
    level: Option<Level>,
    /// Time for each move of rosebill, such as 500ms or 3s [default: 1s where there is no level]
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// A clock for each side: minutes:seconds, perhaps /seconds added after each move
    #[arg(long, conflicts_with = "time")]
    clock: Option<TimeControl>,
    #[arg(long, value_name = "NEWFILE", help = format!("Save the games in a new file: {SAVED_ENDINGS}"))]
    save: Option<PathBuf>,
    /// Your name in games that are kept
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    player: PlayerArguments,
}

/// Whether the terminal can do more than print one line below the other.
fn can_edit() -> bool {
    std::env::var("TERM").map_or(cfg!(windows), |name| !["dumb", "emacs", ""].contains(&&*name))
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let words: Vec<_> = arguments.position.iter().map(|word| word.to_string_lossy()).collect();
    let asked: Asked = words.join(" ").parse()?;
    note_turns([&asked], context);
    let setting = Setting {
        start: asked.line,
        you: arguments.side,
        level: arguments.level,
        time: arguments.time,
        control: arguments.clock.filter(|control| *control != TimeControl::default()),
        draw_for_black: arguments.player.contempt(),
        name: arguments.name.clone(),
        save: arguments.save.clone(),
        default_level: context.settings().level.value,
    };
    if let Some(path) = &setting.save {
        // Before hours are played.
        check_new(path)?;
        drop(crate::app::SavedGames::create(path)?);
    }
    let player = arguments.player.player(context)?;
    let prompts = std::io::stdin().is_terminal() && !context.output.is_json();
    let is_typed = prompts && std::io::stdout().is_terminal() && can_edit();
    let interrupt = ConsoleInterrupt::listen(is_typed)?;
    let source = match is_typed {
        true => Source::Editor(Editor::start()?),
        false => Source::Plain(read_lines(std::io::stdin())?, prompts),
    };
    Table::new(setting, player, source, interrupt, context).play()
}
