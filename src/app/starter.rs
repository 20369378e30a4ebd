//! The book that comes with the program.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::book_file::BookFile;
use super::restore::restore_from;
use super::snapshot::RestoreError;
use crate::files::books::snapshot::SnapshotReader;
use crate::openbook::Hint;
use crate::store::{Book, NewBook, Reader, StoreError, begins_as_database};

/// A snapshot; see `books/README.md`.
const STARTER: &[u8] = include_bytes!("../../books/starter.snapshot");

/// Why the starter could not be added.
#[derive(Debug, Error)]
pub enum StarterError {
    /// A book is to be made where there is a file.
    #[error("{} exists already and stays as it is", .0.display())]
    Exists(PathBuf),
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Restore(#[from] RestoreError),
}

impl StarterError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        matches!(self, Self::Exists(_)).then_some(Hint::OtherBook)
    }
}

/// Makes a book, empty or with the starter in it; returns the number of positions.
///
/// # Errors
/// There is a file already, or it cannot be written. No book is then left.
pub(crate) fn new_book(file: &BookFile, starter: bool) -> Result<u64, StarterError> {
    let made = match starter {
        true => with_starter(file),
        false => file.create().map(|_| 0).map_err(StarterError::from),
    };
    made.map_err(|error| match error {
        StarterError::Store(StoreError::Exists(path)) => StarterError::Exists(path),
        error => error,
    })
}

/// Makes a book with the starter in it, which has its name only when it is complete.
fn with_starter(file: &BookFile) -> Result<u64, StarterError> {
    file.make_folder()?;
    let new = NewBook::begin(&file.path)?;
    let inside = BookFile { path: new.path(), ..file.clone() };
    let (book, positions) = begin(inside.create()?, true)?;
    drop(book);
    new.place()?;
    Ok(positions)
}

/// Fills a book with the starter; where that fails, a new one is removed.
fn begin(mut book: Book, is_new: bool) -> Result<(Book, u64), StarterError> {
    match take_starter(&mut book) {
        Ok(positions) => Ok((book, positions)),
        Err(error) => {
            if is_new {
                book.remove();
            }
            Err(error)
        }
    }
}

/// Makes a book what the starter says that comes with the program; returns the number of positions.
///
/// # Errors
/// The book cannot be written; then it is as it was.
pub fn take_starter(book: &mut Book) -> Result<u64, StarterError> {
    Ok(restore_from(book, STARTER, Path::new("starter.snapshot"))?)
}

/// The starter as a book in this folder, to be read only: unpacked the first time, under a name that says its bytes
/// and the version. Processes that do it at once do not disturb each other.
///
/// # Errors
/// The folder cannot be made, or no book can be written in it.
pub(crate) fn unpacked_starter(folder: &Path) -> Result<PathBuf, StarterError> {
    let hash = STARTER.chunks(8).fold(0xcbf2_9ce4_8422_2325_u64, |hash, bytes| {
        let word = bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let path = folder.join(format!("starter-{}-{hash:016x}.db", env!("CARGO_PKG_VERSION")));
    if is_whole(&path) {
        return Ok(path);
    }
    // What a full disk or another program left there is of no use.
    let _ = std::fs::remove_file(&path);
    let in_folder = |cause| StoreError::File { action: "create", path: folder.to_owned(), cause };
    std::fs::create_dir_all(folder).map_err(in_folder)?;
    match with_starter(&BookFile::at(&path)) {
        // Another process was faster.
        Err(StarterError::Store(StoreError::Exists(_))) => Ok(path),
        made => {
            made?;
            // It is not the user's, and not to be edited.
            if let Ok(metadata) = path.metadata() {
                let mut permissions = metadata.permissions();
                permissions.set_readonly(true);
                let _ = std::fs::set_permissions(&path, permissions);
            }
            Ok(path)
        }
    }
}

/// Whether a file is a database with as many pages as it says.
fn is_whole(path: &Path) -> bool {
    let read = || -> std::io::Result<([u8; 100], u64)> {
        let mut file = File::open(path)?;
        let mut head = [0; 100];
        file.read_exact(&mut head)?;
        Ok((head, file.metadata()?.len()))
    };
    let Ok((head, length)) = read() else { return false };
    // Numbers are big-endian; a page size of 1 means 65,536 (SQLite's file format, 1.3).
    let [size, pages] = [&head[16..18], &head[28..32]]
        .map(|bytes| bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)));
    let size = if size == 1 { 1 << 16 } else { size };
    begins_as_database(&head) && size > 0 && length == size * pages
}

/// How many positions the starter has; none when it cannot be read.
pub(crate) fn starter_positions() -> Option<u64> {
    Some(SnapshotReader::new(STARTER).ok()?.header().positions)
}

/// Opens a book to write to it, or makes one; one without positions and facts gets the starter if that is
/// wanted. Returns whether the book is new, and how many positions it got.
///
/// # Errors
/// It can be neither opened nor made, or not be filled; no new book is then left.
pub(crate) fn open_or_begin(
    file: &BookFile,
    starter: bool,
) -> Result<(Book, bool, u64), StarterError> {
    let (book, is_new) = file.open_or_create()?;
    let is_empty = |book: &Reader| -> Result<bool, StoreError> {
        Ok(book.counts()?.positions == 0 && book.facts().count()? == 0)
    };
    if !starter || !is_empty(book.reader())? {
        return Ok((book, is_new, 0));
    }
    let (book, positions) = begin(book, is_new)?;
    Ok((book, is_new, positions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_an_unpacked_starter_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = unpacked_starter(folder.path()).unwrap();
        assert!(is_whole(&path) && path.metadata().unwrap().permissions().readonly());
        let bytes = std::fs::read(&path).unwrap();
        for left in [&b""[..], b"text", &bytes[..bytes.len() / 2]] {
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, left).unwrap();
            assert!(!is_whole(&path));
            assert!(is_whole(&unpacked_starter(folder.path()).unwrap()));
        }
    }
}
