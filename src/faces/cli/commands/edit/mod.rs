//! `rosebill edit`.

mod remove;
mod set;

use clap::Subcommand;

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;

/// Arguments of `edit`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill edit set f5d6c3d3c4 -1.5")]
pub struct Arguments {
    #[command(subcommand)]
    command: Edit,
}

#[derive(Subcommand, Debug)]
enum Edit {
    /// Remove positions, or everything from one import, without keeping their values
    Remove(remove::Arguments),
    /// Set the value of a position by your own judgement
    Set(set::Arguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    match &arguments.command {
        Edit::Remove(arguments) => remove::run(arguments, context),
        Edit::Set(arguments) => set::run(arguments, context),
    }
}
