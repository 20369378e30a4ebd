//! One writer a book: a lock file beside it that holds the writer's process id.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::StoreError;
use super::beside::{Identity, beside};

/// More bytes than any process id has.
const MOST_READ: u64 = 32;

/// Held as long as this process may write the book. The system frees it when the process ends in
/// whatever way; the empty file stays, since removing it would let two processes in.
#[derive(Debug)]
pub(super) struct WriterLock(File);

impl WriterLock {
    /// Takes the lock of a book.
    pub(super) fn acquire(book: &Path) -> Result<Self, StoreError> {
        let path = beside(book, ".lock");
        let failed = |cause: std::io::Error| match cause.kind() {
            // What a user asked for has the name of the book.
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                StoreError::File { action: "create", path: book.to_owned(), cause }
            }
            _ => StoreError::File { action: "lock", path: path.clone(), cause },
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                // The holder writes its number right after it got the lock. Windows lets nobody read it.
                let number = holder(&file).filter(|number| !number.is_empty());
                let writer = format!("process {}", number.as_deref().unwrap_or("(unknown)"));
                return Err(StoreError::Locked { path: book.to_owned(), writer });
            }
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        if !holder(&file).is_some_and(|holder| holder.chars().all(|c| c.is_ascii_digit())) {
            let what = "the name is that of the book's lock file, and it is something else";
            return Err(failed(std::io::Error::other(what)));
        }
        file.set_len(0).map_err(failed)?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        writeln!(file, "{}", std::process::id()).map_err(failed)?;
        Ok(Self(file))
    }

    /// Whether another process would find this very lock.
    pub(super) fn is_in_place(&self, book: &Path) -> bool {
        Identity::of(&beside(book, ".lock")) == Identity::of_file(&self.0)
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
        // Nobody is left to tell: the lock is freed in any case.
        let _ = self.0.set_len(0);
        let _ = self.0.unlock();
    }
}
