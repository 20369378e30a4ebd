//! The book that is served: its readers, its games, and whether the file is still the same.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::kept::Kept;
use crate::lock::lock;
use crate::ops::games::LoadedGames;
use crate::ops::{BookFile, Reader, StoreError};

/// What tells one file from another that takes its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity(u64, u64);

impl Identity {
    /// Of the file at a path, if there is one.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(Self(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Some(Self(0, 0))
        }
    }
}

/// One file, with readers that stay open, so that their statements stay prepared.
pub struct OpenBook {
    path: PathBuf,
    /// Whether it is the book that comes with the program.
    pub is_starter: bool,
    identity: Option<Identity>,
    /// So many stay open.
    readers: usize,
    free: Mutex<Vec<Reader>>,
    games: Mutex<Option<BookGames>>,
}

/// The games of a book as they were loaded.
#[derive(Clone)]
pub struct BookGames {
    /// The generation in which they were seen to be all last.
    checked: u64,
    /// What questions need.
    pub loaded: Arc<LoadedGames>,
    /// What was counted.
    pub kept: Arc<Kept>,
}

impl OpenBook {
    /// Opens a book for so many readers at once.
    pub fn open(path: &Path, is_starter: bool, readers: usize) -> Result<Self, StoreError> {
        let identity = Identity::of(path);
        let free = (0..readers).map(|_| BookFile::at(path).read()).collect::<Result<_, _>>()?;
        let path = path.to_owned();
        let (free, games) = (Mutex::new(free), Mutex::default());
        Ok(Self { path, is_starter, identity, readers, free, games })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file at its path was it, when that had this identity.
    pub fn is(&self, identity: Option<Identity>) -> bool {
        self.identity == identity
    }

    /// A reader, until it is dropped. There are as many as may work at once.
    pub fn reader(self: &Arc<Self>) -> Result<Borrowed, StoreError> {
        let free = lock(&self.free).pop();
        let reader = match free {
            Some(reader) => reader,
            None => BookFile::at(&self.path).read()?,
        };
        Ok(Borrowed { reader: Some(reader), book: Arc::clone(self) })
    }

    /// What questions about games need, loaded when games have changed: a generation in which only
    /// positions came keeps what was loaded.
    pub fn games(&self, reader: &Reader, generation: u64) -> Result<BookGames, StoreError> {
        let mut games = lock(&self.games);
        if let Some(known) = games.as_mut() {
            if known.checked < generation && known.loaded.are_those_of(reader)? {
                known.checked = generation;
            }
            if known.checked >= generation {
                return Ok(known.clone());
            }
        }
        let loaded = Arc::new(LoadedGames::load(reader)?);
        let new = BookGames { checked: generation, loaded, kept: Arc::default() };
        *games = Some(new.clone());
        Ok(new)
    }
}

/// A reader that goes back to its book, even when a question panics.
pub struct Borrowed {
    reader: Option<Reader>,
    book: Arc<OpenBook>,
}

impl Borrowed {
    /// The reader; always there until it goes back.
    pub const fn reader(&self) -> Option<&Reader> {
        self.reader.as_ref()
    }
}

impl Deref for Borrowed {
    type Target = OpenBook;

    fn deref(&self) -> &OpenBook {
        &self.book
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let mut free = lock(&self.book.free);
        if free.len() < self.book.readers {
            free.extend(self.reader.take());
        }
    }
}
