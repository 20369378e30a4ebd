//! One writer a book: a lock file beside it that holds the writer's process id.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::StoreError;
use super::file_names::beside;
use crate::store::file_identity::FileIdentity;

/// More bytes than any process id has.
const MOST_READ: u64 = 32;

/// How often a lock file may be taken away just when it is locked.
const MOST_TRIES: usize = 16;

/// Held as long as this process may write the book. The system frees it when the process ends in
/// whatever way; the empty file stays beside its book, so that no process waits for one that is
/// gone.
#[derive(Debug)]
pub(super) struct WriterLock {
    file: File,
    /// Whether this process made the file.
    is_new: bool,
}

impl WriterLock {
    /// Takes the lock of a book. A lock file that is made for nothing goes again.
    pub(super) fn acquire(book: &Path) -> Result<Self, StoreError> {
        for _ in 0..MOST_TRIES {
            let (file, is_new) = open(book)?;
            if let Err(error) = take(&file, book) {
                // Whose it is meanwhile needs it.
                if is_new && !matches!(error, StoreError::Locked { .. }) {
                    remove(&file, book);
                }
                return Err(error);
            }
            let lock = Self { file, is_new };
            // Its book may have failed to be made meanwhile, and a lock on a file without a name keeps
            // no process out.
            if lock.is_in_place(book) {
                return Ok(lock);
            }
        }
        let writer = "programs that come and go".to_owned();
        Err(StoreError::Locked { path: book.to_owned(), writer })
    }

    /// Takes the file away again if this process made it: for a book that could not be made. It is still
    /// locked, so that a process that opened it until then finds out that it is gone.
    pub(super) fn forget_new(&self, book: &Path) {
        if self.is_new {
            remove(&self.file, book);
        }
    }

    /// Takes the file away, whatever process made it: for a book that is deleted. It is still
    /// locked, as in [`Self::forget_new`].
    pub(super) fn forget(self, book: &Path) {
        remove(&self.file, book);
    }

    /// Whether another process would find this very lock.
    pub(super) fn is_in_place(&self, book: &Path) -> bool {
        FileIdentity::of(&beside(book, ".lock")) == FileIdentity::of_file(&self.file)
    }
}

/// Opens the lock file of a book, or makes it, and says whether it did.
fn open(book: &Path) -> Result<(File, bool), StoreError> {
    let path = beside(book, ".lock");
    let open = |is_new: bool| {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).create_new(is_new).truncate(false);
        options.open(&path).map(|file| (file, is_new))
    };
    let opened = open(true).or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => open(false),
        _ => Err(error),
    });
    opened.map_err(|cause| match cause.kind() {
        // What a user asked for has the name of the book.
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            StoreError::File { action: "create", path: book.to_owned(), cause }
        }
        _ => StoreError::File { action: "create the lock file", path, cause },
    })
}

/// Locks a file, and writes this process's number into it.
fn take(mut file: &File, book: &Path) -> Result<(), StoreError> {
    let failed = |cause| StoreError::File { action: "lock", path: beside(book, ".lock"), cause };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            // The holder writes its number right after it got the lock. Windows lets no other
            // process read it.
            let number = holder(file).filter(|number| !number.is_empty());
            let writer = format!("process {}", number.as_deref().unwrap_or("(unknown)"));
            return Err(StoreError::Locked { path: book.to_owned(), writer });
        }
        Err(TryLockError::Error(cause)) => return Err(failed(cause)),
    }
    if !holder(file).is_some_and(|holder| holder.chars().all(|c| c.is_ascii_digit())) {
        let what = "the name is that of the book's lock file, and it is something else";
        return Err(failed(std::io::Error::other(what)));
    }
    file.set_len(0).map_err(failed)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    // The number is for messages: a full disk does not keep a book from being made smaller.
    writeln!(file, "{}", std::process::id()).or_else(|cause| match cause.kind() {
        ErrorKind::StorageFull => Ok(()),
        _ => Err(failed(cause)),
    })
}

/// Takes a lock file away, unless another one has its name meanwhile.
fn remove(file: &File, book: &Path) {
    let path = beside(book, ".lock");
    if FileIdentity::of(&path) == FileIdentity::of_file(file) {
        // Where it cannot be removed it is an empty file as beside any book.
        let _ = std::fs::remove_file(path);
    }
}

/// What a lock file says: a process id, or nothing. None when it is no text or cannot be read.
fn holder(mut file: &File) -> Option<String> {
    let mut text = String::new();
    file.rewind().and_then(|()| file.take(MOST_READ).read_to_string(&mut text)).ok()?;
    Some(text.trim().to_owned())
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // An error cannot be reported here: the lock is freed in any case.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_made_for_nothing_goes_again_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("a.db");
        let path = beside(&book, ".lock");
        let lock = WriterLock::acquire(&book).unwrap();
        assert!(matches!(WriterLock::acquire(&book), Err(StoreError::Locked { .. })));
        assert_eq!(holder(&lock.file), Some(std::process::id().to_string()));
        lock.forget_new(&book);
        assert!(!path.exists() && !lock.is_in_place(&book));
        // Another one in its place, and one that was there before.
        let next = WriterLock::acquire(&book).unwrap();
        lock.forget_new(&book);
        drop((lock, next));
        WriterLock::acquire(&book).unwrap().forget_new(&book);
        assert!(path.exists());
        // With its book it goes in any case, but no other that has its name meanwhile.
        let lock = WriterLock::acquire(&book).unwrap();
        std::fs::remove_file(&path).unwrap();
        let next = WriterLock::acquire(&book).unwrap();
        lock.forget(&book);
        assert!(next.is_in_place(&book));
        next.forget(&book);
        assert!(!path.exists());
        // What is no lock is left as it is.
        std::fs::write(&path, "dear diary").unwrap();
        assert!(matches!(WriterLock::acquire(&book), Err(StoreError::File { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), b"dear diary");
    }
}
