//! What every command has at hand: the settings, the book and the output.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use anyhow::Context as _;
use etcetera::{BaseStrategy as _, choose_base_strategy};

use super::config::Settings;
use super::credentials::without_credentials;
use super::global::GlobalArguments;
use super::hint::{TRY, commands_for, line_of, own_book};
use super::interrupt::stop_on_interrupt;
use super::output::Output;
use super::progress::Progress;
use crate::app::{
    BookFile, Reader, StoreError, new_book, open_or_begin, starter_positions, unpacked_starter,
};
use crate::faces::render::{Command, OwnBook, typed};
use crate::files::counted::counted;
use crate::othello::search::Stop;

/// So many threads may be asked for on any machine: more of them take memory and time to start, and
/// give nothing back.
const LEAST_CAP: usize = 8;

/// How a book begins that is not there yet.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct BeginArguments {
    /// Begin a new or empty book with the one that comes with the program; another stays as it is
    #[arg(long)]
    pub starter: bool,
    /// Begin a new book empty, without asking
    #[arg(long, conflicts_with = "starter")]
    pub empty: bool,
}

/// What every command has at hand.
pub struct Context {
    pub output: Output,
    /// Whether notes and progress on stderr are wanted.
    pub quiet: bool,
    settings: Settings,
    asked: String,
    stop: Stop,
}

impl Context {
    /// Reads the configuration and prepares output and log. `given` are all arguments after the
    /// program's name. A command that mends the configuration works where it cannot be read, too.
    pub fn new(
        arguments: &GlobalArguments,
        given: &[OsString],
        mends_file: bool,
    ) -> anyhow::Result<Self> {
        super::log::start(arguments.verbose, arguments.quiet);
        let settings = Settings::load(arguments.book.clone(), mends_file)?;
        let asked = given.iter().map(|word| without_credentials(&word.to_string_lossy()));
        Ok(Self {
            output: Output::new(arguments.json, !arguments.no_pager),
            quiet: arguments.quiet,
            settings,
            asked: typed(asked),
            stop: Stop::new(),
        })
    }

    /// What was asked for, as runs are noted in the book: the arguments after the program's name, as a
    /// shell takes them.
    /// What is not Unicode in a file name is replaced.
    pub fn asked(&self) -> &str {
        &self.asked
    }

    /// All settings with their origins.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The book file that this run is about.
    pub fn book_path(&self) -> PathBuf {
        self.settings.book.value.clone()
    }

    /// The book of this run, opened as the settings say.
    pub fn book(&self) -> BookFile {
        BookFile {
            path: self.book_path(),
            durability: self.settings.durability.value.into(),
            makes_folder: self.settings.book_is_default(),
            instead: None,
            stop: self.stop.clone(),
            asked: self.asked.clone(),
        }
    }

    /// From here on Ctrl-C ends what goes through the book, with an error, and takes back what was changed.
    pub fn end_on_interrupt(&mut self) -> anyhow::Result<()> {
        self.stop = stop_on_interrupt()?;
        Ok(())
    }

    /// Whether Ctrl-C came behind [`Self::end_on_interrupt`].
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// The book of this run, to ask it only: where the user has none and named none, the one that comes with the
    /// program is read instead.
    pub fn book_to_ask(&self) -> BookFile {
        let own = self.book();
        if !self.settings.book_is_default() || own.exists() {
            return own;
        }
        let Some(folder) = cache_folder() else { return own };
        match unpacked_starter(&folder) {
            Ok(starter) => {
                let has = starter_positions().map(|has| counted(has, "position").to_string());
                self.note(format_args!(
                    "no book of your own yet: this is the one that comes with rosebill, {}",
                    has.unwrap_or_default()
                ));
                BookFile { instead: Some(starter), ..own }
            }
            Err(error) => {
                self.note(format_args!(
                    "the book that comes with rosebill cannot be unpacked: {error}"
                ));
                own
            }
        }
    }

    /// Removes the copy of the book that comes with the program where that is what is damaged: the next command
    /// makes it anew.
    pub fn remove_damaged_copy(&self, error: &anyhow::Error) {
        let damaged = error.chain().find_map(|cause| match cause.downcast_ref() {
            Some(StoreError::Damaged { path, .. }) => Some(path),
            _ => None,
        });
        let copy = damaged.filter(|path| path.parent() == cache_folder().as_deref());
        if copy.is_some_and(|path| std::fs::remove_file(path).is_ok()) {
            self.note("the copy of the book that comes with rosebill was damaged and is removed: try again");
        }
    }

    /// Opens the book of this run, or the one that is read instead, to ask it only.
    pub fn read_book(&self) -> anyhow::Result<Reader> {
        Ok(self.book_to_ask().read()?)
    }

    /// Whether a new book begins with the starter: as asked for, else as the user answers in a terminal. Where there
    /// is a book, or none is asked about, the options alone decide.
    pub fn begins_with_starter(&self, begin: BeginArguments) -> anyhow::Result<bool> {
        if begin.starter || begin.empty || self.quiet || self.book().exists() {
            return Ok(begin.starter);
        }
        let are_terminals = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        let Some(offered) = starter_positions().filter(|_| are_terminals) else { return Ok(false) };
        super::output::note(&format!("there is no book at {} yet", self.book_path().display()));
        loop {
            let positions = counted(offered, "position");
            eprint!("Begin with the one that comes with rosebill, {positions}? [Y/n] ");
            let mut answer = String::new();
            let read = std::io::stdin().read_line(&mut answer).context("cannot read the answer")?;
            match answer.trim().to_lowercase().as_str() {
                // The end of the input is no answer: nothing is made.
                "" if read == 0 => {
                    eprintln!();
                    anyhow::bail!("no answer: expected y or n; --starter or --empty asks nothing");
                }
                "" | "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                _ => {}
            }
        }
    }

    /// Makes the user's book with the starter in it, where that is wanted and there is none.
    pub fn begin_book(&self, begin: BeginArguments) -> anyhow::Result<()> {
        let book = self.book();
        if !self.begins_with_starter(begin)? {
            return Ok(());
        }
        if !book.exists() {
            self.note_new_book(new_book(&book, true)?);
            return Ok(());
        }
        let (_, _, positions) = open_or_begin(&book, true)?;
        if positions > 0 {
            let with = counted(positions, "position");
            let path = book.path.display();
            self.note(format_args!("began the empty book {path} (with {with} of the starter)"));
        }
        Ok(())
    }

    /// Shows in a terminal how far work on the book has come that reports nothing itself, until what is returned is
    /// dropped. `of` is how many positions it goes through, where that is known.
    pub fn busy(&self, what: &str, of: Option<u64>) -> Progress {
        self.busy_reading(what, of, 1)
    }

    /// The same for work that reads each position `reads` times.
    pub fn busy_reading(&self, what: &str, of: Option<u64>, reads: u64) -> Progress {
        let mut progress = Progress::new(self.quiet);
        progress.busy(what, &self.stop, of, reads);
        progress
    }

    /// Says that a new book was made, with so many positions of the starter, and what it could have begun with.
    pub fn note_new_book(&self, begun_with: u64) {
        let with = match (begun_with, starter_positions()) {
            (0, None) => "begun empty".to_owned(),
            (0, Some(offered)) => {
                let positions = counted(offered, "position");
                format!("begun empty; with --starter it begins with {positions}")
            }
            (begun_with, _) => format!("with {} of the starter", counted(begun_with, "position")),
        };
        self.note(format_args!("created a new book: {} ({with})", self.book_path().display()));
    }

    /// How many threads work at once: as many as asked for, or as the settings say, but no more
    /// than the machine has a use for.
    pub fn threads(&self, asked: Option<usize>) -> usize {
        let asked = asked.unwrap_or(self.settings.threads.value).max(1);
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let most = (2 * processors).max(LEAST_CAP);
        if asked > most {
            let processors = counted(processors as u64, "processor");
            self.note(format_args!("{most} threads are used, not {asked}: there are {processors}"));
        }
        asked.min(most)
    }

    /// The book that commands are about.
    pub fn own_book(&self) -> OwnBook {
        own_book(&self.settings)
    }

    /// What was done, in a line for people, or on as many as it needs: nothing with --quiet.
    pub fn summary(&mut self, text: impl std::fmt::Display) -> std::io::Result<()> {
        if self.quiet {
            return Ok(());
        }
        let text = text.to_string();
        let indent = text.len() - text.trim_start().len();
        self.output.folded(&text, " ", indent + 2)?;
        // Notes go past what is not written yet.
        self.output.flush()
    }

    /// A note for people on stderr, unless they want none.
    pub fn note(&self, text: impl std::fmt::Display) {
        if !self.quiet {
            super::output::note(&text.to_string());
        }
    }

    /// Commands to try, below a note.
    pub fn hint(&self, commands: &[Command]) {
        if !self.quiet {
            tell_commands(commands, &self.own_book());
        }
    }

    /// An error that is no failure, as a note, with what helps.
    pub fn explain(&self, error: &(dyn std::error::Error + 'static)) {
        self.note(error);
        self.hint(&commands_for(error, &self.own_book()));
    }

    /// An error that is an answer, with what helps.
    pub fn answer(&mut self, error: &(dyn std::error::Error + 'static)) -> std::io::Result<()> {
        self.output.folded(&error.to_string(), " ", 2)?;
        let commands = commands_for(error, &self.own_book());
        commands.iter().try_for_each(|command| self.print_command(TRY, command))
    }

    /// A command on a line of its own, with what it is for.
    pub fn print_command(&mut self, title: &str, command: &Command) -> std::io::Result<()> {
        let line = line_of(title, command, &self.own_book());
        self.output.line(line)
    }

    /// A failure, in a line on stderr with what helps, where more is said behind it.
    pub fn failure(&self, error: &(dyn std::error::Error + 'static)) {
        super::exit::tell_error(error, &self.own_book());
    }
}

/// Where the book that comes with the program is unpacked; none where there is no such place.
fn cache_folder() -> Option<PathBuf> {
    Some(choose_base_strategy().ok()?.cache_dir().join("rosebill"))
}

/// Commands to try, each on a line of stderr.
pub(super) fn tell_commands(commands: &[Command], own: &OwnBook) {
    for command in commands {
        super::output::tell(line_of(TRY, command, own));
    }
}
