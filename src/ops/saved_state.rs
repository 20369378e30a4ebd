//! Whose the states are that are saved beside a book for `undo`.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use crate::formats::snapshot::{SnapshotError, SnapshotReader};
use crate::store::{Reader, StoreError, Wreck};

/// The name under which a book keeps the checksum of what was saved before its last great change.
pub(super) const SAVED: &str = "saved_for_undo";

/// What lies under a name of a saved state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Saved {
    /// Nothing.
    Nothing,
    /// What was saved before the last great change that was committed.
    OfCommit,
    /// Another state of the book, such as one that was saved for a change that was not committed.
    OfBook,
    /// A state of another book, which had the name before.
    OfOther,
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

    /// What lies under a name of a saved state.
    ///
    /// # Errors
    /// It cannot be read, or is no snapshot.
    pub(super) fn saved(&self, path: &Path) -> Result<Saved, SnapshotError> {
        let file = match File::open(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Saved::Nothing),
            opened => opened?,
        };
        let reader = SnapshotReader::new(BufReader::new(file))?;
        let identity = reader.header().book.as_ref();
        Ok(match &self.checksum {
            Some(known) if *known == checksum(path)? => Saved::OfCommit,
            _ if identity.is_some() && identity == self.identity.as_ref() => Saved::OfBook,
            _ => Saved::OfOther,
        })
    }
}

/// The length and the checksum of a file.
pub(super) fn checksum(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = crc32fast::Hasher::new();
    let (mut piece, mut length) = (vec![0; 1 << 16], 0);
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(format!("{length} bytes {:08x}", hasher.finalize()));
        }
        hasher.update(&piece[..read]);
        length += read as u64;
    }
}
