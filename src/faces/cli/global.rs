//! Flags that every command takes.

use std::path::PathBuf;

use clap::Args;

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
    /// No notes, no progress and no summary of what was done, but what is asked for with --json
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// More on stderr about what is done; twice for still more
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}
