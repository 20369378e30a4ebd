//! `rosebill games show`.

use crate::app::amounts::at_least;
use crate::app::games::{GameDatabase, GameId, ListedGame, show_game};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::render::json::listed_json;
use crate::faces::render::{Command, day, moves, player_name as name, result};
use crate::files::games::{Player, opening_of_line, remarked_moves};
use crate::othello::board::Line;

/// Arguments of `games show`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games show 4711\n\n\
    'rosebill games list' lists the numbers. The exit code is 1 when there is no such game.")]
pub struct Arguments {
    /// The numbers of games
    #[arg(required = true, value_name = "NUMBER", value_parser = at_least::<0, u32>)]
    games: Vec<u32>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    let mut status = Status::Done;
    for (index, &number) in arguments.games.iter().enumerate() {
        let Some(listed) = show_game(&database, GameId(number))? else {
            context.note(format_args!("no game {number}"));
            context.hint(&[Command::new("games list")]);
            status = Status::NotFound;
            continue;
        };
        if context.output.is_json() {
            context.output.object(&listed_json(&listed)?)?;
        } else {
            if index > 0 {
                context.output.line("")?;
            }
            print(&listed, context)?;
        }
    }
    Ok(status)
}

fn print(listed: &ListedGame, context: &mut Context) -> anyhow::Result<()> {
    let ListedGame { id, game } = listed;
    let player = |player: &Player| match player.rating {
        Some(rating) => format!("{} ({rating})", name(player)),
        None => name(player).to_owned(),
    };
    context.output.line(format_args!(
        "game {}: {} - {}  {}",
        id.0,
        player(&game.black),
        player(&game.white),
        result(game)
    ))?;
    let mut fact = |name: &str, value: String| -> anyhow::Result<()> {
        if !value.is_empty() {
            context.output.folded(&format!("{name:<10} {value}"), " ", 11)?;
        }
        Ok(())
    };
    fact("event", game.event.clone().unwrap_or_default())?;
    fact("round", game.round.clone().unwrap_or_default())?;
    fact("date", day(game))?;
    fact("time", game.time_control.clone().unwrap_or_default())?;
    if let Some(theoretical) = game.theoretical {
        let black = theoretical.black_discs;
        let empties = theoretical.empties;
        fact("theory", format!("{black}-{} from {empties} empties", 64 - black))?;
    }
    if game.xot {
        fact("start", "XOT: an opening drawn by lot".to_owned())?;
    }
    let line = Line::from_board(game.start).then(&game.moves);
    fact("opening", opening_of_line(&line).unwrap_or_default().to_owned())?;
    if !game.is_from_the_start() {
        fact("board", game.start.position.board_text(game.start.side))?;
    }
    for (name, value) in &game.extra {
        fact(name, value.clone())?;
    }
    fact("from", game.sources().map(String::as_str).collect::<Vec<_>>().join(", "))?;
    // Moves fit in tens.
    let text = moves(game);
    let tens: Vec<String> =
        text.as_bytes().chunks(20).map(|ten| String::from_utf8_lossy(ten).into_owned()).collect();
    fact("moves", tens.join(" "))?;
    for said in remarked_moves(game) {
        fact("", said)?;
    }
    Ok(())
}
