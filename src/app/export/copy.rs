//! A copy of a book that is written instead of it.

use std::path::Path;

use super::super::output::{ExportTarget, folder_for};
use super::super::prune::open_copy;
use super::terms::ExportError;
use crate::othello::search::Stop;
use crate::store::unfinished::Unfinished;
use crate::store::{Book, Durability, Reader};

/// Copies a book and makes of it what is to be written; the copy lies in the folder, which vanishes when it is
/// dropped. Errors name the book or the target: no user knows of the copy.
pub(super) fn temporary_copy<T>(
    book: &Reader,
    target: &ExportTarget,
    stop: Option<&Stop>,
    make: impl FnOnce(&mut Book) -> Result<T, ExportError>,
) -> Result<(Book, T, Unfinished), ExportError> {
    let folder =
        folder_for(target, book.path()).map_err(|error| ExportError::of_target(target, error))?;
    let path = folder.path("copy.db");
    let copied = open_copy(book, &path).map_err(ExportError::from).and_then(|mut copy| {
        stop.into_iter().for_each(|stop| copy.stop_by(stop));
        copy.set_durability(Durability::Normal)?;
        let made = make(&mut copy)?;
        Ok((copy, made))
    });
    let (copy, made) = copied.map_err(|error| match error {
        ExportError::Store(error) => {
            ExportError::Store(error.of_copy(&path, book.path(), Path::new(&target.name())))
        }
        error => error,
    })?;
    Ok((copy, made, folder))
}
