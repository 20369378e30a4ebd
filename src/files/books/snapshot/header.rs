//! What a snapshot begins with.

use serde::{Deserialize, Serialize};

use crate::openbook::Source;
use crate::store::SNAPSHOT_MAGIC;

/// The most bytes of a header: all sources that a book can have need less.
pub(super) const MOST_OF_HEADER: u32 = 64 << 20;
pub(super) const END: u8 = 255;

/// Whether a file that begins so is a snapshot.
pub(crate) fn begins_as_snapshot(head: &[u8]) -> bool {
    head.starts_with(SNAPSHOT_MAGIC)
}

/// What a snapshot says of the whole book.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct SnapshotHeader {
    /// All sources, numbered as the nodes name them.
    pub sources: Vec<(u32, Source)>,
    /// When it was taken, UTC, as 2026-11-20T19:30:00Z.
    pub taken: String,
    /// Nodes in the book.
    pub positions: u64,
    /// The sources whose imported files are kept, in the order in which the files follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub originals: Vec<u32>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub facts: u64,
    /// Positions of which more is kept than one search.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub held: u64,
    /// The identity of the book, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
