//! Searching what the receiving program would else search by itself, before a book is written.

use crate::store::unfinished::Unfinished;
use crate::store::{Book, Reader};

use super::super::complete::{Completion, complete};
use super::super::output::ExportTarget;
use super::copy::temporary_copy;
use super::terms::ExportError;
use crate::files::books::{ExportProgress, Steps};

/// A completed copy of a book, in a folder that vanishes with it.
pub(super) struct Completed {
    pub(super) book: Book,
    /// How many searches that took.
    pub(super) searches: u64,
    _folder: Unfinished,
}

impl Completed {
    pub(super) fn of(
        book: &Reader,
        target: &ExportTarget,
        completion: Completion,
        steps: &mut Steps<'_>,
    ) -> Result<Self, ExportError> {
        let Steps { progress, stop, .. } = steps;
        let (book, searches, folder) = temporary_copy(book, target, None, |copy| {
            let due = copy.reader().counts()?.search_due;
            let searched = complete(copy, completion, stop, &mut |status| {
                // What held links lead to comes on top.
                let (done, of) = (status.searches, due.max(status.searches));
                progress(ExportProgress { done, of, is_searching: true });
            });
            let searched = searched.map_err(ExportError::Search)?;
            searched.ok_or_else(|| ExportError::Stopped(target.name()))
        })?;
        Ok(Self { book, searches, _folder: folder })
    }
}
