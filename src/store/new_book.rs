//! Books that appear under their name when they are complete, and never in place of a file that is
//! there.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::StoreError;
use super::file_names::beside;
use super::file_names::check_of_no_book;
use crate::store::unfinished::Unfinished;

/// The name of a book until it is complete.
const PART: &str = "book.db";

/// A book that is being made. What there is of it goes with this value, until it has its place.
#[derive(Debug)]
pub(crate) struct NewBook {
    unfinished: Unfinished,
    target: PathBuf,
}

impl NewBook {
    /// Begins a book that is to have this name.
    pub(crate) fn begin(target: &Path) -> Result<Self, StoreError> {
        // A log is there only while a process has its book open.
        check_of_no_book(target).map_err(|cause| not_made(target, cause))?;
        if target.symlink_metadata().is_ok() {
            return Err(StoreError::Exists(target.to_owned()));
        }
        check_logs(target)?;
        let unfinished = Unfinished::beside(target).map_err(|cause| not_made(target, cause))?;
        Ok(Self { unfinished, target: target.to_owned() })
    }

    /// Where it is made.
    pub(crate) fn path(&self) -> PathBuf {
        self.unfinished.path(PART)
    }

    /// Gives it its name: it is complete, and no program has it open.
    ///
    /// # Errors
    /// A file was made there meanwhile, which stays, or the system refuses.
    pub(crate) fn place(self) -> Result<(), StoreError> {
        check_logs(&self.target)?;
        let placed = self.unfinished.place_new(PART, &self.target);
        placed.map_err(|cause| not_made(&self.target, cause))
    }
}

/// Refuses a name with the log of a book that is gone: SQLite would take it for the new book's own, and
/// write old pages into it.
fn check_logs(target: &Path) -> Result<(), StoreError> {
    for log in ["-wal", "-journal"].map(|ending| beside(target, ending)) {
        if log.symlink_metadata().is_ok() {
            let what = format!("{} belongs to a book that is gone: move it away", log.display());
            return Err(not_made(target, io::Error::other(what)));
        }
    }
    Ok(())
}

fn not_made(target: &Path, cause: io::Error) -> StoreError {
    let path = target.to_owned();
    match cause.kind() {
        ErrorKind::AlreadyExists => StoreError::Exists(path),
        _ => StoreError::File { action: "create", path, cause },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Book;
    use std::fs;

    #[test]
    fn a_book_takes_no_files_place_and_leaves_nothing_behind() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("a.db");
        let begin = || NewBook::begin(&target).unwrap();
        let names = || fs::read_dir(home.path()).unwrap().count();
        let exists =
            |error: StoreError| matches!(error, StoreError::Exists(path) if path == target);
        drop(begin());
        assert_eq!(names(), 0);
        let book = begin();
        fs::write(book.path(), "a book").unwrap();
        fs::write(&target, "letters").unwrap();
        assert!(exists(book.place().unwrap_err()));
        assert!(exists(NewBook::begin(&target).unwrap_err()));
        assert_eq!((fs::read(&target).unwrap().as_slice(), names()), (&b"letters"[..], 1));
        fs::remove_file(&target).unwrap();
        let book = begin();
        fs::write(book.path(), "a book").unwrap();
        book.place().unwrap();
        assert_eq!((fs::read(&target).unwrap().as_slice(), names()), (&b"a book"[..], 1));
        for log in ["b.db-wal", "b.db-journal"].map(|name| home.path().join(name)) {
            let other = home.path().join("b.db");
            let book = NewBook::begin(&other).unwrap();
            fs::write(book.path(), "a book").unwrap();
            fs::write(&log, "pages").unwrap();
            for error in [NewBook::begin(&other).unwrap_err(), book.place().unwrap_err()] {
                assert!(error.to_string().contains("belongs to a book that is gone"), "{error}");
            }
            assert!(!other.exists());
            fs::remove_file(log).unwrap();
        }
        let book = home.path().join("c.db");
        drop(Book::create(&book).unwrap());
        for ending in ["-wal", "-shm", "-journal", ".lock", ".undo", ".undo.new"] {
            let target = beside(&book, ending);
            let _ = fs::remove_file(&target);
            for error in [NewBook::begin(&target).unwrap_err(), Book::create(&target).unwrap_err()]
            {
                assert!(error.to_string().contains("belongs to the book"), "{error}");
            }
            let left = [target.clone(), beside(&target, ".lock")];
            assert!(left.iter().all(|path| !path.exists()), "{ending}");
        }
        let error = NewBook::begin(&home.path().join("no/such.db")).unwrap_err().to_string();
        assert!(error.starts_with("cannot create ") && error.contains("such.db"), "{error}");
    }
}
