//! What the first bytes of a file say of it.

use std::path::Path;

use super::open_files::{held_file, read_at};
use super::pages::MAGIC;

/// "RSBL": says in the SQLite header that the file is a book of ours.
pub(super) const APPLICATION_ID: u32 = 0x5253_424c;

/// "RSBT": the same of tables that were written for other programs.
pub(crate) const TABLES_ID: u32 = 0x5253_4254;

/// What a snapshot of a book begins with, which is taken for the book at times.
pub(crate) const SNAPSHOT_MAGIC: &[u8; 8] = b"RSBLSNAP";

/// Whether a file that begins so is an SQLite file: a book, or a file as dear to its owner.
pub(crate) fn begins_as_database(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Whether a file that begins so is an SQLite file of another program.
pub(crate) fn begins_as_foreign_database(head: &[u8]) -> bool {
    mark(head).is_some_and(|mark| mark != APPLICATION_ID)
}

/// Whether a file that begins so is one of tables written by rosebill.
pub(crate) fn begins_as_tables(head: &[u8]) -> bool {
    mark(head) == Some(TABLES_ID)
}

/// The program that an SQLite file says it is of; none of another file.
fn mark(head: &[u8]) -> Option<u32> {
    let mark = head.get(68..72)?.try_into().ok().map(u32::from_be_bytes);
    mark.filter(|_| begins_as_database(head))
}

/// Whether a file is an SQLite file.
pub(crate) fn is_database(path: &Path) -> bool {
    first_bytes::<{ MAGIC.len() }>(path).is_some_and(|head| begins_as_database(&head))
}

/// Whether a file is one of tables written by rosebill, of which another can be written.
pub(crate) fn is_tables(path: &Path) -> bool {
    first_bytes::<72>(path).is_some_and(|head| begins_as_tables(&head))
}

fn first_bytes<const N: usize>(path: &Path) -> Option<[u8; N]> {
    let mut start = [0; N];
    held_file(path).and_then(|file| read_at(&file, &mut start, 0)).ok().map(|()| start)
}
