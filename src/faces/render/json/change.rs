//! Changes that can be taken back.

use serde::Serialize;

use crate::app::UndoEntry;

/// A change that can be taken back, or was and can be done again.
#[derive(Serialize, Debug)]
pub struct ChangeJson {
    pub change: u64,
    /// Whether it was taken back.
    pub undone: bool,
    pub asked: String,
    /// None where that is not known.
    pub started: Option<String>,
    pub positions_before: u64,
    pub positions_after: u64,
    pub bytes: u64,
    /// Whether a saved book takes it back, and not single rows.
    pub whole_book: bool,
}

impl From<&UndoEntry> for ChangeJson {
    fn from(entry: &UndoEntry) -> Self {
        Self {
            change: entry.number,
            undone: entry.is_undone,
            asked: entry.asked.clone(),
            started: Some(entry.started.clone()).filter(|started| !started.is_empty()),
            positions_before: entry.positions_before,
            positions_after: entry.positions_after,
            bytes: entry.bytes,
            whole_book: entry.file.is_some(),
        }
    }
}

/// All changes that can be taken back or done again, and how much is kept for them.
#[derive(Serialize, Debug)]
pub struct ChangesJson {
    bytes: u64,
    changes: Vec<ChangeJson>,
}

impl From<&[UndoEntry]> for ChangesJson {
    fn from(entries: &[UndoEntry]) -> Self {
        let bytes = entries.iter().map(|entry| entry.bytes).sum();
        Self { bytes, changes: entries.iter().map(Into::into).collect() }
    }
}
