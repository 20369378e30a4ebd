//! All commands and the flags that all of them take.

use std::path::PathBuf;

use clap::{Args, Parser};

use super::commands::Command;

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

/// Flags that every command takes.
#[derive(Args, Debug, Clone)]
pub struct GlobalArguments {
    /// The book file; else $ROSEBILL_BOOK, else the configuration's, else rosebill.db in your data
    /// folder
    #[arg(long, global = true, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Print JSON, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// No notes and no progress on stderr
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// More on stderr about what is done; twice for still more
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}
