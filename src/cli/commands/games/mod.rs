//! `rosebill games`.

mod filter;
mod import;
mod stats;

use clap::Subcommand;

use crate::cli::context::Context;
use crate::cli::exit::Status;

/// Arguments of `games`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Games,
}

#[derive(Subcommand, Debug)]
enum Games {
    /// Take in games: WTHOR, GGF, PGN, SGF, transcripts, tables, JSON
    Import(import::Arguments),
    /// Show what was played at a position, and how it ended
    Stats(stats::Arguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    match &arguments.command {
        Games::Import(arguments) => import::run(arguments, context),
        Games::Stats(arguments) => stats::run(arguments, context),
    }
}
