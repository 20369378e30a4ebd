//! The book that comes with the program.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::import::{ImportError, ImportOptions, ImportReport, import};
use crate::store::Book;

/// Our JSON Lines, compressed with zstd; see `books/README.md`.
const STARTER: &[u8] = include_bytes!("../../books/starter.jsonl.zst");

/// Why the starter could not be taken in.
#[derive(Debug, Error)]
pub enum StarterError {
    /// It cannot be written beside the book for a moment.
    #[error("cannot unpack the starter book to {path}")]
    Unpack {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// Fills a book with the starter that comes with the program.
///
/// # Errors
/// When the book, or the folder beside it, cannot be written.
pub fn take_starter(book: &mut Book) -> Result<ImportReport, StarterError> {
    let path = book.reader().path().with_extension("starter.jsonl");
    let unpacked = zstd::decode_all(STARTER).and_then(|bytes| std::fs::write(&path, bytes));
    let taken = match unpacked {
        Ok(()) => import(book, std::slice::from_ref(&path), &ImportOptions::default(), |_| {})
            .map_err(StarterError::from),
        Err(source) => Err(StarterError::Unpack { path: path.clone(), source }),
    };
    // A leftover is harmless; the result of the import is what counts.
    let _ = std::fs::remove_file(&path);
    taken
}
