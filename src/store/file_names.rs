//! Which files belong to a book, by their names, and under which names those that do not are set aside.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::first_bytes::is_database;

/// The path of a file that belongs to a book: its name with an ending added.
pub(super) fn beside(book: &Path, ending: &str) -> PathBuf {
    let mut name = book.file_name().map_or_else(OsString::new, OsString::from);
    name.push(ending);
    book.with_file_name(name)
}

/// The file that a path leads to: what belongs to a book lies beside the book, not beside a link to it.
/// The path itself where it is no link, or one that leads nowhere.
pub(crate) fn led_to(path: &Path) -> PathBuf {
    let real = path.is_symlink().then(|| std::fs::canonicalize(path).ok()).flatten();
    real.unwrap_or_else(|| path.to_owned())
}

/// How many names a file has. Where that cannot be known, as if it had one.
pub(super) fn names_of(path: &Path) -> u64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(path).map_or(1, |file| file.nlink())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        1
    }
}

/// The endings of files that belong to a book: SQLite's logs, the lock, what an older program saved.
const ENDINGS: [&str; 6] = ["-wal", "-shm", "-journal", ".lock", ".undo", ".undo.new"];

/// Comes in the name of a saved book between that of the book and [`identity_letters`], where it was saved before a
/// change, and where it was saved when that change was taken back.
pub(crate) const SAVED_BEFORE: &str = ".undo.";
pub(crate) const SAVED_AFTER: &str = ".redo.";

/// So much of an identity distinguishes books of one name.
const LETTERS: usize = 8;

/// What stands for an identity in the name of a file. It is read from a file: nothing in it may lead elsewhere.
pub(crate) fn identity_letters(identity: &str) -> String {
    identity.chars().filter(char::is_ascii_alphanumeric).take(LETTERS).collect()
}

/// Where a book of this identity is saved before the change of a number, or as it was when that change was taken
/// back. No two books ever have the same name for what is saved of them.
pub fn saved_path(book: &Path, identity: &str, change: u64, is_undone: bool) -> PathBuf {
    let which = if is_undone { SAVED_AFTER } else { SAVED_BEFORE };
    beside(book, &format!("{which}{}.{change}", identity_letters(identity)))
}

/// The book that a file of this name belongs to, if there is one.
pub(crate) fn book_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?;
    let books = ENDINGS.iter().filter_map(|ending| without(name, ending));
    let saved = of_saved(name).map(OsString::from);
    let books = books.chain(saved).map(|book| path.with_file_name(book));
    books.into_iter().find(|book| is_database(book))
}

/// The name of the book that something of this name was saved of, if it is such a name.
fn of_saved(name: &OsStr) -> Option<&str> {
    let (book, of) = [SAVED_BEFORE, SAVED_AFTER].into_iter().find_map(|which| {
        // Of a name that is no text the letters of ours are not found; nothing is ever lost by that.
        name.to_str()?.rsplit_once(which)
    })?;
    let (letters, number) = of.split_once('.')?;
    let fits = letters.chars().all(|letter| letter.is_ascii_alphanumeric())
        && number.chars().all(|digit| digit.is_ascii_digit());
    (fits && !book.is_empty() && !number.is_empty()).then_some(book)
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

/// Written in a name for an identity that is not known.
const UNKNOWN: &str = "other";

/// No folder has so many files of books that begin with the same letters.
const MOST_ASIDE: usize = 1_000;

/// The names for what belongs under a name, and is of the book with this identity, in the order in which they
/// are taken. An identity is read from a file: nothing in it may lead elsewhere.
fn names_aside(place: &Path, identity: Option<&str>) -> impl Iterator<Item = PathBuf> + use<> {
    let is_letter = |letter: &char| letter.is_ascii_alphanumeric();
    let identity = identity.unwrap_or(UNKNOWN);
    let letters: String = identity.chars().filter(is_letter).take(LETTERS).collect();
    let place = place.to_owned();
    let name = place.file_name().map_or_else(OsString::new, OsString::from);
    (1..=MOST_ASIDE).map(move |number| {
        let mut name = name.clone();
        name.push(format!(".{letters}"));
        if number > 1 {
            name.push(format!("-{number}"));
        }
        place.with_file_name(name)
    })
}

/// Renames what lies under a name to the first of its names aside that is free, which is returned.
pub(super) fn put_aside(place: &Path, identity: Option<&str>) -> io::Result<PathBuf> {
    let free = names_aside(place, identity).find(|path| path.symlink_metadata().is_err());
    let free = free.ok_or_else(|| io::Error::other("too many files lie set aside beside it"))?;
    fs::rename(place, &free)?;
    Ok(free)
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
            ("a.db.undo.0123abcd.7", true),
            ("a.db.redo.0123abcd.12", true),
            ("a.db.undo.0123abcd", false),
            ("a.db.undo.0123abcd.", false),
            ("a.db.undo.0123-bcd.7", false),
            ("b.db.undo.0123abcd.7", false),
            (".undo.0123abcd.7", false),
            ("b.db-wal", false),
            ("a.db", false),
            ("a.db.txt", false),
            (".undo", false),
        ] {
            assert_eq!(book_beside(&at(name)), belongs.then(|| at("a.db")), "{name}");
        }
    }
}
