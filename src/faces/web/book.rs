//! The book that is served: its readers, its games, and whether the file is still the same.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::kept::Kept;
use crate::app::games::LoadedGames;
use crate::app::{BookFile, Reader, StoreError};
use crate::othello::lock::lock;
use crate::store::file_identity::FileIdentity;

/// One file, with readers that stay open, so that their statements stay prepared.
pub struct OpenBook {
    path: PathBuf,
    /// Whether it is the book that comes with the program.
    pub is_starter: bool,
    identity: Option<FileIdentity>,
    /// So many stay open.
    readers: usize,
    free: Mutex<Vec<Reader>>,
    /// Another file has its place: its readers are to be closed.
    is_retired: AtomicBool,
    games: Mutex<Option<BookGames>>,
}

/// The games of a book as they were loaded.
#[derive(Clone)]
pub struct BookGames {
    /// The last generation in which they were seen to be all.
    generation: u64,
    /// What questions need.
    pub loaded: Arc<LoadedGames>,
    /// What was counted.
    pub kept: Arc<Kept>,
}

impl OpenBook {
    /// Opens a book for so many readers at once.
    pub fn open(path: &Path, is_starter: bool, readers: usize) -> Result<Self, StoreError> {
        let identity = FileIdentity::of(path);
        let free = (0..readers).map(|_| BookFile::at(path).read()).collect::<Result<_, _>>()?;
        let path = path.to_owned();
        let (free, games) = (Mutex::new(free), Mutex::default());
        let is_retired = AtomicBool::new(false);
        Ok(Self { path, is_starter, identity, readers, free, is_retired, games })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub const fn identity(&self) -> Option<FileIdentity> {
        self.identity
    }

    /// Closes all readers that are idle, and from now on each that comes back.
    pub fn retire(&self) {
        self.is_retired.store(true, Ordering::SeqCst);
        lock(&self.free).clear();
    }

    /// Whether the file at its path was it, when that had this identity.
    pub fn is(&self, identity: Option<FileIdentity>) -> bool {
        self.identity == identity
    }

    /// A reader, until it is dropped. There are as many as may work at once.
    pub fn reader(self: &Arc<Self>) -> Result<Borrowed, StoreError> {
        let free = lock(&self.free).pop();
        let reader = match free {
            Some(reader) => reader,
            None if self.is_retired.load(Ordering::SeqCst) => {
                return Err(being_replaced(&self.path));
            }
            None => BookFile::at(&self.path).read()?,
        };
        Ok(Borrowed { reader: Some(reader), book: Arc::clone(self) })
    }

    /// What questions about games need, loaded when games have changed. A question that began to read
    /// before they did gets those of its own moment, and leaves the newer ones to the others.
    pub fn games(&self, reader: &Reader, generation: u64) -> Result<BookGames, StoreError> {
        // Asked before others have to wait: after a change it takes a look at all games.
        reader.games().stamp()?;
        let mut games = lock(&self.games);
        if let Some(known) = games.as_mut()
            && known.loaded.are_those_of(reader)?
        {
            known.generation = known.generation.max(generation);
            return Ok(known.clone());
        }
        let loaded = Arc::new(LoadedGames::load(reader)?);
        let new = BookGames { generation, loaded, kept: Arc::default() };
        if games.as_ref().is_none_or(|known| known.generation <= generation) {
            *games = Some(new.clone());
        }
        Ok(new)
    }
}

/// What is said while questions still read a book that has lost its place.
pub fn being_replaced(path: &Path) -> StoreError {
    let writer = "its replacement: requests that still read the old file are waited for";
    StoreError::Locked { path: path.to_owned(), writer: writer.to_owned() }
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
        if free.len() < self.book.readers && !self.book.is_retired.load(Ordering::SeqCst) {
            free.extend(self.reader.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::games::{
        GameDatabase, GameFilter, GameImportOptions, game_stats, import_games,
    };
    use crate::othello::board::Line;
    use crate::store::Book;

    /// A question that began before games came is answered without them, and no other is.
    #[test]
    fn a_question_gets_the_games_of_its_moment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        let mut book = Book::create(&path).unwrap();
        let mut import = |name: &str, games: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, games).unwrap();
            import_games(&mut book, &[file], &GameImportOptions::default(), |_| {}).unwrap();
        };
        import("one.txt", "f5d6c3d3c4\n");
        let open = OpenBook::open(&path, false, 2).unwrap();
        let (early, late) = (Reader::open(&path).unwrap(), Reader::open(&path).unwrap());
        let snapshot = early.snapshot().unwrap();
        let count = |games: &BookGames, reader: &Reader| {
            assert!(games.loaded.are_those_of(reader).unwrap());
            let database = GameDatabase::with(reader, Arc::clone(&games.loaded));
            let stats = game_stats(&database, &Line::default(), &GameFilter::default()).unwrap();
            stats.unwrap().tally.games
        };
        let before = open.games(&snapshot, 1).unwrap();
        assert_eq!(count(&before, &snapshot), 1);
        import("two.txt", "f5d6c3d3c4f4\nf5f6e6f4\n");
        let after = open.games(&late, 2).unwrap();
        assert_eq!(count(&after, &late), 3);
        let again = open.games(&snapshot, 1).unwrap();
        assert_eq!(count(&again, &snapshot), 1);
        assert!(!Arc::ptr_eq(&again.kept, &after.kept));
        drop(snapshot);
        // What was known last is not lost by it, and a question under an old number sees what it
        // reads.
        assert!(Arc::ptr_eq(&open.games(&late, 2).unwrap().kept, &after.kept));
        assert_eq!(count(&open.games(&early, 1).unwrap(), &early), 3);
    }
}
