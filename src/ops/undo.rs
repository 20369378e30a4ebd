//! Taking the last great change of a book back.
//!
//! What the book was is saved in two steps, so that whoever is killed in between loses neither the
//! book nor what was saved before: complete under a name of its own, whose checksum is committed together
//! with the change; then it takes the place of the older one. Who comes next does that where it was not
//! done any more, or takes away what belongs to no commit.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use crate::formats::snapshot::SnapshotError;
use crate::search::Stop;
use crate::store::{Book, Reader, StoreError, new_undo_path, undo_path};

use super::output::Output;
use super::saved_state::{Owner, SAVED, Saved};
use super::snapshot::{RestoreError, refill, write_snapshot};

/// Finds out whether a book can be saved for [`undo`], before anything is read for a change.
///
/// # Errors
/// There is a file of a name that is needed, and it is no snapshot.
pub(super) fn check_undo_place(book: &Reader) -> Result<(), RestoreError> {
    let owner = Owner::of(book)?;
    [undo_path(book.path()), new_undo_path(book.path())].into_iter().try_for_each(|path| {
        // Whatever else it is, it is not ours to replace.
        owner.saved(&path).map(drop).map_err(|cause| RestoreError::UndoTaken { path, cause })
    })
}

/// Makes sure that what lies under the names of saved states is of this book, and in its place: see
/// [`put_in_place`] and [`Owner::make_room`].
///
/// # Errors
/// As of these.
fn tidy_places(book: &Reader) -> Result<(), RestoreError> {
    put_in_place(book)?;
    let owner = Owner::of(book)?;
    owner.make_room(&new_undo_path(book.path()))?;
    // One that came back is to have its place, too.
    put_in_place(book)?;
    owner.make_room(&undo_path(book.path()))
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
    let saver = match undo {
        true => {
            tidy_places(book.reader())?;
            Some(UndoSaver::start(book.reader().path())?)
        }
        false => {
            put_in_place(book.reader())?;
            None
        }
    };
    let changed = (|| {
        let value = change(book)?;
        book.settle()?;
        if let Some(saver) = saver {
            let checksum = saver.finish()?;
            book.draw_identity()?;
            book.set_meta(SAVED, &checksum)?;
        }
        book.commit()?;
        Ok(value)
    })();
    if changed.is_err() {
        book.rollback();
    }
    let placed = match &changed {
        _ if !undo => Ok(()),
        // What was written a moment ago need not be read to know whose it is.
        Ok(_) => take_place(book.reader().path()),
        Err(_) => put_in_place(book.reader()),
    };
    if let Err(error) = placed {
        // The change is made or forgotten by now; the next one tries again.
        tracing::warn!(%error, "what was saved for 'undo' is not in its place yet");
    }
    changed
}

/// Puts what was saved for the last great change in its place, unless it is there already; what belongs
/// to none that was committed goes. What was saved of another book stays where it is.
///
/// # Errors
/// The book or what was saved cannot be read, or files cannot be renamed or removed.
fn put_in_place(book: &Reader) -> Result<(), RestoreError> {
    let new = new_undo_path(book.path());
    if new.symlink_metadata().is_err() {
        return Ok(());
    }
    let failed = |cause: io::Error| failed_at(&new, cause);
    let owner = Owner::of(book)?;
    match owner.saved(&new) {
        Ok(Saved::OfBook) if owner.is_of_commit(&new).map_err(failed)? => {
            let path = undo_path(book.path());
            match owner.saved(&path) {
                // An identity may be drawn since it was saved: what names none was the book's own.
                Ok(Saved::Nothing | Saved::OfBook | Saved::OfUnknown) => {}
                Ok(Saved::OfOther { .. }) => owner.make_room(&path)?,
                Err(cause) => return Err(RestoreError::UndoTaken { path, cause }),
            }
            take_place(book.path())?;
        }
        Ok(Saved::OfBook) => fs::remove_file(&new).map_err(failed)?,
        // Nobody can tell; killed imports are more frequent than books that are deleted after one.
        Ok(Saved::OfOther { .. } | Saved::OfUnknown) if !owner.has_identity() => {
            fs::remove_file(&new).map_err(failed)?;
        }
        Err(SnapshotError::Io(cause)) => return Err(failed(cause)),
        Ok(Saved::Nothing | Saved::OfOther { .. } | Saved::OfUnknown) | Err(_) => {}
    }
    Ok(())
}

/// Gives what was saved before a change the place of what was saved before an older one.
fn take_place(book: &Path) -> Result<(), RestoreError> {
    let new = new_undo_path(book);
    fs::rename(&new, undo_path(book)).map_err(|cause| failed_at(&new, cause))
}

fn failed_at(path: &Path, cause: io::Error) -> RestoreError {
    RestoreError::Snapshot { path: path.to_owned(), cause: cause.into() }
}

/// Saves a book for [`undo`] as of its last commit, in a thread of its own, while the book is
/// changed by a transaction that is not committed yet. When this value goes before it is finished,
/// nothing of it stays.
struct UndoSaver {
    path: PathBuf,
    stop: Stop,
    thread: Option<JoinHandle<Result<(Output, String), RestoreError>>>,
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
            write_snapshot(&book, &target, &given_up)
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
        let (output, checksum) = thread.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        output.finish().map_err(|cause| failed_at(&self.path, cause))?;
        Ok(checksum)
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

/// Finds what was saved of this book, where another one may have had its name meanwhile. Nothing is moved for who
/// has nothing to take back.
///
/// # Errors
/// There is nothing to undo, or what lies there is something else.
fn find_saved(book: &Reader) -> Result<(), RestoreError> {
    put_in_place(book)?;
    let owner = match Owner::of(book) {
        // A book that cannot say any more which one it is has no other way back.
        Err(StoreError::Damaged { .. }) => return Ok(()),
        owner => owner?,
    };
    let places = [undo_path(book.path()), new_undo_path(book.path())];
    let saved = |path: &Path| {
        // Who undoes has nothing to go on with: it is not offered, as it is where a change is to be made.
        let not_saved = |cause| RestoreError::NotSaved { path: path.to_owned(), cause };
        owner.saved(path).map_err(not_saved)
    };
    places.iter().try_for_each(|path| saved(path).map(drop))?;
    if places.iter().any(|path| owner.set_aside(path).is_some()) {
        tidy_places(book)?;
    }
    let [path, _] = places;
    match saved(&path)? {
        Saved::OfBook => Ok(()),
        Saved::Nothing => Err(RestoreError::NothingToUndo(book.path().to_owned())),
        Saved::OfOther { .. } | Saved::OfUnknown => {
            Err(RestoreError::NotSavedOfThis { book: book.path().to_owned(), path })
        }
    }
}

/// Brings the book back that was saved before the last great change. What it is now is saved in
/// turn, so that a second call takes the first one back. What was saved of another book, such as one that was
/// deleted and had this name, is never brought back: see [`Reader::identity`].
///
/// # Errors
/// There is nothing to undo, or files cannot be read or written; then the book is as it was.
pub fn undo(book: &mut Book) -> Result<u64, RestoreError> {
    find_saved(book.reader())?;
    let saved = undo_path(book.reader().path());
    let file = match File::open(&saved) {
        Ok(file) => file,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            return Err(RestoreError::NothingToUndo(book.reader().path().to_owned()));
        }
        Err(cause) => return Err(failed_at(&saved, cause)),
    };
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
mod tests;
