//! The book that comes with the program.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::book_file::BookFile;
use super::import::{ImportError, ImportOptions, ImportReport, import};
use crate::store::{Book, StoreError};
use crate::unfinished::Unfinished;

/// Our JSON Lines, compressed with zstd; see `books/README.md`.
const STARTER: &[u8] = include_bytes!("../../books/starter.jsonl.zst");

/// Why the starter could not be taken in.
#[derive(Debug, Error)]
pub enum StarterError {
    /// It cannot be written beside the book for a moment.
    #[error("cannot unpack the starter book beside {}", path.display())]
    Unpack {
        /// The book.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The book cannot be made.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// Makes a book, empty or with the starter in it; returns the number of positions.
///
/// # Errors
/// There is a file already, or it cannot be written. No book is then left.
pub fn new_book(file: &BookFile, starter: bool) -> Result<u64, StarterError> {
    let mut book = file.create()?;
    if starter && let Err(error) = take_starter(&mut book) {
        book.remove()?;
        return Err(error);
    }
    Ok(book.reader().counts()?.positions)
}

/// Fills a book with the starter that comes with the program.
///
/// # Errors
/// When the book, or the folder beside it, cannot be written.
pub fn take_starter(book: &mut Book) -> Result<ImportReport, StarterError> {
    let failed = |source| StarterError::Unpack { path: book.reader().path().to_owned(), source };
    let unfinished = Unfinished::beside(book.reader().path()).map_err(failed)?;
    let path = unfinished.path("starter.jsonl");
    zstd::decode_all(STARTER).and_then(|bytes| std::fs::write(&path, bytes)).map_err(failed)?;
    Ok(import(book, &[path], &ImportOptions::default(), |_| {})?)
}
