//! `rosebill lab bench`.

mod books;
mod fleet;
mod growth;
mod perft;
mod search;
mod store;

use clap::{Args, Subcommand};

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::{MEASURED, end_at_once_on_interrupt};

/// Arguments of `bench`.
#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab bench perft --depth 11")]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Count the leaves of the game tree: moves and flips
    #[command(after_help = "Example: rosebill lab bench perft --depth 11")]
    Perft(perft::Arguments),
    /// Solve the positions of a file
    #[command(after_help = "Example: rosebill lab bench solve ffo.obf --numbers 40-49")]
    Solve(search::SolveArguments),
    /// Search ten midgame positions
    #[command(after_help = "Example: rosebill lab bench search --depth 18")]
    Search(search::SearchArguments),
    /// Measure static evaluation
    Eval(search::EvalArguments),
    /// Fill a scratch book and measure its usual operations
    Store(store::Arguments),
    /// Grow books in several ways at equal cost and measure how good they are
    Books(books::Arguments),
    /// Measure how much one coordinator of a fleet can do, with workers that do not search
    Fleet(fleet::Arguments),
    /// Measure what growth costs beside the searches, with drawn answers instead of them
    Grow(growth::Arguments),
    /// Measure questions to the games of a book; it is left as it was
    #[command(after_help = "Example: rosebill lab bench games --book my.db")]
    Games(store::GamesArguments),
    /// Measure sweeps, questions and changes on a copy of a book, beside it
    #[command(after_help = "Example: rosebill lab bench propagate --book my.db")]
    Propagate(store::PropagateArguments),
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    if let What::Perft(_) | What::Solve(_) | What::Search(_) | What::Eval(_) = &arguments.what {
        end_at_once_on_interrupt(MEASURED)?;
    }
    match &arguments.what {
        What::Perft(arguments) => perft::run(arguments, context),
        What::Solve(arguments) => search::run_solve(arguments, context),
        What::Search(arguments) => search::run_search(arguments, context),
        What::Eval(arguments) => search::run_eval(arguments, context),
        What::Store(arguments) => store::run(arguments, context),
        What::Books(arguments) => books::run(arguments, context),
        What::Fleet(arguments) => fleet::run(arguments, context),
        What::Grow(arguments) => growth::run(arguments, context),
        What::Games(arguments) => store::run_games(arguments, context),
        What::Propagate(arguments) => store::run_propagate(arguments, context),
    }
}
