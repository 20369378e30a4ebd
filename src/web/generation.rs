//! Which state of the book an answer is of: a name of this run of the server, and a number that rises
//! whenever another process has changed the book, or put another in its place.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use super::book::OpenBook;
use super::serve_error::ServeError;
use crate::file_identity::FileIdentity;
use crate::lock::lock;
use crate::ops::{BookFile, Reader, StoreError, new_book};

/// The book as it is now.
#[derive(Clone)]
pub struct Moment {
    /// The file.
    pub book: Arc<OpenBook>,
    /// Rises with each change.
    pub number: u64,
}

/// Keeps an eye on the book.
pub struct Watch {
    /// Of this run: numbers of another run mean something else.
    nonce: String,
    wanted: BookFile,
    readers: usize,
    now: Mutex<Now>,
}

struct Now {
    moment: Moment,
    /// A connection that does nothing else: what it is told of changes belongs to it.
    watcher: Reader,
    changes: i64,
    /// The file at the book's place that could not be opened, and was told of.
    refused: Option<FileIdentity>,
    /// Where the starter lies while it is served.
    _starter: Option<TempDir>,
}

impl Watch {
    /// Opens a book for so many readers at once; where there is none, the starter.
    pub fn open(wanted: BookFile, readers: usize) -> Result<Self, ServeError> {
        let now = if wanted.exists() {
            let book = OpenBook::open(&wanted.path, false, readers)?;
            Now::of(Moment { book: Arc::new(book), number: 1 }, None)?
        } else {
            let folder = TempDir::with_prefix("rosebill-").map_err(ServeError::Starter)?;
            let path = folder.path().join("starter.db");
            new_book(&BookFile::at(&path), true)?;
            let book = OpenBook::open(&path, true, readers)?;
            Now::of(Moment { book: Arc::new(book), number: 1 }, Some(folder))?
        };
        let random = RandomState::new().build_hasher().finish();
        Ok(Self { nonce: format!("{:05x}", random >> 44), wanted, readers, now: Mutex::new(now) })
    }

    /// The book as it is now. What is read after this is of this state, or of a later one.
    pub fn now(&self) -> Result<Moment, StoreError> {
        let mut now = lock(&self.now);
        let identity = FileIdentity::of(&self.wanted.path);
        // A book that was deleted is served as long as it is open.
        if identity.is_some() && !now.moment.book.is(identity) {
            let number = now.moment.number + 1;
            match self.open_again(number) {
                Ok(new) => *now = new,
                // What was put there cannot be read: what is open is served on.
                Err(error) if now.refused != identity => {
                    tracing::warn!("still serving the book as it was: {error}");
                    now.refused = identity;
                }
                Err(_) => {}
            }
        }
        let changes = now.watcher.changes()?;
        if now.changes != changes {
            now.changes = changes;
            now.moment.number += 1;
        }
        Ok(now.moment.clone())
    }

    fn open_again(&self, number: u64) -> Result<Now, StoreError> {
        let book = OpenBook::open(&self.wanted.path, false, self.readers)?;
        Now::of(Moment { book: Arc::new(book), number }, None)
    }

    /// The file that commands must be told to find the book; none where they find it by themselves.
    pub fn named(&self) -> Option<&Path> {
        // The folder of the usual book is made where it is missing, that of a named one is not.
        (!self.wanted.makes_folder).then_some(self.wanted.path.as_path())
    }

    /// A state as requests and events name it.
    pub fn name(&self, number: u64) -> String {
        format!("{}-{number}", self.nonce)
    }
}

impl Now {
    fn of(moment: Moment, starter: Option<TempDir>) -> Result<Self, StoreError> {
        let watcher = BookFile::at(moment.book.path()).read()?;
        let changes = watcher.changes()?;
        Ok(Self { moment, watcher, changes, refused: None, _starter: starter })
    }
}
