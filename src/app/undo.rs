//! Taking changes of a book back, and doing them again.
//!
//! The book's own log lists what there is to take back ([`crate::store::UndoEntry`]). Growth has its images there. A
//! bulk operation saves the whole book in a file beside it, which is complete under its own name before the change is
//! committed; the entry that is committed with the change holds its checksum. So a process killed before the commit
//! leaves a file that no entry names, which the next change removes, and after the commit all is done.

use std::fs::File;
use std::io::{self, BufReader};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use crate::files::counted::counted;
use crate::othello::search::Stop;
use crate::store::{Book, Reader, StoreError, UndoEntry};

use super::diff::{BookDiff, DiffOptions, diff};
use super::output::Output;
use super::saved_state::Owner;
use super::snapshot::{RestoreError, refill, write_snapshot};

/// Finds out whether a book can be saved for [`undo`], before anything is read for a change.
pub(super) fn check_undo_place(book: &Book) -> Result<(), RestoreError> {
    let Some(owner) = Owner::of(book.reader())? else { return Ok(()) };
    check_place(&owner, &owner.place(book.reader().undo_log().next_change()?, false))
}

fn check_place(owner: &Owner, place: &Path) -> Result<(), RestoreError> {
    let taken = |cause| RestoreError::UndoTaken { path: place.to_owned(), cause };
    owner.check_place(place).map_err(taken)
}

/// Takes away what was saved of a book for changes that it knows nothing of any more. What cannot be found out
/// stays.
pub(super) fn tidy_saved(book: &Reader) {
    if let (Ok(Some(owner)), Ok(entries)) = (Owner::of(book), book.undo_log().changes()) {
        owner.tidy(&entries);
    }
}

/// Makes a great change to a book in one transaction: `change` writes and does not commit. With
/// `undo` the book is saved as it was; when the change fails, nothing of that stays.
///
/// # Errors
/// The book cannot be written or saved, or those of `change`; then it is as it was.
pub(super) fn change_book<T, E: From<RestoreError> + From<StoreError>>(
    book: &mut Book,
    undo: bool,
    change: impl FnOnce(&mut Book) -> Result<T, E>,
) -> Result<T, E> {
    change_book_perhaps(book, undo, |book| change(book).map(|value| (value, true)))
}

/// As [`change_book`], of a change that says whether it was one: else what can be undone stays as it was.
pub(super) fn change_book_perhaps<T, E: From<RestoreError> + From<StoreError>>(
    book: &mut Book,
    undo: bool,
    change: impl FnOnce(&mut Book) -> Result<(T, bool), E>,
) -> Result<T, E> {
    // What was written before must not be undone with this.
    book.commit()?;
    let positions = book.reader().count_positions();
    let saver = match undo {
        true => {
            let place = owner_of(book)?.place(book.reader().undo_log().next_change()?, false);
            Some((positions?, UndoSaver::start(book, &place)?))
        }
        false => None,
    };
    in_bulk(book, |book| {
        let (value, is_change) = change(book)?;
        book.settle()?;
        if !is_change {
            book.undo_log().stays();
        } else if let Some((positions, saver)) = saver {
            let (checksum, bytes) = saver.finish()?;
            book.undo_log().add_saved(positions, &checksum, bytes)?;
        }
        Ok(value)
    })
}

/// Makes a great change to a book as [`change_book`] does, finds out what differs then from what was there, and
/// takes all of it back.
pub(super) fn try_change<T, E: From<StoreError>>(
    book: &mut Book,
    change: impl FnOnce(&mut Book) -> Result<T, E>,
) -> Result<(T, BookDiff), E> {
    book.commit()?;
    let before = Reader::open(book.reader().path())?;
    let tried = book.undo_log().pause().map_err(E::from).and_then(|()| {
        let value = change(book)?;
        book.settle()?;
        book.count_added()?;
        Ok((value, diff(&before, book.reader(), &DRY_RUN, |_, _| ())?))
    });
    book.rollback();
    tried
}

/// Of a dry run the best moves are listed that matter to a good player.
const DRY_RUN: DiffOptions = DiffOptions { by: 0, limit: 20, from: None, best_within: Some(200) };

/// Makes a change of much of a book in one transaction, commits it, and takes away what was saved for nothing.
fn in_bulk<T, E: From<StoreError>>(
    book: &mut Book,
    change: impl FnOnce(&mut Book) -> Result<T, E>,
) -> Result<T, E> {
    let changed = book.undo_log().pause().map_err(E::from).and_then(|()| {
        let value = change(book)?;
        book.commit()?;
        Ok(value)
    });
    if changed.is_err() {
        book.rollback();
    }
    tidy_saved(book.reader());
    changed
}

/// Whose the states are that are saved beside a book.
fn owner_of(book: &mut Book) -> Result<Owner, StoreError> {
    if let Some(owner) = Owner::of(book.reader())? {
        return Ok(owner);
    }
    book.draw_identity()?;
    book.commit()?;
    Owner::of(book.reader())?.ok_or_else(|| book.reader().damage("it has no identity"))
}

/// Saves a book as it is at its last commit, in a thread of its own, while the book is changed by a transaction
/// that is not committed yet. When this value goes before it is finished, nothing of it stays.
struct UndoSaver {
    path: PathBuf,
    stop: Stop,
    thread: Option<JoinHandle<Result<(Output, String), RestoreError>>>,
}

impl UndoSaver {
    fn start(book: &mut Book, place: &Path) -> Result<Self, RestoreError> {
        check_place(&owner_of(book)?, place)?;
        let (book, path) = (book.reader().path().to_owned(), place.to_owned());
        let stop = Stop::new();
        let (target, given_up) = (path.clone(), stop.clone());
        let save = move || {
            let book = Reader::open(&book)?;
            write_snapshot(&book, &target, &given_up)
        };
        let thread = thread::Builder::new().spawn(save).map_err(|cause| failed_at(&path, cause))?;
        Ok(Self { path, stop, thread: Some(thread) })
    }

    /// Waits for the end of it, so that it is on the disk before the change is committed; returns its
    /// checksum, and how many bytes it has.
    fn finish(mut self) -> Result<(String, u64), RestoreError> {
        let Some(thread) = self.thread.take() else { return Err(RestoreError::GivenUp) };
        let (output, checksum) = thread.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        let bytes = output.finish().map_err(|cause| failed_at(&self.path, cause))?;
        Ok((checksum, bytes))
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

fn failed_at(path: &Path, cause: io::Error) -> RestoreError {
    RestoreError::Snapshot { path: path.to_owned(), cause: cause.into() }
}

/// Takes the last change of a book back that was not taken back yet, or with a number all changes down to and with
/// the one of this number. Returns them, the last one first. Each is taken back in a transaction of its own.
///
/// # Errors
/// There is no such change, or what was kept of one of them is missing or means nothing; then the book is as it was.
/// Or files cannot be read or written; then those that come after the one that failed are taken back.
pub fn undo(book: &mut Book, down_to: Option<u64>) -> Result<Vec<UndoEntry>, RestoreError> {
    let path = book.reader().path().to_owned();
    let mut entries = book.reader().undo_log().changes()?;
    entries.retain(|entry| !entry.is_undone);
    let Some(last) = entries.last() else {
        let has_games = book.reader().games().count()? > 0;
        return Err(RestoreError::NothingToUndo { book: path, has_games });
    };
    let change = down_to.unwrap_or(last.number);
    if !entries.iter().any(|entry| entry.number == change) {
        return Err(RestoreError::NoSuchChange { book: path, change });
    }
    entries.retain(|entry| entry.number >= change);
    entries.reverse();
    let kept: Result<Vec<Kept>, RestoreError> =
        entries.iter().map(|entry| kept_of(book, entry)).collect();
    for (done, (entry, kept)) in entries.iter().zip(kept?).enumerate() {
        turn(book, entry, kept).inspect_err(|_| {
            if done > 0 {
                tracing::warn!(
                    "undone before that failed: {}",
                    counted(done as u64, "later change")
                );
            }
        })?;
    }
    Ok(entries)
}

/// Does the change of a book again that was taken back last; returns it.
///
/// # Errors
/// There is none, what was saved for it is missing, or files cannot be read or written; then the book is as it was.
pub fn redo(book: &mut Book) -> Result<UndoEntry, RestoreError> {
    let entries = book.reader().undo_log().changes()?.into_iter();
    let Some(entry) = entries.into_iter().find(|entry| entry.is_undone) else {
        return Err(RestoreError::NothingToRedo(book.reader().path().to_owned()));
    };
    let kept = kept_of(book, &entry)?;
    turn(book, &entry, kept)?;
    Ok(entry)
}

/// What a change is taken back with, or done again.
enum Kept {
    Images,
    /// The whole book, in this file.
    Saved(PathBuf),
}

/// Finds what is kept of a change.
fn kept_of(book: &mut Book, entry: &UndoEntry) -> Result<Kept, RestoreError> {
    if entry.file.is_none() {
        book.reader().undo_log().check_images(entry.number)?;
        return Ok(Kept::Images);
    }
    let owner = owner_of(book)?;
    let place = owner.place(entry.number, entry.is_undone);
    let found = owner.find(entry).map_err(|cause| failed_at(&place, cause))?;
    found.map(Kept::Saved).ok_or_else(|| RestoreError::SavedIsMissing {
        change: entry.number,
        asked: entry.command.clone(),
        is_undone: entry.is_undone,
        path: place,
    })
}

/// Takes a change back, or does it again. What the book is until then is kept, so that it can be turned once more.
fn turn(book: &mut Book, entry: &UndoEntry, kept: Kept) -> Result<(), RestoreError> {
    let saved = match kept {
        Kept::Images => return Ok(book.undo_log().swap_images(entry.number)?),
        Kept::Saved(saved) => saved,
    };
    let owner = owner_of(book)?;
    let bring_back = |book: &mut Book| {
        let file = File::open(&saved).map_err(|cause| failed_at(&saved, cause))?;
        refill(book, BufReader::new(file), &saved)?;
        Ok::<_, RestoreError>(book.settle()?)
    };
    let saver = UndoSaver::start(book, &owner.place(entry.number, !entry.is_undone))?;
    let turned = in_bulk(book, |book| {
        bring_back(book)?;
        let (checksum, bytes) = saver.finish()?;
        Ok(book.undo_log().note_swapped(entry.number, &checksum, bytes)?)
    });
    match turned {
        // What it is now cannot be read, so it cannot be saved either; what it was can come back.
        Err(RestoreError::Store(StoreError::Damaged { .. })) if !entry.is_undone => {
            in_bulk(book, |book| {
                bring_back(book)?;
                Ok(book.undo_log().forget_from(entry.number)?)
            })
        }
        turned => turned,
    }
}

#[cfg(test)]
mod tests;
