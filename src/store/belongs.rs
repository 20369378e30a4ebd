//! Which files belong to a book, by their names.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::beginning::is_database;
use super::beside::beside;

/// The ending of what a book was before a great change, and of the same until the change is committed.
const SAVED: &str = ".undo";
const NEWLY_SAVED: &str = ".undo.new";

/// The endings of files that belong to a book: SQLite's logs, the lock, what was saved.
const ENDINGS: [&str; 6] = ["-wal", "-shm", "-journal", ".lock", SAVED, NEWLY_SAVED];

/// Where a book is saved before a great change.
#[must_use]
pub fn undo_path(book: &Path) -> PathBuf {
    beside(book, SAVED)
}

/// Where that lies until the change is committed.
#[must_use]
pub fn new_undo_path(book: &Path) -> PathBuf {
    beside(book, NEWLY_SAVED)
}

/// The book that a file of this name belongs to, if there is one.
#[must_use]
pub fn book_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?;
    let books = ENDINGS.iter().filter_map(|ending| without(name, ending));
    books.map(|book| path.with_file_name(book)).find(|book| is_database(book))
}

/// What belongs to a book is nothing to write into, and no name for anything new.
pub(crate) fn check_of_no_book(path: &Path) -> io::Result<()> {
    book_beside(path).map_or(Ok(()), |book| {
        let what = format!("a file of this name belongs to the book {}", book.display());
        Err(io::Error::other(what))
    })
}

/// A name without its ending, if it has that. A name need not be text.
#[cfg(unix)]
fn without(name: &OsStr, ending: &str) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt;
    name.as_bytes().strip_suffix(ending.as_bytes()).map(|book| OsStr::from_bytes(book).to_owned())
}

#[cfg(not(unix))]
fn without(name: &OsStr, ending: &str) -> Option<OsString> {
    name.to_str()?.strip_suffix(ending).map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Book;

    #[test]
    fn what_belongs_to_a_book_is_told_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        drop(Book::create(at("a.db")).unwrap());
        for (name, belongs) in [
            ("a.db-wal", true),
            ("a.db-shm", true),
            ("a.db.lock", true),
            ("a.db.undo", true),
            ("a.db.undo.new", true),
            ("b.db-wal", false),
            ("a.db", false),
            ("a.db.txt", false),
            (".undo", false),
        ] {
            assert_eq!(book_beside(&at(name)), belongs.then(|| at("a.db")), "{name}");
        }
    }
}
