//! `rosebill games`.

mod alias;
mod double;
mod export;
pub(super) mod filter;
mod import;
mod list;
mod losses;
mod player;
mod remove;
mod show;
mod sources;
mod stats;

use clap::Subcommand;

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::games::KINDS;

/// Arguments of `games`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill games import WTH_2023.wtb; rosebill games stats tiger")]
pub struct Arguments {
    #[command(subcommand)]
    command: Games,
}

#[derive(Subcommand, Debug)]
enum Games {
    #[command(about = format!("Import games: {KINDS}"))]
    Import(import::Arguments),
    /// Show what was played at a position, and how it ended
    Stats(stats::Arguments),
    /// List games
    List(list::Arguments),
    /// Show a game
    Show(show::Arguments),
    /// Find players by the beginnings of their names
    Players(player::PlayersArguments),
    /// Show how a player's games ended, by color, opening and year
    Player(player::PlayerArguments),
    /// Show what moves cost: by part of the game (20 moves each), opening, year, player; the costliest habits
    Report(losses::Arguments),
    /// Make two names mean one player
    Alias(alias::Arguments),
    /// Find games that are in the book twice
    Verify(double::VerifyArguments),
    /// Make one game of two
    Join(double::JoinArguments),
    /// Take the last join of a game back
    Split(double::SplitArguments),
    /// List the files and collections that the games came from
    Sources(sources::Arguments),
    /// Remove games
    Remove(remove::Arguments),
    /// Write games as a file
    Export(export::Arguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if matches!(
        arguments.command,
        Games::Stats(_)
            | Games::List(_)
            | Games::Show(_)
            | Games::Players(_)
            | Games::Player(_)
            | Games::Report(_)
            | Games::Sources(_)
    ) {
        context.output.page();
    }
    match &arguments.command {
        Games::Import(arguments) => import::run(arguments, context),
        Games::Stats(arguments) => stats::run(arguments, context),
        Games::List(arguments) => list::run(arguments, context),
        Games::Show(arguments) => show::run(arguments, context),
        Games::Players(arguments) => player::find(arguments, context),
        Games::Player(arguments) => player::report(arguments, context),
        Games::Report(arguments) => losses::run(arguments, context),
        Games::Alias(arguments) => alias::run(arguments, context),
        Games::Verify(arguments) => double::verify(arguments, context),
        Games::Join(arguments) => double::join(arguments, context),
        Games::Split(arguments) => double::split(arguments, context),
        Games::Sources(arguments) => sources::run(arguments, context),
        Games::Remove(arguments) => remove::run(arguments, context),
        Games::Export(arguments) => export::run(arguments, context),
    }
}
