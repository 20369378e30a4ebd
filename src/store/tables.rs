//! The small tables: sources and runs.

use crate::book::{Source, SourceId};

/// A source with its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownSource {
    /// Its number in nodes.
    pub id: SourceId,
    /// What it is.
    pub source: Source,
}

/// The number of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RunId(pub i64);

/// Something that was asked of the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// The command.
    pub asked: String,
    /// When, UTC, as 2026-11-20T19:30:00Z.
    pub started: String,
    /// When it ended; none while it runs, or when it was killed.
    pub ended: Option<String>,
    /// How far it came, as it last said.
    pub progress: String,
    /// What came of it.
    pub result: Option<String>,
}
