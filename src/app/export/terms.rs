//! What an export is asked for, what can go wrong, and what its formats share.

use std::io;

use thiserror::Error;

use crate::app::clock::this_second;
use crate::app::complete::Completion;
use crate::app::grow::GrowError;
use crate::app::output::ExportTarget;
use crate::app::prune::Subtree;
use crate::files::books::ntest::NtestLevel;
use crate::files::books::{Format, WriteError};
use crate::openbook::regret::RegretLimits;
use crate::othello::search::{Level, Stop};
use crate::store::StoreError;

use super::few::FewReach;

/// What is to be written. The empty filter writes everything.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ExportFilter {
    /// What is reached from here, and the positions on the way to it.
    pub from: Option<Subtree>,
    /// Positions with at most so many discs.
    pub max_discs: Option<u8>,
    /// Positions that are reached by lines within these limits.
    pub limits: RegretLimits,
    /// Positions searched as this level or a higher one would.
    pub min_level: Option<Level>,
}

impl ExportFilter {
    /// Whether everything is written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Debug)]
pub struct ExportOptions {
    pub format: Format,
    /// The level for all records, instead of the one that each was searched at.
    pub level: Option<Level>,
    /// NTest: the level that the book is for, instead of the highest that it supports.
    pub ntest_level: Option<NtestLevel>,
    /// Year, month, day, hour, minute, second for the header of a format that has them.
    pub saved: (i16, i8, i8, i8, i8, i8),
    /// Which part of the book.
    pub filter: ExportFilter,
    /// Tables: the games of the book are left out.
    pub no_games: bool,
    /// What is due is searched before that is written, on a copy; none writes the book as it is.
    pub complete: Option<Completion>,
    /// Raised to stop: the target then stays as it was.
    pub stop: Stop,
}

impl Default for ExportOptions {
    /// Everything, as our own JSON Lines.
    fn default() -> Self {
        Self::new(Format::Json)
    }
}

impl ExportOptions {
    /// Everything, in this format, dated 2000-01-01 where the format has a date.
    pub fn new(format: Format) -> Self {
        let saved = (2000, 1, 1, 0, 0, 0);
        let (filter, stop) = (ExportFilter::default(), Stop::new());
        Self {
            format,
            level: None,
            ntest_level: None,
            saved,
            filter,
            no_games: false,
            complete: None,
            stop,
        }
    }

    /// Everything, in this format, dated now.
    pub fn now(format: Format) -> Self {
        let now = this_second();
        let mut parts = now.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
        let mut next = || parts.next().flatten().unwrap_or_default();
        let year: i16 = next();
        let mut small = || i8::try_from(next()).unwrap_or_default();
        let saved = (year, small(), small(), small(), small(), small());
        Self { saved, ..Self::new(format) }
    }
}

/// Why an export failed. The target is as it was.
#[derive(Debug, Error)]
pub enum ExportError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("cannot write {target}")]
    Target {
        target: String,
        #[source]
        error: io::Error,
    },
    #[error("the position to export from is not in the book")]
    NotInBook,
    /// No position was searched at [`ExportFilter::min_level`] but the one that lines start from.
    #[error("nothing to export: {0}")]
    NothingLeft(FewReach),
    #[error("a Zebra book holds moves, not boards: give the position to export from as a line")]
    NoWay,
    /// The format holds only what is reached from the start position.
    #[error(
        "nothing to write: a Zebra book starts at the start position, and that is not in this book"
    )]
    NoStart,
    #[error(transparent)]
    Search(GrowError),
    /// [`ExportOptions::stop`] was raised.
    #[error("interrupted: {0} is as it was")]
    Stopped(String),
}

impl ExportError {
    pub(super) fn of_target(target: &ExportTarget, error: io::Error) -> Self {
        Self::Target { target: target.name(), error }
    }

    pub(super) fn of_writing(target: &ExportTarget, error: WriteError) -> Self {
        match error {
            WriteError::Store(error) => Self::Store(error),
            WriteError::Io(error) => Self::of_target(target, error),
            WriteError::NoStart => Self::NoStart,
            WriteError::SameKey { .. } => Self::of_target(target, io::Error::other(error)),
            WriteError::Stopped => Self::Stopped(target.name()),
        }
    }
}
