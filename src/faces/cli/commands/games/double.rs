//! `rosebill games verify`, `rosebill games join` and `rosebill games split`.

use crate::app::amounts::at_least;
use crate::app::games::{GameDatabase, GameId, find_doubles, join_games, show_game, split_game};
use crate::app::json::object;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::render::player_name;
use crate::files::counted::counted;

/// Arguments of `games verify`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games verify\n\n\
    It lists games that are the same by the rules of an import, but were imported before their names were known to be \
    of one player, or before a copy was whole. 'rosebill games join' makes one of them. The exit code is 1 when there are some.")]
pub struct VerifyArguments {}

/// Arguments of `games join`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games join 12 345\n\n\
    The first game gets what only the second knows, and its sources; 'rosebill games split 12' takes that back.")]
pub struct JoinArguments {
    /// The number of the game that stays
    #[arg(value_name = "NUMBER", value_parser = at_least::<0, u32>)]
    kept: u32,
    /// The numbers of the games that are the same
    #[arg(required = true, value_name = "OTHER", value_parser = at_least::<0, u32>)]
    others: Vec<u32>,
}

/// Arguments of `games split`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games split 12\n\n\
    It takes the last 'rosebill games join' of the game back: both are as they were, with their numbers.")]
pub struct SplitArguments {
    /// The number of the game that was joined with another one
    #[arg(value_name = "NUMBER", value_parser = at_least::<0, u32>)]
    game: u32,
}

pub(super) fn verify(_: &VerifyArguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let database = GameDatabase::open(&book)?;
    let found = find_doubles(&book)?;
    for &(kept, other) in &found {
        if context.output.is_json() {
            context.output.object(&object! { game: kept.0, double: other.0 })?;
            continue;
        }
        let shown = show_game(&database, kept)?.map(|listed| {
            let game = listed.game;
            let date = game.date.map(|date| format!("  {date}")).unwrap_or_default();
            format!("{} - {}{date}", player_name(&game.black), player_name(&game.white))
        });
        let shown = shown.unwrap_or_default();
        context
            .output
            .line(format_args!("games {} and {} are the same game: {shown}", kept.0, other.0))?;
    }
    if found.is_empty() {
        context.note("no game is in the book twice");
        return Ok(Status::Done);
    }
    context.note(format_args!(
        "{} twice: 'rosebill games join NUMBER OTHER' makes one of both",
        counted(found.len() as u64, "game")
    ));
    Ok(Status::NotFound)
}

pub(super) fn join(arguments: &JoinArguments, context: &mut Context) -> anyhow::Result<Status> {
    let mut book = context.book().open()?;
    for &other in &arguments.others {
        join_games(&mut book, GameId(arguments.kept), GameId(other))?;
        let game = arguments.kept;
        if context.output.is_json() {
            context.output.object(&object! { game, joined: other })?;
        } else {
            context.summary(format_args!("game {other} joined into game {game}"))?;
        }
    }
    Ok(Status::Done)
}

pub(super) fn split(arguments: &SplitArguments, context: &mut Context) -> anyhow::Result<Status> {
    let game = arguments.game;
    let other = split_game(&mut context.book().open()?, GameId(game))?.0;
    if context.output.is_json() {
        context.output.object(&object! { game, split: other })?;
    } else {
        context.summary(format_args!("games {game} and {other} are separate again"))?;
    }
    Ok(Status::Done)
}
