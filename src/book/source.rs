//! Who searched.

use serde::{Deserialize, Serialize};

/// The number of a [`Source`] in a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub u32);

/// Where search results come from: program, evaluator, level, file. A text is empty where something
/// does not apply or is not known.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Source {
    /// The program, such as `rosebill 0.1.0` or `edax 4.4`.
    pub engine: String,
    /// Its evaluator: for ours the name and hash of the weights.
    pub evaluator: String,
    /// The level that was asked for, in the program's own terms.
    pub level: String,
    /// The format of the file that was imported; empty for searches of our own.
    pub format: String,
    /// The name of that file.
    pub file: String,
    /// The day on which that file was saved, or of our own search, as 2026-11-20.
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
