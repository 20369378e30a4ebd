//! What an import is asked for, the result, and why it fails.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::books::{Defects, Format, FormatError, WITHOUT_LEVELS};
use crate::openbook::propagate::LessSure;
use crate::othello::search::{Level, Stop};
use crate::othello::system_error::in_words;
use crate::store::StoreError;

use super::super::diff::BookDiff;
use super::super::facts::{FactReport, RefusedFact};
use super::super::snapshot::RestoreError;

/// How files are to be taken.
#[derive(Clone, Default, Debug)]
pub struct ImportOptions {
    /// The format of all files; else each is sniffed.
    pub format: Option<Format>,
    /// Skip bad records with a note instead of refusing their file.
    pub lenient: bool,
    /// The level of the records of files that have no levels.
    pub level: Option<Level>,
    /// Save the book for `undo` as it is before the first file.
    pub undo: bool,
    /// Find out what the import would do, without doing it.
    pub dry_run: bool,
    /// The command, as the book's list of runs shows it.
    pub asked: String,
    /// Raised to stop: the file that is being read then leaves nothing behind, unless all of it is
    /// in the book and only links and values are still to be found.
    pub stop: Stop,
}

impl ImportOptions {
    pub(super) fn unless_stopped(&self, file: &Path) -> Result<(), ImportError> {
        match self.stop.is_stopped() {
            true => Err(ImportError::Stopped(file.to_owned())),
            false => Ok(()),
        }
    }
}

/// How far an import has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportProgress<'a> {
    pub file: &'a Path,
    /// What is being done.
    pub stage: ImportStage,
    /// Records that this stage has done.
    pub done: u64,
    /// How many it has to do, where that is known.
    pub of: Option<u64>,
}

/// What an import is doing with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportStage {
    /// Reading and checking its records.
    Reading,
    /// Finding links and values among them.
    Linking,
    /// Writing nodes into the book.
    Writing,
    /// Bringing links and values of the whole book up to date.
    Settling,
}

impl ImportStage {
    /// In a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Linking => "linking",
            Self::Writing => "writing",
            Self::Settling => "computing values",
        }
    }
}

/// The result of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileReport {
    pub file: PathBuf,
    pub format: Format,
    pub records: u64,
    /// Positions that the book did not have.
    pub new: u64,
    /// Positions of which the file knew something that the book did not.
    pub replaced: u64,
    /// Positions of which the book knew as much.
    pub kept: u64,
    /// Values that became less sure: a move that looked bad turned out good, and is not as well known, or a
    /// search is due.
    pub less_sure: LessSure,
    /// The result of its facts, if it has some.
    pub facts: Option<FactReport>,
    /// What was wrong with the file.
    pub defects: Defects,
}

#[derive(Clone, Default, Debug)]
pub struct ImportReport {
    /// Each file, in the order given.
    pub files: Vec<FileReport>,
    /// Facts of the book that are not believed, because of what the files prove.
    pub not_believed: Vec<RefusedFact>,
    /// [`super::import_at`]: whether the book was made for it.
    pub is_new_book: bool,
    /// [`ImportOptions::dry_run`]: how the book as it is differs from the book after all files.
    pub would_change: Option<BookDiff>,
}

impl ImportReport {
    /// Whether anything of the files was refused or skipped.
    pub(crate) fn is_partial(&self) -> bool {
        self.files.iter().any(|file| {
            file.facts.as_ref().is_some_and(|facts| facts.refused > 0)
                || file.defects.counts().any(|(kind, count)| kind.is_skipped() && count > 0)
        })
    }
}

/// Why an import failed. Files before the one that failed are in the book; nothing of that one is.
#[derive(Debug, Error)]
pub enum ImportError {
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("temporary file beside the book: {}", in_words(.0))]
    Spool(#[from] io::Error),
    #[error("{0}")]
    Undo(#[from] RestoreError),
    /// [`ImportOptions::level`] was given for a file that has levels of its own.
    #[error(
        "{}: its records say how they were searched; a level is for old {WITHOUT_LEVELS}, which do not",
        .0.display()
    )]
    HasLevels(PathBuf),
    /// [`ImportOptions::stop`] was raised.
    #[error("interrupted: nothing was imported from {}", .0.display())]
    Stopped(PathBuf),
}
