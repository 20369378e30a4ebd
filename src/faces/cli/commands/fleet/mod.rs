//! `rosebill fleet`.

mod status;
mod work;

use clap::Subcommand;

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::fleet::FleetArguments;

/// Arguments of `fleet`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill fleet status --fleet nats://host:4222")]
pub struct Arguments {
    #[command(subcommand)]
    command: Fleet,
}

#[derive(Subcommand, Debug)]
enum Fleet {
    /// Run searches for books that grow on other machines
    Work(work::Arguments),
    /// Show jobs, books and workers of a fleet
    #[command(after_help = "Example: rosebill fleet status --fleet nats://host:4222 --json\n\n\
        The exit code is 1 when the server does not answer.")]
    Status(FleetArguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    match &arguments.command {
        Fleet::Work(arguments) => work::run(arguments, context),
        Fleet::Status(at) => status::run(at, context),
    }
}
