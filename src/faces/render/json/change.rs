//! Changes that can be taken back.

use serde::Serialize;

use crate::app::UndoEntry;
use crate::app::json::object;

/// All changes that can be taken back or done again, and how much is kept for them.
pub fn changes_json(entries: &[UndoEntry]) -> impl Serialize {
    object! { bytes: entries.iter().map(|entry| entry.bytes).sum::<u64>(), changes: entries.to_vec() }
}
