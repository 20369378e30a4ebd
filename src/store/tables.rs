//! The small tables: sources, runs, and named facts.

use crate::book::SourceId;

/// Who searched, or which file values were taken from. Empty texts where something does not apply.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Source {
    /// The program, such as "rosebill 0.1.0" or "edax".
    pub engine: String,
    /// Its evaluator: for ours the name and hash of the weights.
    pub evaluator: String,
    /// The level that was asked for.
    pub level: String,
    /// The format of the file that was imported; empty for our own searches.
    pub format: String,
    /// The name of that file.
    pub file: String,
    /// The day of the file as 2026-11-20.
    pub day: String,
    /// The checksum of that file.
    pub checksum: String,
}

impl Source {
    /// Whether these are searches of ours and not another program's values.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.format.is_empty()
    }
}

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
