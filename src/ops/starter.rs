//! The book that comes with the program.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::book_file::BookFile;
use super::import::{ImportError, ImportOptions, ImportReport, import_from};
use crate::store::{Book, StoreError};

/// Our JSON Lines, compressed with zstd; see `books/README.md`.
const STARTER: &[u8] = include_bytes!("../../books/starter.jsonl.zst");

/// Why the starter could not be taken in.
#[derive(Debug, Error)]
pub enum StarterError {
    /// It cannot be unpacked.
    #[error("cannot unpack the starter book")]
    Unpack(#[source] io::Error),
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
/// When the book cannot be written.
pub fn take_starter(book: &mut Book) -> Result<ImportReport, StarterError> {
    let unpacked = zstd::Decoder::new(STARTER).map_err(StarterError::Unpack)?;
    let name = Path::new("starter.jsonl");
    Ok(import_from(book, name, unpacked, &ImportOptions::default(), |_| {})?)
}
