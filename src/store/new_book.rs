//! Books that appear under their name when they are complete, and never in the place of a file that is
//! there.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::StoreError;
use crate::unfinished::Unfinished;

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
    ///
    /// # Errors
    /// There is a file already, or none can be made there.
    pub(crate) fn begin(target: &Path) -> Result<Self, StoreError> {
        if target.symlink_metadata().is_ok() {
            return Err(StoreError::Exists(target.to_owned()));
        }
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
    /// Somebody made a file there meanwhile, which stays, or the system refuses.
    pub(crate) fn place(self) -> Result<(), StoreError> {
        let placed = self.unfinished.place_new(PART, &self.target);
        placed.map_err(|cause| not_made(&self.target, cause))
    }
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
        let error = NewBook::begin(&home.path().join("no/such.db")).unwrap_err().to_string();
        assert!(error.starts_with("cannot create ") && error.contains("such.db"), "{error}");
    }
}
