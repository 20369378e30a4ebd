//! Making a book what a snapshot says.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use super::book_file::BookFile;
use super::bytes::bytes_of;
use super::snapshot::{RestoreError, refill};
use super::undo::change_book;
use crate::store::Book;

/// Makes a book what a snapshot says, and the book itself where there is none: the answer is the
/// number of positions, and whether the book is new. With `undo` what was there is saved before.
///
/// # Errors
/// As for [`restore`], or the book cannot be opened, made or saved; no new book is then left.
pub fn restore_file(file: &BookFile, path: &Path, undo: bool) -> Result<(u64, bool), RestoreError> {
    // A wrong name is found out before a book is made.
    let snapshot = bytes_of(path, &file.stop)
        .map_err(|cause| RestoreError::Snapshot { path: path.to_owned(), cause: cause.into() })?;
    let (mut book, is_new) = file.open_or_create()?;
    let undo =
        undo && (book.reader().counts()?.positions > 0 || book.reader().facts().count()? > 0);
    match change_book(&mut book, undo, |book| refill(book, BufReader::new(snapshot), path)) {
        Ok(positions) => Ok((positions, is_new)),
        Err(error) => {
            if is_new {
                book.remove();
            }
            Err(error)
        }
    }
}

/// Makes a book what a snapshot says, in one transaction; returns the number of positions.
///
/// # Errors
/// The snapshot is damaged or the book cannot be written; then the book is as it was.
pub fn restore(book: &mut Book, path: &Path) -> Result<u64, RestoreError> {
    let file = File::open(path)
        .map_err(|cause| RestoreError::Snapshot { path: path.to_owned(), cause: cause.into() })?;
    restore_from(book, BufReader::new(file), path)
}

/// As [`restore`], from what is read; `path` is what it is called.
pub(super) fn restore_from(
    book: &mut Book,
    input: impl Read,
    path: &Path,
) -> Result<u64, RestoreError> {
    change_book(book, false, |book| refill(book, input, path))
}
