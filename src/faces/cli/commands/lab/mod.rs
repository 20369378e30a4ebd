//! `rosebill lab`.

mod bench;
mod contest;
mod train;

use clap::Subcommand;

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;

/// Arguments of `lab`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill lab match rosebill phases --limit 20")]
pub struct Arguments {
    #[command(subcommand)]
    command: Lab,
}

#[derive(Subcommand, Debug)]
enum Lab {
    /// Play matches between evaluators, levels and books
    Match(contest::Arguments),
    /// Train and measure the evaluator
    Train(train::Arguments),
    /// Measure the speed of the program's parts
    Bench(bench::Arguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    match &arguments.command {
        Lab::Match(arguments) => contest::run(arguments, context),
        Lab::Train(arguments) => train::run(arguments, context),
        Lab::Bench(arguments) => bench::run(arguments, context),
    }
}
