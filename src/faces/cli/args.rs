//! The whole command line.

use clap::Parser;

use super::commands::{Command, guides};
use super::global::GlobalArguments;

/// What a user reads without a command.
pub(super) const FIRST_STEPS: &str = "\
rosebill grows, keeps, queries and exports Othello opening books.

To begin with:
  rosebill grow --time 60s   grow your book for a minute; again, and it goes on
  rosebill show              what the book knows of the first position, a line
                             (show f5 d6 c3) or an opening (show tiger)
  rosebill lines             the best lines of the book with their names
  rosebill serve --open      all of it in a browser

Then:
  stats, info                the book in numbers; where it is thin
  import, export             books of {programs}
  search, solve, eval        the engine without a book

All commands: rosebill --help     one of them: rosebill show --help
Guides: rosebill help values      all of them: rosebill help";

/// Grows, keeps, queries and exports Othello opening books.
///
/// A newcomer starts with 'rosebill grow --time 60s' and then 'rosebill show'.
#[derive(Parser, Debug)]
#[command(name = "rosebill", version, propagate_version = true, max_term_width = 100)]
#[command(disable_help_subcommand = true, after_help = guides())]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of all commands.
    #[command(flatten)]
    pub global: GlobalArguments,
}
