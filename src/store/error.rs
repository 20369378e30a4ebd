//! What can go wrong with a book file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file_names::{beside, led_to};
use crate::openbook::{Hint, NodeError};
use crate::othello::system_error::in_words;

/// Why a book could not be made, opened, read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no file.
    #[error("no book at {}", .0.display())]
    Missing(PathBuf),
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    #[error("{} is not a rosebill book: {found}", path.display())]
    Foreign { path: PathBuf, found: String, hint: Option<Hint> },
    /// The book was made by a program that knows more.
    #[error(
        "{} was made by a newer rosebill (version {found} of the file, this program knows {known}): \
         update rosebill", path.display()
    )]
    Newer {
        path: PathBuf,
        found: u32,
        /// The schema version of this program.
        known: u32,
    },
    #[error("{} has schema {found}, which no released rosebill made: it cannot be opened", path.display())]
    Unreleased { path: PathBuf, found: u32 },
    #[error("book {} is being written by {writer}", path.display())]
    Locked {
        path: PathBuf,
        /// The process, as far as it is known.
        writer: String,
    },
    /// SQLite finds the file broken, or a row means nothing.
    #[error("{} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    /// The file is not there any more, or another one is in its place.
    #[error(
        "{} was deleted or replaced while it was being written: nothing more can be kept in it",
        .0.display()
    )]
    Gone(PathBuf),
    /// The log was taken away from under a writer. All that was committed is in the book itself.
    #[error(
        "{}-wal or -shm, parts of the book while it is written, were deleted or replaced: everything up to \
         now is written into the book itself; begin again",
        .0.display()
    )]
    LogGone(PathBuf),
    /// Another program may write the book, or has written it, despite the lock.
    #[error(
        "another program writes {} ({sign}), which spoils a book that two write: what came after the last \
         commit is not kept; begin again when it has ended",
        path.display()
    )]
    NotAlone { path: PathBuf, sign: &'static str },
    #[error("no space is left for {}: the book is as it was at the last commit", .0.display())]
    DiskFull(PathBuf),
    /// The system refuses to write more: a limit or quota is reached, or the disk fails.
    #[error(
        "cannot write {} any further ({cause}): the book is as it was at the last commit",
        path.display()
    )]
    WriteRefused { path: PathBuf, cause: rusqlite::Error },
    #[error("cannot {action} {}: {}", path.display(), in_words(cause))]
    File { action: &'static str, path: PathBuf, cause: std::io::Error },
    #[error("stopped: {} is as it was at the last commit", .0.display())]
    Stopped(PathBuf),
    #[error(transparent)]
    Node(#[from] NodeError),
    #[error("a book can name {limit} sources, {} has more", path.display())]
    Sources { path: PathBuf, limit: u32 },
    #[error("book {}: {cause}", path.display())]
    Database { path: PathBuf, cause: rusqlite::Error },
    #[error("book {}: {cause}", path.display())]
    Schema { path: PathBuf, cause: rusqlite_migration::Error },
}

/// Why a commit cannot be made.
#[derive(Debug)]
pub(super) enum CommitError {
    /// The main file is another one than the book goes on from.
    Replaced,
    /// SQLite cannot write it.
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for CommitError {
    fn from(cause: rusqlite::Error) -> Self {
        Self::Database(cause)
    }
}

impl StoreError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        match self {
            Self::Missing(path) => Some(Hint::NewBook { book: path.clone() }),
            Self::Damaged { path, .. } => Some(Hint::Salvage { book: path.clone() }),
            Self::Foreign { hint, .. } => hint.clone(),
            _ => None,
        }
    }

    /// Whether another process was in the way for a moment: the same again may succeed.
    pub const fn is_busy(&self) -> bool {
        matches!(self, Self::Locked { .. })
    }

    /// What it means for a book that was being made: there was no commit that it could be as after.
    pub(super) fn of_new_book(self) -> Self {
        let not_made = |path, cause| Self::File { action: "create", path, cause };
        match self {
            Self::DiskFull(path) => not_made(path, std::io::Error::other("no space is left")),
            Self::WriteRefused { path, cause } => {
                let what = format!("the system refuses to write more ({cause})");
                not_made(path, std::io::Error::other(what))
            }
            other => other,
        }
    }

    /// What it means where it is about an unfinished copy of a book, whose name no user knows and which is gone
    /// by then: the damage is that of the book, and what cannot be written is its target.
    pub(crate) fn of_copy(self, copy: &Path, book: &Path, target: &Path) -> Self {
        match self {
            Self::Damaged { path, what } if path == copy => {
                Self::Damaged { path: book.to_owned(), what }
            }
            Self::DiskFull(path) if path == copy => Self::DiskFull(target.to_owned()).of_new_book(),
            Self::WriteRefused { path, cause } if path == copy => {
                Self::WriteRefused { path: target.to_owned(), cause }.of_new_book()
            }
            Self::Stopped(path) if path == copy => Self::Stopped(book.to_owned()),
            // Its lock and its logs lie beside it, and nothing else does.
            Self::File { path, cause, .. } if path.parent() == copy.parent() => {
                Self::File { action: "create", path: target.to_owned(), cause }
            }
            Self::Database { path, cause } if path == copy => {
                Self::Database { path: target.to_owned(), cause }
            }
            other => other,
        }
    }

    /// What an error means for a reader of a book, at its beginning: SQLite reads none without a small file
    /// beside it, which is made where there is none.
    pub(super) fn of_reader(path: &Path, cause: rusqlite::Error, has_log: bool) -> Self {
        use rusqlite::ErrorCode;
        let book = led_to(path);
        let shared = beside(&book, "-shm");
        let what = match cause.sqlite_error_code() {
            Some(ErrorCode::SystemIoFailure) if is_write_failure(&cause) || is_unshared(&cause) => {
                format!(
                    "there is no room for {} beside it, which it is read with",
                    shared.display()
                )
            }
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) if has_log => format!(
                "its latest changes are in {}, and {}, which they are read with, cannot be made: copy the \
                 first two to where files can be made",
                beside(&book, "-wal").display(),
                shared.display()
            ),
            _ => return Self::database(path, cause),
        };
        Self::File { action: "read", path: path.to_owned(), cause: std::io::Error::other(what) }
    }

    /// What an error of a migration means for the book of this path.
    pub(super) fn schema(path: &Path, cause: rusqlite_migration::Error) -> Self {
        match cause {
            rusqlite_migration::Error::RusqliteError { err, .. } => Self::database(path, err),
            cause => Self::Schema { path: path.to_owned(), cause },
        }
    }

    /// What it means for the book of this path that a commit cannot be made.
    pub(super) fn commit(path: &Path, error: CommitError) -> Self {
        match error {
            CommitError::Replaced => Self::Gone(path.to_owned()),
            CommitError::Database(cause) => Self::database(path, cause),
        }
    }

    /// What a database error means for the book of this path.
    pub(super) fn database(path: &Path, cause: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let path = path.to_owned();
        if let Some(what) = no_such_thing(&cause) {
            return Self::Damaged { path, what };
        }
        match cause.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged { path, what: cause.to_string() }
            }
            Some(ErrorCode::DiskFull) => Self::DiskFull(path),
            Some(ErrorCode::SystemIoFailure) if is_write_failure(&cause) => {
                Self::WriteRefused { path, cause }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::Locked { path, writer: "another program".into() }
            }
            _ if misses_schema(&cause) => Self::Damaged { path, what: cause.to_string() },
            _ => Self::Database { path, cause },
        }
    }
}

/// What a column holds that no book writes there; none when something else went wrong.
pub(super) fn no_such_thing(cause: &rusqlite::Error) -> Option<String> {
    match cause {
        rusqlite::Error::FromSqlConversionFailure(_, _, what) => Some(what.to_string()),
        rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::IntegralValueOutOfRange(..) => {
            Some(cause.to_string())
        }
        _ => None,
    }
}

/// Whether SQLite does not understand one of our statements: a table or a column is gone that every book has.
fn misses_schema(cause: &rusqlite::Error) -> bool {
    let code = cause.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_ERROR)
}

/// Whether it was the small file beside a book that could not be begun.
fn is_unshared(cause: &rusqlite::Error) -> bool {
    let code = cause.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_IOERR_SHMOPEN)
}

/// Whether it was writing, growing or flushing a file that the system refused.
fn is_write_failure(cause: &rusqlite::Error) -> bool {
    use rusqlite::ffi;
    cause.sqlite_error().is_some_and(|error| {
        [
            ffi::SQLITE_IOERR_WRITE,
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_IOERR_DIR_FSYNC,
            ffi::SQLITE_IOERR_TRUNCATE,
            ffi::SQLITE_IOERR_SHMSIZE,
        ]
        .contains(&error.extended_code)
    })
}
