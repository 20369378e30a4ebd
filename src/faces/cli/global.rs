//! Flags that every command takes.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

/// Flags that every command takes.
#[derive(Args, Debug, Clone)]
pub struct GlobalArguments {
    /// The book file; else $ROSEBILL_BOOK, else the configuration's, else rosebill.db in your data
    /// folder
    #[arg(long, short, global = true, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Print JSON, one object a line
    #[arg(long, short, global = true)]
    pub json: bool,
    /// Print no notes, progress or summaries; --json output is still printed
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Report more on standard error; twice for still more
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Do not show long text in $PAGER (less) in a terminal
    #[arg(long, global = true)]
    pub no_pager: bool,
    /// When to use colors; auto: in a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// As it is typed, for what is printed before arguments are read.
pub const NO_PAGER: &str = "--no-pager";

/// When output has colors.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes it the rule for all that is printed from now on.
    pub fn apply(self) {
        let choice = match self {
            Self::Auto => return,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Whether JSON is asked for, of the version: it is printed before options are read.
pub(super) fn wants_json(given: &[OsString]) -> bool {
    given.iter().any(|word| word == "--json" || word == "-j")
}

/// Whether help is printed without colors: it is printed before options are read.
pub(super) fn wants_no_color(given: &[OsString]) -> bool {
    let has_never = given.iter().any(|word| word == "--color=never")
        || given.windows(2).any(|words| words[0] == "--color" && words[1] == "never");
    has_never || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}
