//! One file for each command. A command parses nothing and computes nothing of its own: it hands
//! its arguments to `ops` and prints what comes back.

mod analyze;
#[cfg(feature = "workshop")]
mod bench;
mod complete;
mod completions;
mod config;
#[cfg(feature = "workshop")]
mod contest;
mod convert;
mod diff;
mod discover;
mod dry_run;
mod eval;
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
mod lines;
mod man;
mod merge;
mod nboard;
mod new;
mod openings;
mod play;
mod propagate;
mod prune;
mod remove;
mod restore;
mod search;
#[cfg(feature = "web")]
mod serve;
mod set;
mod show;
mod snapshot;
mod solve;
mod stats;
#[cfg(feature = "workshop")]
mod train;
mod undo;
mod verify;
mod work;

use clap::Subcommand;

use super::context::Context;
use super::exit::Status;

/// What the program can do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Create an empty book
    New(new::Arguments),
    /// Grow the book
    Grow(grow::Arguments),
    /// Search for books that grow elsewhere
    Work(work::Arguments),
    /// Ask how a fleet of workers is
    Fleet(fleet::Arguments),
    /// Show a position with all that is known of its moves
    Show(show::Arguments),
    /// List the best lines
    Lines(lines::Arguments),
    /// Count the book
    Stats(stats::Arguments),
    /// Check every invariant of the book
    Verify(verify::Arguments),
    /// Compute all values anew
    Propagate(propagate::Arguments),
    /// Tell of the book file, its sources and its latest runs
    Info(info::Arguments),
    /// Tell what differs between two books
    Diff(diff::Arguments),
    /// Cut the book down, and keep what is cut in one record
    Prune(prune::Arguments),
    /// Remove positions, or all that came from one import, and keep nothing of them
    Remove(remove::Arguments),
    /// Set what a position is worth by your own judgement
    Set(set::Arguments),
    /// Take in other books of rosebill
    Merge(merge::Arguments),
    /// Save the book in a small file
    Snapshot(snapshot::Arguments),
    /// Make the book what a snapshot says
    Restore(restore::Arguments),
    /// Take changes of the book's positions back, or do them again
    Undo(undo::Arguments),
    /// Take in books of other programs, and our own exports
    Import(import::Arguments),
    /// Write the book as a file for other programs
    Export(export::Arguments),
    /// Turn book files of one program into one of another
    Convert(convert::Arguments),
    /// Keep and ask games: everybody's, at every position
    Games(games::Arguments),
    /// Find what only the book and the games together can tell
    Discover(discover::Arguments),
    /// Explain games move by move: what each was worth, what was best, what it cost
    Analyze(analyze::Arguments),
    /// Show the book and its games in a browser
    #[cfg(feature = "web")]
    Serve(serve::Arguments),
    /// Name openings, and find them by their names
    Openings(openings::Arguments),
    /// Judge a position without looking ahead
    Eval(eval::Arguments),
    /// Search positions to a level or depth
    Search(search::Arguments),
    /// Find the exact result of positions
    Solve(solve::Arguments),
    /// Play a game in the terminal
    Play(play::Arguments),
    /// Be an engine of NBoard, the Othello board
    Nboard(nboard::Arguments),
    /// Be an engine of programs that speak GTP
    Gtp(gtp::Arguments),
    /// Play evaluators, levels and books against each other
    #[cfg(feature = "workshop")]
    Match(contest::Arguments),
    /// Fit and measure the evaluator
    #[cfg(feature = "workshop")]
    Train(train::Arguments),
    /// Measure the speed of the parts
    #[cfg(feature = "workshop")]
    Bench(bench::Arguments),
    /// Show or change the settings
    Config(config::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Print the manual page
    Man(man::Arguments),
    /// Print a guide, or the help of a command
    Help(help::Arguments),
}

pub use help::list as guides;

impl Command {
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
    let status = match command {
        Command::New(arguments) => new::run(arguments, context),
        Command::Grow(arguments) => grow::run(arguments, context),
        Command::Work(arguments) => work::run(arguments, context),
        Command::Fleet(arguments) => fleet::run(arguments, context),
        Command::Show(arguments) => show::run(arguments, context),
        Command::Lines(arguments) => lines::run(arguments, context),
        Command::Stats(arguments) => stats::run(arguments, context),
        Command::Verify(arguments) => verify::run(arguments, context),
        Command::Propagate(arguments) => propagate::run(arguments, context),
        Command::Info(arguments) => info::run(arguments, context),
        Command::Diff(arguments) => diff::run(arguments, context),
        Command::Prune(arguments) => prune::run(arguments, context),
        Command::Remove(arguments) => remove::run(arguments, context),
        Command::Set(arguments) => set::run(arguments, context),
        Command::Merge(arguments) => merge::run(arguments, context),
        Command::Snapshot(arguments) => snapshot::run(arguments, context),
        Command::Restore(arguments) => restore::run(arguments, context),
        Command::Undo(arguments) => undo::run(arguments, context),
        Command::Import(arguments) => import::run(arguments, context),
        Command::Export(arguments) => export::run(arguments, context),
        Command::Convert(arguments) => convert::run(arguments, context),
        Command::Games(arguments) => games::run(arguments, context),
        Command::Discover(arguments) => discover::run(arguments, context),
        Command::Analyze(arguments) => analyze::run(arguments, context),
        #[cfg(feature = "web")]
        Command::Serve(arguments) => serve::run(arguments, context),
        Command::Openings(arguments) => openings::run(arguments, context),
        Command::Eval(arguments) => eval::run(arguments, context),
        Command::Search(arguments) => search::run(arguments, context),
        Command::Solve(arguments) => solve::run(arguments, context),
        Command::Play(arguments) => play::run(arguments, context),
        Command::Nboard(arguments) => nboard::run(arguments, context),
        Command::Gtp(arguments) => gtp::run(arguments, context),
        #[cfg(feature = "workshop")]
        Command::Match(arguments) => contest::run(arguments, context),
        #[cfg(feature = "workshop")]
        Command::Train(arguments) => train::run(arguments, context),
        #[cfg(feature = "workshop")]
        Command::Bench(arguments) => bench::run(arguments, context),
        Command::Config(arguments) => config::run(arguments, context),
        Command::Completions(arguments) => completions::run(arguments, program(), context),
        Command::Man(arguments) => man::run(arguments, program(), context),
        Command::Help(arguments) => help::run(arguments, program(), context),
    }?;
    context.output.flush()?;
    Ok(status)
}
