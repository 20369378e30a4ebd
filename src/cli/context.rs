//! What every command has at hand: the settings, the output, and the wish to stop.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::Context as _;

use super::args::GlobalArguments;
use super::config::Settings;
use super::output::Output;
use crate::search::Stop;
use crate::store::Book;

/// What every command has at hand.
pub struct Context {
    /// Results.
    pub output: Output,
    /// Whether notes and progress on stderr are wanted.
    pub quiet: bool,
    settings: Settings,
    asked: String,
}

impl Context {
    /// Reads the configuration and prepares output and log. `given` are all arguments after the
    /// program's name.
    ///
    /// # Errors
    /// When the configuration file cannot be read.
    pub fn new(arguments: &GlobalArguments, given: &[OsString]) -> anyhow::Result<Self> {
        start_log(arguments.verbose, arguments.quiet);
        let settings = Settings::load(arguments.book.clone())?;
        let asked: Vec<_> = given.iter().map(|word| word.to_string_lossy()).collect();
        Ok(Self {
            output: Output::new(arguments.json),
            quiet: arguments.quiet,
            settings,
            asked: asked.join(" "),
        })
    }

    /// What was asked for, as runs are noted in the book: the arguments after the program's name.
    /// What is not Unicode in a file name is replaced.
    #[must_use]
    pub fn asked(&self) -> &str {
        &self.asked
    }

    /// All settings with their origins.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The book file that this run is about.
    #[must_use]
    pub fn book_path(&self) -> PathBuf {
        self.settings.book.value.clone()
    }

    /// Opens the book of this run for writing, as durable as the settings say.
    ///
    /// # Errors
    /// There is no book, another process writes it, or it cannot be read.
    pub fn open_book(&self) -> anyhow::Result<Book> {
        self.as_durable(Book::open(self.book_path())?)
    }

    /// Makes a book as durable as the settings say.
    ///
    /// # Errors
    /// The book cannot be written.
    pub fn as_durable(&self, mut book: Book) -> anyhow::Result<Book> {
        book.set_durability(self.settings.durability.value.into())?;
        Ok(book)
    }

    /// How many searches run at once.
    #[must_use]
    pub fn threads(&self, asked: Option<usize>) -> usize {
        asked.unwrap_or(self.settings.threads.value).max(1)
    }

    /// A note for people on stderr, unless they want none.
    pub fn note(&self, text: impl std::fmt::Display) {
        if !self.quiet {
            super::output::tell(text);
        }
    }
}

/// A flag that Ctrl-C raises. A second Ctrl-C ends the program at once.
///
/// # Errors
/// When the signal handler cannot be set.
pub fn stop_on_interrupt() -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if raised.is_stopped() {
            std::process::exit(130);
        }
        raised.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

fn start_log(verbose: u8, quiet: bool) {
    use tracing_subscriber::filter::LevelFilter;
    let level = match (quiet, verbose) {
        (true, _) => LevelFilter::ERROR,
        (false, 0) => LevelFilter::WARN,
        (false, 1) => LevelFilter::INFO,
        (false, 2) => LevelFilter::DEBUG,
        (false, _) => LevelFilter::TRACE,
    };
    // A second start in one process (tests) keeps the first log.
    let _ = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .try_init();
}
