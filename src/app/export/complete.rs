//! Searching what the receiving program would else search by itself, before a book is written.

use crate::store::unfinished::Unfinished;
use crate::store::{Book, Durability, Reader};

use super::super::complete::{Completion, complete};
use super::super::output::{ExportTarget, folder_for};
use super::super::prune::open_copy;
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
        let folder = folder_for(target, book.path())
            .map_err(|error| ExportError::of_target(target, error))?;
        let path = folder.path("complete.db");
        let mut copy = open_copy(book, &path)?;
        copy.set_durability(Durability::Normal)?;
        let Steps { progress, stop, done, of } = steps;
        let searched = complete(&mut copy, completion, stop, &mut |status| {
            progress(ExportProgress { done: *done, of: *of, searches: status.searches });
        });
        match searched.map_err(ExportError::Search)? {
            None => Err(ExportError::Stopped(target.name())),
            Some(searches) => Ok(Self { book: copy, searches, _folder: folder }),
        }
    }
}
