//! Which state of the book an answer is of: a name of this run of the server, and a number that rises
//! whenever another process has changed the book, or put another in its place.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::book::{OpenBook, being_replaced};
use super::serve_error::ServeError;
use crate::app::{BookFile, Reader, StoreError};
use crate::othello::lock::lock;
use crate::store::file_identity::{FileIdentity, FileState};
use crate::store::{check_book, is_open};

/// A book that has not changed for so long is not being written: its log is looked after.
const REST: Duration = Duration::from_secs(2);

/// How long questions are waited for that still read a book that was replaced.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is looked whether they do.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The book as it is now.
#[derive(Clone)]
pub struct Moment {
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
    /// A connection that does nothing else: what it reads of changes belongs to it. None while the book is
    /// closed, to be opened again.
    watcher: Option<Reader>,
    changes: i64,
    /// The file when it was last seen to be the book that is open.
    seen: Option<FileState>,
    /// When the book last changed, or its log was last looked after.
    rests: Instant,
    /// The file at the book's place that could not be opened, and was reported.
    refused: Option<FileIdentity>,
}

impl Watch {
    /// Opens a book for so many readers at once.
    pub fn open(wanted: BookFile, readers: usize) -> Result<Self, ServeError> {
        let path = wanted.readable().unwrap_or(&wanted.path);
        let book = OpenBook::open(path, path != wanted.path, readers)?;
        let now = Now::of(Moment { book: Arc::new(book), number: 1 })?;
        let random = RandomState::new().build_hasher().finish();
        Ok(Self { nonce: format!("{:05x}", random >> 44), wanted, readers, now: Mutex::new(now) })
    }

    /// The book as it is now. What is read after this is of this state, or of a later one.
    pub fn now(&self) -> Result<Moment, StoreError> {
        let mut now = lock(&self.now);
        // A book that was deleted is served as long as it is open.
        if let Some(state) = FileState::of(&self.wanted.path)
            && !now.is_current(state)
        {
            self.renew(&mut now, state.identity)?;
        }
        let now = &mut *now;
        let path = &self.wanted.path;
        let watcher = now.watcher.as_ref().ok_or_else(|| being_replaced(path))?;
        let changes = watcher.changes()?;
        if now.changes != changes {
            now.changes = changes;
            now.moment.number += 1;
            now.rests = Instant::now();
        } else if now.rests.elapsed() >= REST {
            now.rests = Instant::now();
            // What a killed writer left is written back by no other process.
            if let Err(error) = watcher.write_log_back() {
                tracing::warn!("{error}");
            }
        }
        Ok(now.moment.clone())
    }

    /// Opens what lies at the book's place now, when all that reads what lay there before is closed.
    fn renew(&self, now: &mut Now, identity: FileIdentity) -> Result<(), StoreError> {
        if let Err(error) = check_book(&self.wanted.path) {
            if now.watcher.is_none() {
                return Err(error);
            }
            // What was put there cannot be read: what is open is served on.
            if now.refused != Some(identity) {
                tracing::warn!("still serving the book as it was: {error}");
                now.refused = Some(identity);
            }
            return Ok(());
        }
        if let Some(watcher) = &now.watcher
            && let Err(error) = watcher.write_log_back()
        {
            tracing::warn!("{error}");
        }
        let old = Arc::clone(&now.moment.book);
        old.retire();
        now.watcher = None;
        let is_open = || old.path() == self.wanted.path && old.identity().is_some_and(is_open);
        let started = Instant::now();
        while is_open() {
            if started.elapsed() > PATIENCE {
                return Err(being_replaced(&self.wanted.path));
            }
            std::thread::sleep(LOOK_EVERY);
        }
        *now = self.open_again(now.moment.number + 1)?;
        Ok(())
    }

    fn open_again(&self, number: u64) -> Result<Now, StoreError> {
        let book = OpenBook::open(&self.wanted.path, false, self.readers)?;
        Now::of(Moment { book: Arc::new(book), number })
    }

    /// The file that commands must name to find the book; none where they find it by themselves.
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
    /// Whether the book that is open is what lies at its place.
    fn is_current(&mut self, state: FileState) -> bool {
        let Some(watcher) = &self.watcher else { return false };
        if !self.moment.book.is(Some(state.identity)) || !watcher.has_its_files() {
            return false;
        }
        if self.seen != Some(state) {
            self.seen = watcher.is_current().then_some(state);
        }
        self.seen.is_some()
    }

    fn of(moment: Moment) -> Result<Self, StoreError> {
        let watcher = BookFile::at(moment.book.path()).read()?;
        let changes = watcher.changes()?;
        Ok(Self {
            moment,
            watcher: Some(watcher),
            changes,
            seen: None,
            rests: Instant::now(),
            refused: None,
        })
    }
}
