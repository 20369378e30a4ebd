//! What the first bytes of a file say of it.

use std::path::Path;

use super::open_files::{held_file, read_at};
use super::pages::MAGIC;

/// "RSBL": says in the SQLite header that the file is a book of ours.
pub(super) const APPLICATION_ID: u32 = 0x5253_424c;

/// What a snapshot of a book begins with, which is taken for the book at times.
pub(crate) const SNAPSHOT_MAGIC: &[u8; 8] = b"RSBLSNAP";

/// Whether a file that begins so is an SQLite file: a book, or a file as dear to its owner.
pub(crate) fn begins_as_database(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Whether a file that begins so is an SQLite file of another program.
pub(crate) fn begins_as_foreign_database(head: &[u8]) -> bool {
    let mark = head.get(68..72).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    begins_as_database(head) && mark.is_some_and(|mark| mark != APPLICATION_ID)
}

/// Whether a file is an SQLite file.
pub(crate) fn is_database(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let read = held_file(path).and_then(|file| read_at(&file, &mut start, 0));
    read.is_ok() && begins_as_database(&start)
}
