//! `rosebill discover`.

mod common;
mod disagreements;
mod draws;
mod mistakes;
mod novelties;
mod only_moves;
mod preparation;
mod traps;

use clap::Subcommand;

use crate::app::discover::DiscoverError;
use crate::app::games::PlayerError;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;

/// Arguments of `discover`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill discover traps --from tiger\n\n\
    Every question goes through the positions that both the games and the book have; --move-loss and \
    --line-loss leave of these, so of the answers, only what lines of the book within them lead to. What is found \
    can be searched deeper: rosebill grow --policy doubt, or each line of --lines with rosebill grow \
    --policy lines --line LINE.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Discover,
}

#[derive(Subcommand, Debug)]
enum Discover {
    /// Find good moves that are rarely played, or habits that give something away
    Novelties(novelties::Arguments),
    /// Find positions that people go wrong in, on lines that cost little
    Traps(traps::Arguments),
    /// Find what a player, or the players of an event, did wrong again and again
    Mistakes(mistakes::Arguments),
    /// List positions from which a draw is proven or in reach, the nearest first
    Draws(draws::Arguments),
    /// Find positions where the book's value and the results of games disagree
    Disagreements(disagreements::Arguments),
    /// Find positions with one good move, which people miss
    OnlyMoves(only_moves::Arguments),
    /// Prepare for a player: weak spots, and lines to learn
    Preparation(preparation::Arguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let done = match &arguments.command {
        Discover::Novelties(arguments) => novelties::run(arguments, context),
        Discover::Traps(arguments) => traps::run(arguments, context),
        Discover::Mistakes(arguments) => mistakes::run(arguments, context),
        Discover::Draws(arguments) => draws::run(arguments, context),
        Discover::Disagreements(arguments) => disagreements::run(arguments, context),
        Discover::OnlyMoves(arguments) => only_moves::run(arguments, context),
        Discover::Preparation(arguments) => preparation::run(arguments, context),
    };
    let error = match done {
        Err(error) => error,
        done => return done,
    };
    // What is not there is no failure.
    match error.downcast::<DiscoverError>()? {
        error @ DiscoverError::TooFewGames { games, .. } => {
            let fewer = match games {
                ..2 => "--least-games takes 2 or more: try".to_owned(),
                _ => format!("try --least-games {games}, or"),
            };
            context.note(format_args!("{error}: {fewer} fewer conditions, if there are any"));
            Ok(Status::NotFound)
        }
        error @ (DiscoverError::NoGames
        | DiscoverError::NoGameHere
        | DiscoverError::NothingShared(_)) => {
            context.explain(&error);
            Ok(Status::NotFound)
        }
        DiscoverError::Player(error @ (PlayerError::NoSuch(_) | PlayerError::Several { .. })) => {
            context.failure(&error);
            Ok(Status::NotFound)
        }
        error => Err(error.into()),
    }
}
