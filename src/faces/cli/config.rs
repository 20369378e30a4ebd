//! Settings: flags, then environment, then the configuration file, then defaults.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use etcetera::{BaseStrategy, choose_base_strategy};

use super::config_file::{ConfigFile, DurabilityName};
use super::hint::Refusal;
use crate::app::{DEFAULT_LEVEL, DEFAULT_TABLE_MEGABYTES};
use crate::faces::render::Command;
use crate::othello::search::Level;

/// The environment variable that names the book.
pub const BOOK_VARIABLE: &str = "ROSEBILL_BOOK";
/// The environment variable that names the configuration file.
pub const CONFIG_VARIABLE: &str = "ROSEBILL_CONFIG";

/// Where a setting came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Flag,
    Environment(&'static str),
    File,
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment(name) => f.write_str(name),
            Self::File => f.write_str("configuration file"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A value with its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting<T> {
    pub value: T,
    /// Where it came from.
    pub origin: Origin,
}

impl<T> Setting<T> {
    fn of_file(value: Option<T>, default: T) -> Self {
        match value {
            Some(value) => Self { value, origin: Origin::File },
            None => Self { value: default, origin: Origin::Default },
        }
    }
}

/// All settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The configuration file, present or not.
    pub file: PathBuf,
    pub book: Setting<PathBuf>,
    /// Search level of `grow`.
    pub level: Setting<Level>,
    /// Searches at once.
    pub threads: Setting<usize>,
    /// Memory for the transposition tables of one search thread, in MiB.
    pub table_megabytes: Setting<usize>,
    /// What a commit of a book that is written outlasts.
    pub durability: Setting<DurabilityName>,
    /// The address of the fleet's server, with its password: not to be shown.
    pub fleet: Option<String>,
    pub fleet_credentials: Option<PathBuf>,
}

impl Settings {
    /// Reads the environment and the configuration file; `book` is the flag.
    pub fn load(book: Option<PathBuf>, mends_file: bool) -> anyhow::Result<Self> {
        let file_path = config_path()?;
        let file = match ConfigFile::read(&file_path) {
            Err(_) if mends_file => ConfigFile::default(),
            read => read?,
        };
        let from_environment = std::env::var_os(BOOK_VARIABLE).filter(|value| !value.is_empty());
        let book = match (book, from_environment, file.book) {
            (Some(value), _, _) => Setting { value, origin: Origin::Flag },
            (None, Some(value), _) => {
                Setting { value: value.into(), origin: Origin::Environment(BOOK_VARIABLE) }
            }
            (None, None, Some(value)) => Setting { value, origin: Origin::File },
            (None, None, None) => Setting { value: default_book()?, origin: Origin::Default },
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            file: file_path,
            book,
            level: Setting::of_file(file.level.and_then(Level::new), DEFAULT_LEVEL),
            threads: Setting::of_file(file.threads, cores),
            table_megabytes: Setting::of_file(file.table, DEFAULT_TABLE_MEGABYTES),
            durability: Setting::of_file(file.durability, DurabilityName::default()),
            fleet: file.fleet,
            fleet_credentials: file.fleet_credentials,
        })
    }
}

impl Settings {
    /// Refuses to go on without a configuration file that was named: a user who names one does not
    /// mean the defaults.
    pub fn check_named_file(&self) -> anyhow::Result<()> {
        match self.absent_file() {
            None => Ok(()),
            Some(absent) => {
                let text = format!(
                    "there is no {}, which {CONFIG_VARIABLE} names: a setting makes it, and without the \
                     variable the usual file is read",
                    absent.display()
                );
                let set = Command::new("config set").of_no_book().with(["KEY", "VALUE"]);
                Err(Refusal::new(text, [set]).into())
            }
        }
    }

    /// The configuration file where it was named and is not there.
    pub fn absent_file(&self) -> Option<&Path> {
        let named = std::env::var_os(CONFIG_VARIABLE).filter(|value| !value.is_empty());
        named.filter(|_| !self.file.exists()).map(|_| self.file.as_path())
    }

    /// Whether the book is the one in the user's data folder.
    pub fn book_is_default(&self) -> bool {
        self.book.origin == Origin::Default
    }
}

fn config_path() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os(CONFIG_VARIABLE).filter(|value| !value.is_empty()) {
        return Ok(path.into());
    }
    let folders = choose_base_strategy().context("no home folder for the configuration file")?;
    Ok(folders.config_dir().join("rosebill").join("config.toml"))
}

fn default_book() -> anyhow::Result<PathBuf> {
    let folders = choose_base_strategy().context("no home folder for the default book")?;
    Ok(folders.data_dir().join("rosebill").join("rosebill.db"))
}
