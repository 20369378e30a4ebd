//! Whose the states are that are saved beside a book for `undo`.
//!
//! A book that is swapped for another one of its name, or deleted and made anew, leaves there what was saved of
//! it. That is neither written over nor brought back: it is set aside under the name with the
//! identity of its book behind it, where that book finds it again.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::snapshot::RestoreError;
use super::summed::checksum;
use crate::formats::snapshot::{SnapshotError, SnapshotReader};
use crate::shell_words::file_argument;
use crate::store::{Reader, StoreError, Wreck, names_aside, put_aside};

/// The name under which a book keeps the checksum of what was saved before its last great change.
pub(super) const SAVED: &str = "saved_for_undo";

/// What lies under a name of a saved state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Saved {
    /// Nothing.
    Nothing,
    /// A state of the book.
    OfBook,
    /// A state of another book, which had the name before.
    OfOther {
        /// That book's identity.
        identity: String,
    },
    /// A state that names no book, or one of a book that does not know its own identity.
    OfUnknown,
}

/// What a book says of itself and of what was saved of it. A saved state is its own when it names the
/// book's identity, or has the checksum that the book keeps, as where the book had no identity yet.
pub(super) struct Owner {
    identity: Option<String>,
    checksum: Option<String>,
}

impl Owner {
    pub(super) fn of(book: &Reader) -> Result<Self, StoreError> {
        Ok(Self { identity: book.identity()?, checksum: book.meta(SAVED)? })
    }

    pub(super) fn of_wreck(book: &Wreck) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Self { identity: owned(book.identity()), checksum: owned(book.meta(SAVED)) }
    }

    /// Whether the book has an identity: one that an older program made has none before its next great change.
    pub(super) const fn has_identity(&self) -> bool {
        self.identity.is_some()
    }

    /// Whether nothing is known of it: what is saved may be its own.
    pub(super) const fn is_unknown(&self) -> bool {
        self.identity.is_none() && self.checksum.is_none()
    }

    /// What lies under a name of a saved state. The whole of it is read only where its header does not tell.
    ///
    /// # Errors
    /// It cannot be read, or is no snapshot.
    pub(super) fn saved(&self, path: &Path) -> Result<Saved, SnapshotError> {
        let file = match File::open(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Saved::Nothing),
            opened => opened?,
        };
        let reader = SnapshotReader::new(BufReader::new(file))?;
        Ok(match (&reader.header().book, &self.identity) {
            (Some(theirs), Some(ours)) if theirs == ours => Saved::OfBook,
            (Some(theirs), Some(_)) => Saved::OfOther { identity: theirs.clone() },
            _ if self.is_of_commit(path)? => Saved::OfBook,
            _ => Saved::OfUnknown,
        })
    }

    /// Whether this is what was saved before the last great change that was committed. All of it is read.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn is_of_commit(&self, path: &Path) -> io::Result<bool> {
        Ok(match &self.checksum {
            Some(known) => *known == checksum(path)?,
            None => false,
        })
    }

    /// Where a saved state of the book lies that belongs under this name, and was set aside.
    pub(super) fn set_aside(&self, place: &Path) -> Option<PathBuf> {
        let identity = self.identity.as_deref()?;
        let there =
            names_aside(place, Some(identity)).take_while(|path| path.symlink_metadata().is_ok());
        // The last one is the newest.
        there.filter(|path| self.saved(path).is_ok_and(|saved| saved == Saved::OfBook)).last()
    }

    /// Frees a name under which the book is to be saved: what is another book's is set aside, and its new
    /// name told. What was set aside of this book, when another one had its name, comes back.
    ///
    /// # Errors
    /// There is something that is no saved state, or a file cannot be renamed.
    pub(super) fn make_room(&self, place: &Path) -> Result<(), RestoreError> {
        let saved = self.saved(place);
        let saved =
            saved.map_err(|cause| RestoreError::UndoTaken { path: place.to_owned(), cause })?;
        if saved == Saved::OfBook {
            return Ok(());
        }
        let failed = |cause: io::Error| RestoreError::Snapshot {
            path: place.to_owned(),
            cause: cause.into(),
        };
        match saved {
            Saved::OfOther { identity } => {
                put_aside_saved(place, Some(&identity)).map_err(failed)?
            }
            Saved::OfUnknown => put_aside_saved(place, None).map_err(failed)?,
            Saved::Nothing | Saved::OfBook => {}
        }
        match self.set_aside(place) {
            Some(own) => fs::rename(own, place).map_err(failed),
            None => Ok(()),
        }
    }
}

fn put_aside_saved(place: &Path, identity: Option<&str>) -> io::Result<()> {
    let free = put_aside(place, identity)?;
    tracing::warn!(
        "{} was saved of another book that had this name, and is kept as {}: 'undo' of that book finds it \
         there, and 'rosebill restore --book FILE {}' makes a book of it",
        place.display(),
        free.display(),
        file_argument(&free)
    );
    Ok(())
}
