//! The whole command line.

use clap::Parser;

use super::commands::Command;
use super::global::GlobalArguments;

/// Grows, keeps, queries and exports Othello opening books, and analyses games.
///
/// A newcomer starts with 'rosebill grow --time 60s' and then 'rosebill show'.
#[derive(Parser, Debug)]
#[command(name = "rosebill", version, propagate_version = true, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of all commands.
    #[command(flatten)]
    pub global: GlobalArguments,
}
