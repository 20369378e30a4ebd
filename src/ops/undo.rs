//! Taking the last great change of a book back.
//!
//! What the book was is saved in two steps, so that whoever is killed in between loses neither the
//! book nor what was saved before: complete under a name of its own, whose checksum is committed together
//! with the change; then it takes the place of the older one. Who comes next does that where it was not
//! done any more, or takes away what belongs to no commit.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use crate::formats::snapshot::{SnapshotError, SnapshotReader};
use crate::search::Stop;
use crate::store::{Book, Reader, StoreError, new_undo_path, undo_path};
use crate::unfinished::sync_folder;

use super::output::Output;
use super::snapshot::{RestoreError, refill, write_snapshot};

/// The name under which a book keeps the checksum of what was saved before its last great change.
const SAVED: &str = "saved_for_undo";

/// Whether a book can be saved for [`undo`].
///
/// # Errors
/// There is a file of a name that is needed, and it is no snapshot.
pub(super) fn check_undo_place(book: &Path) -> Result<(), RestoreError> {
    [undo_path(book), new_undo_path(book)].into_iter().try_for_each(check_place)
}

fn check_place(path: PathBuf) -> Result<(), RestoreError> {
    match File::open(&path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        // Whatever else it is, it is not ours to replace.
        opened => opened
            .map_err(SnapshotError::from)
            .and_then(|file| SnapshotReader::new(BufReader::new(file)))
            .map(|_| ())
            .map_err(|cause| RestoreError::UndoTaken { path, cause }),
    }
}

/// Makes a great change to a book in one transaction: `change` writes and does not commit. With
/// `undo` the book is saved as it was; when the change fails, what was saved before stays, too.
///
/// # Errors
/// The book cannot be written or saved, or those of `change`; then it is as it was.
pub(super) fn change_book<T, E: From<RestoreError> + From<StoreError>>(
    book: &mut Book,
    undo: bool,
    change: impl FnOnce(&mut Book) -> Result<T, E>,
) -> Result<T, E> {
    // What was written before must not be undone with this.
    book.commit()?;
    put_in_place(book.reader())?;
    let saver = match undo {
        true => {
            check_undo_place(book.reader().path())?;
            Some(UndoSaver::start(book.reader().path())?)
        }
        false => None,
    };
    let changed = (|| {
        let value = change(book)?;
        book.settle()?;
        if let Some(saver) = saver {
            let checksum = saver.finish()?;
            book.set_meta(SAVED, &checksum)?;
        }
        book.commit()?;
        Ok(value)
    })();
    if changed.is_err() {
        book.rollback();
    }
    if undo && let Err(error) = put_in_place(book.reader()) {
        // The change is made or forgotten by now; the next one tries again.
        tracing::warn!(%error, "what was saved for 'undo' is not in its place yet");
    }
    changed
}

/// Puts what was saved for the last great change in its place, unless it is there already; what belongs
/// to none that was committed goes.
///
/// # Errors
/// The book or what was saved cannot be read, or files cannot be renamed or removed.
fn put_in_place(book: &Reader) -> Result<(), RestoreError> {
    let new = new_undo_path(book.path());
    if new.symlink_metadata().is_err() {
        return Ok(());
    }
    let failed =
        |cause: io::Error| RestoreError::Snapshot { path: new.clone(), cause: cause.into() };
    let saved = book.meta(SAVED)?;
    if saved.is_some() && saved == Some(checksum(&new).map_err(failed)?) {
        let place = undo_path(book.path());
        check_place(place.clone())?;
        fs::rename(&new, place).map_err(failed)?;
    } else if check_place(new.clone()).is_ok() {
        fs::remove_file(&new).map_err(failed)?;
    }
    Ok(())
}

/// The length and the checksum of a file.
fn checksum(path: &Path) -> io::Result<String> {
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

/// Saves a book for [`undo`] as of its last commit, in a thread of its own, while the book is
/// changed by a transaction that is not committed yet. When this value goes before it is finished,
/// nothing of it stays.
struct UndoSaver {
    path: PathBuf,
    stop: Stop,
    thread: Option<JoinHandle<Result<Output, RestoreError>>>,
}

impl UndoSaver {
    /// Starts to save a book, where [`check_undo_place`] has nothing against it.
    ///
    /// # Errors
    /// The system gives no thread.
    fn start(book: &Path) -> Result<Self, RestoreError> {
        let path = new_undo_path(book);
        let stop = Stop::new();
        let (book, target, given_up) = (book.to_owned(), path.clone(), stop.clone());
        let save = move || {
            let book = Reader::open(&book)?;
            write_snapshot(&book, &target, &given_up).map(|(output, _)| output)
        };
        let thread = thread::Builder::new()
            .spawn(save)
            .map_err(|cause| RestoreError::Snapshot { path: path.clone(), cause: cause.into() })?;
        Ok(Self { path, stop, thread: Some(thread) })
    }

    /// Waits for the end of it, so that it is on the disk before the change is committed; returns its
    /// checksum.
    ///
    /// # Errors
    /// The book cannot be read or the file not be written.
    fn finish(mut self) -> Result<String, RestoreError> {
        let Some(thread) = self.thread.take() else { return Err(RestoreError::GivenUp) };
        let output = thread.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        let path = &self.path;
        let written = output.finish().and_then(|_| checksum(path));
        sync_folder(path);
        written.map_err(|cause| RestoreError::Snapshot { path: path.clone(), cause: cause.into() })
    }
}

impl Drop for UndoSaver {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            // Its unfinished file goes with what it returns.
            drop(thread.join());
        }
    }
}

/// Brings the book back that was saved before the last great change. What it is now is saved in
/// turn, so that a second call takes the first one back.
///
/// # Errors
/// There is nothing to undo, or files cannot be read or written; then the book is as it was.
pub fn undo(book: &mut Book) -> Result<u64, RestoreError> {
    put_in_place(book.reader())?;
    let saved = undo_path(book.reader().path());
    let file = match File::open(&saved) {
        Ok(file) => file,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            return Err(RestoreError::NothingToUndo(book.reader().path().to_owned()));
        }
        Err(cause) => return Err(RestoreError::Snapshot { path: saved, cause: cause.into() }),
    };
    // Who undoes has nothing to go on with: it is not offered, as it is where a change is to be made.
    check_undo_place(book.reader().path()).map_err(|error| match error {
        RestoreError::UndoTaken { path, cause } => RestoreError::NotSaved { path, cause },
        error => error,
    })?;
    // The file is closed before another takes its name, which some systems do not allow else.
    match change_book(book, true, |book| refill(book, BufReader::new(file), &saved)) {
        // What it is now cannot be read, so it cannot be saved either; what it was can come back.
        Err(RestoreError::Store(StoreError::Damaged { .. })) => {
            let file = File::open(&saved);
            let file = file.map_err(|cause| RestoreError::Snapshot {
                path: saved.clone(),
                cause: cause.into(),
            })?;
            change_book(book, false, |book| refill(book, BufReader::new(file), &saved))
        }
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Key, Line};
    use crate::book::{NodeSource, Searched, SourceId};
    use crate::ops::snapshot::take_snapshot;
    use crate::search::Selectivity;

    /// A book that positions of one line are put into, one by one.
    struct Desk {
        folder: tempfile::TempDir,
    }

    impl Desk {
        fn new() -> Self {
            let desk = Self { folder: tempfile::tempdir().unwrap() };
            drop(Book::create(desk.path()).unwrap());
            desk
        }

        fn path(&self) -> PathBuf {
            self.folder.path().join("book.db")
        }

        fn open(&self) -> Book {
            Book::open(self.path()).unwrap()
        }

        /// Adds the position after so many moves, as a great change.
        fn add(&self, plies: usize) -> Result<(), RestoreError> {
            change_book(&mut self.open(), true, |book| {
                put(book, plies);
                Ok(())
            })
        }

        /// After how many moves there are positions.
        fn held(&self) -> Vec<usize> {
            let book = Reader::open(self.path()).unwrap();
            (0..6).filter(|&plies| book.node(&key(plies)).unwrap().is_some()).collect()
        }

        /// As if whoever made the last great change had been killed right after its commit, where this
        /// was saved before.
        fn as_if_killed(&self, older: Option<Vec<u8>>) {
            let (place, new) = (undo_path(&self.path()), new_undo_path(&self.path()));
            assert!(!new.exists());
            fs::rename(&place, &new).unwrap();
            if let Some(older) = older {
                fs::write(&place, older).unwrap();
            }
        }

        fn saved(&self) -> Option<Vec<u8>> {
            fs::read(undo_path(&self.path())).ok()
        }
    }

    fn key(plies: usize) -> Key {
        let line: Line = "f5d6c3d3c4f4"[..2 * plies].parse().unwrap();
        Key::of(line.board().position)
    }

    fn put(book: &mut Book, plies: usize) {
        let searched = Searched { depth: 1, selectivity: Selectivity::FULL, source: SourceId(0) };
        book.source_id(&crate::book::Source::default()).unwrap();
        book.insert(key(plies), None, searched).unwrap();
    }

    #[test]
    fn a_change_whose_maker_is_killed_after_its_commit_can_be_undone() {
        let desk = Desk::new();
        desk.add(0).unwrap();
        desk.as_if_killed(None);
        undo(&mut desk.open()).unwrap();
        assert_eq!(desk.held(), [0; 0]);
        undo(&mut desk.open()).unwrap();
        let older = desk.saved();
        desk.add(1).unwrap();
        desk.as_if_killed(older);
        // Growth is no great change.
        let mut book = desk.open();
        put(&mut book, 2);
        book.commit().unwrap();
        drop(book);
        undo(&mut desk.open()).unwrap();
        assert_eq!(desk.held(), [0]);
        // So is the next great change, which takes its place.
        let older = desk.saved();
        desk.add(3).unwrap();
        desk.as_if_killed(older);
        desk.add(4).unwrap();
        undo(&mut desk.open()).unwrap();
        assert_eq!(desk.held(), [0, 3]);
        assert!(!new_undo_path(&desk.path()).exists());
    }

    #[test]
    fn nothing_is_lost_when_who_undoes_is_killed_after_its_commit() {
        let desk = Desk::new();
        desk.add(0).unwrap();
        desk.add(1).unwrap();
        let older = desk.saved();
        undo(&mut desk.open()).unwrap();
        desk.as_if_killed(older);
        assert_eq!(desk.held(), [0]);
        undo(&mut desk.open()).unwrap();
        assert_eq!(desk.held(), [0, 1]);
        undo(&mut desk.open()).unwrap();
        assert_eq!(desk.held(), [0]);
    }

    #[test]
    fn what_was_saved_for_a_change_that_was_not_committed_goes() {
        let desk = Desk::new();
        desk.add(0).unwrap();
        desk.add(1).unwrap();
        take_snapshot(desk.open().reader(), &new_undo_path(&desk.path())).unwrap();
        undo(&mut desk.open()).unwrap();
        assert_eq!(desk.held(), [0]);
        assert!(!new_undo_path(&desk.path()).exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_commit_that_fails_leaves_what_was_saved_before() {
        let desk = Desk::new();
        desk.add(0).unwrap();
        desk.add(1).unwrap();
        let saved = desk.saved();
        let away = desk.folder.path().join("away.db");
        let failed = change_book(&mut desk.open(), true, |book| {
            put(book, 2);
            // Who saves the book has it open when there is something unfinished.
            let names = || fs::read_dir(desk.folder.path()).unwrap().map(Result::unwrap);
            while !names().any(|entry| entry.file_name().to_string_lossy().contains("unfinished")) {
                thread::sleep(std::time::Duration::from_millis(1));
            }
            fs::rename(desk.path(), &away).unwrap();
            Ok::<_, RestoreError>(())
        });
        assert!(matches!(failed, Err(RestoreError::Store(StoreError::Gone(_)))), "{failed:?}");
        assert!(saved.is_some() && desk.saved() == saved);
        assert!(!new_undo_path(&desk.path()).exists());
        fs::rename(&away, desk.path()).unwrap();
        undo(&mut desk.open()).unwrap();
        assert_eq!(desk.held(), [0]);
    }
}
