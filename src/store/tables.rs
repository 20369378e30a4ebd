//! The small tables: sources and runs.

use crate::openbook::{Source, SourceId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownSource {
    /// Its number in nodes.
    pub id: SourceId,
    pub source: Source,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RunId(pub i64);

/// Something that was asked of the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub id: RunId,
    pub asked: String,
    /// When, UTC, as 2026-11-20T19:30:00Z.
    pub started: String,
    /// When it ended; none while it runs, or when it was killed.
    pub ended: Option<String>,
    /// How far it came, as it last said.
    pub progress: String,
    pub result: Option<String>,
}
