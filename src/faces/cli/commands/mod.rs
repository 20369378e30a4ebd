//! One file for each command. A command parses nothing and computes nothing of its own: it hands
//! its arguments to `app` and prints what comes back.

mod analyze;
mod complete;
mod completions;
mod config;
mod convert;
mod diff;
mod discover;
mod dry_run;
mod edit;
mod export;
mod export_level;
mod filter;
mod fleet;
mod games;
mod grow;
mod gtp;
mod help;
mod import;
mod info;
#[cfg(feature = "workshop")]
mod lab;
mod lines;
mod man;
mod nboard;
mod new;
mod openings;
mod options;
mod play;
mod prune;
mod search;
#[cfg(feature = "web")]
mod serve;
mod show;
mod snapshot;
mod solve;
mod undo;
mod verify;

use clap::Subcommand;

use super::context::Context;
use super::exit::Status;

/// What the program can do, in the order of [`GROUPS`].
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Create a book
    New(new::Arguments),
    /// Grow the book by searches
    Grow(Box<grow::Arguments>),
    /// Show a position with its moves and all that is known of them
    Show(show::Arguments),
    /// List the best lines
    Lines(lines::Arguments),
    /// Show the book file, its sources, recent runs and figures
    Info(info::Arguments),
    /// Compare two books
    Diff(diff::Arguments),
    /// Remove positions, or set their values by hand
    Edit(edit::Arguments),
    /// Cut the book down and keep the values of what is cut
    Prune(prune::Arguments),
    /// Check the book, recompute its values, or rescue a damaged one
    Verify(verify::Arguments),
    /// Undo changes of the book's positions, or redo them
    Undo(undo::Arguments),
    /// Import books of rosebill and of other programs
    Import(import::Arguments),
    /// Write the book as a file for other programs
    Export(export::Arguments),
    /// Convert book files of one program to another
    Convert(convert::Arguments),
    /// Save the book in a small file, or restore it from one
    Snapshot(snapshot::Arguments),
    /// Game database: import, search, statistics by position
    Games(games::Arguments),
    /// Analyze games move by move: values, best moves, losses
    Analyze(analyze::Arguments),
    /// Find what the book and the games show together
    Discover(discover::Arguments),
    /// List openings and find them by name
    Openings(openings::Arguments),
    /// Play a game in the terminal
    Play(play::Arguments),
    /// Show the book and its games in a browser
    #[cfg(feature = "web")]
    Serve(serve::Arguments),
    /// Run as an engine for NBoard
    Nboard(nboard::Arguments),
    /// Run as an engine for programs that speak GTP
    Gtp(gtp::Arguments),
    /// Search positions to a level or depth, or evaluate them statically
    Search(search::Arguments),
    /// Find the exact result of positions
    Solve(solve::Arguments),
    /// Run searches for books on other machines, or show a fleet's state
    Fleet(fleet::Arguments),
    /// Matches, training of the evaluator, measurements
    #[cfg(feature = "workshop")]
    Lab(lab::Arguments),
    /// Show or change the settings
    Config(config::Arguments),
    /// Print a completion script for a shell
    #[command(hide = true)]
    Completions(completions::Arguments),
    /// Print the manual page
    #[command(hide = true)]
    Man(man::Arguments),
    /// Print a guide, or the help of a command
    #[command(hide = true)]
    Help(help::Arguments),
}

/// The groups in which the help lists the commands: title and the first command of each.
pub(super) const GROUPS: [(&str, &str); 6] = [
    ("Book", "new"),
    ("Files", "import"),
    ("Games", "games"),
    ("Play", "play"),
    ("Engine", "search"),
    ("More", "fleet"),
];

/// Commands of versions before 0.3, with those that stand for them.
pub(super) const RENAMED: [(&str, &str); 11] = [
    ("stats", "info --by-discs"),
    ("propagate", "verify --recompute"),
    ("work", "fleet work"),
    ("merge", "import"),
    ("restore", "snapshot restore"),
    ("eval", "search --static"),
    ("match", "lab match"),
    ("train", "lab train"),
    ("bench", "lab bench"),
    ("remove", "edit remove"),
    ("set", "edit set"),
];

pub use help::list as guides;

impl Command {
    /// Whether it is there to look for what is wrong with the configuration file.
    pub(super) fn mends_settings(&self) -> bool {
        matches!(self, Self::Config(arguments) if arguments.mends_settings())
    }

    /// Hands on what was wrong with the arguments to a command that goes on with the usual ones.
    pub(super) fn with_trouble(mut self, trouble: String) -> Self {
        if let Self::Nboard(arguments) = &mut self {
            arguments.trouble = Some(trouble);
        }
        self
    }
}

/// Runs a command; `program` is the whole command line.
pub(super) fn run(
    command: &Command,
    program: fn() -> clap::Command,
    context: &mut Context,
) -> anyhow::Result<Status> {
    // Those make the file that is not there, and report it, or have no use for it.
    if !matches!(
        command,
        Command::Config(_) | Command::Completions(_) | Command::Man(_) | Command::Help(_)
    ) {
        context.settings().check_named_file()?;
    }
    if matches!(
        command,
        Command::Show(_)
            | Command::Lines(_)
            | Command::Info(_)
            | Command::Diff(_)
            | Command::Discover(_)
            | Command::Openings(_)
    ) {
        context.output.page();
    }
    let status = match command {
        Command::New(arguments) => new::run(arguments, context),
        Command::Grow(arguments) => grow::run(arguments, context),
        Command::Show(arguments) => show::run(arguments, context),
        Command::Lines(arguments) => lines::run(arguments, context),
        Command::Info(arguments) => info::run(arguments, context),
        Command::Diff(arguments) => diff::run(arguments, context),
        Command::Edit(arguments) => edit::run(arguments, context),
        Command::Prune(arguments) => prune::run(arguments, context),
        Command::Verify(arguments) => verify::run(arguments, context),
        Command::Undo(arguments) => undo::run(arguments, context),
        Command::Import(arguments) => import::run(arguments, context),
        Command::Export(arguments) => export::run(arguments, context),
        Command::Convert(arguments) => convert::run(arguments, context),
        Command::Snapshot(arguments) => snapshot::run(arguments, context),
        Command::Games(arguments) => games::run(arguments, context),
        Command::Analyze(arguments) => analyze::run(arguments, context),
        Command::Discover(arguments) => discover::run(arguments, context),
        Command::Openings(arguments) => openings::run(arguments, context),
        Command::Play(arguments) => play::run(arguments, context),
        #[cfg(feature = "web")]
        Command::Serve(arguments) => serve::run(arguments, context),
        Command::Nboard(arguments) => nboard::run(arguments, context),
        Command::Gtp(arguments) => gtp::run(arguments, context),
        Command::Search(arguments) => search::run(arguments, context),
        Command::Solve(arguments) => solve::run(arguments, context),
        Command::Fleet(arguments) => fleet::run(arguments, context),
        #[cfg(feature = "workshop")]
        Command::Lab(arguments) => lab::run(arguments, context),
        Command::Config(arguments) => config::run(arguments, context),
        Command::Completions(arguments) => completions::run(arguments, context),
        Command::Man(arguments) => man::run(arguments, program(), context),
        Command::Help(arguments) => help::run(arguments, program(), context),
    }?;
    context.output.flush()?;
    Ok(status)
}
