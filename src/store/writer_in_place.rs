//! What a writer does about a book, or the log of one, that is taken away from under it.

use std::time::{Duration, Instant};

use super::error::CommitError;
use super::file_names::beside;
use super::first_bytes::is_database;
use super::log::{put_log_aside, tidy_after_loss};
use super::{Book, StoreError};

/// How long a reader is waited for whose question keeps a log from being saved that was taken away.
const LONGEST_READING: Duration = Duration::from_secs(60);

impl Book {
    /// What is written into a file without a name, or one that no process can open any more, would
    /// be lost without a word.
    pub(super) fn check_in_place(&self) -> Result<(), StoreError> {
        let path = &self.reader.path;
        if !self.reader.connection.has_its_file() {
            return Err(StoreError::Gone(path.clone()));
        }
        if !self.lock.is_in_place(path) {
            return Err(StoreError::NotAlone { path: path.clone(), sign: "its lock file is gone" });
        }
        if !is_database(path) {
            let what = "its first bytes were overwritten".to_owned();
            return Err(StoreError::Damaged { path: path.clone(), what });
        }
        Ok(())
    }

    /// Takes the log away from a path that names another file or none: SQLite would take it for that
    /// of the next book there.
    pub(super) fn clear_place(&self) {
        let path = &self.reader.path;
        // Another writer may be at work by now, and the log its own.
        if !self.lock.is_in_place(path) {
            return;
        }
        let connection = &self.reader.connection;
        // What was committed goes into the file, wherever it is now, unless that was written over. The caller
        // has an error to report already.
        let is_moved = !connection.has_its_file();
        let is_saved = is_moved && connection.write_back("TRUNCATE").is_ok_and(|is_whole| is_whole);
        if !connection.has_its_log() {
            return;
        }
        if is_saved {
            for ending in ["-wal", "-shm"] {
                let _ = std::fs::remove_file(beside(path, ending));
            }
            return;
        }
        let identity = self.reader.identity().ok().flatten();
        if let Err(error) = put_log_aside(path, identity.as_deref()) {
            tracing::warn!("{error}");
        }
    }

    pub(super) fn not_committed(&self, error: CommitError) -> StoreError {
        StoreError::commit(&self.reader.path, error)
    }

    /// Writes the log into the main file when that is due, and at once when it was taken away: what it holds is
    /// still at hand then, and no other process would find it.
    pub(super) fn keep_log(&self) -> Result<(), StoreError> {
        let connection = &self.reader.connection;
        if connection.has_its_log() {
            return connection.look_after_log().map_err(|error| self.not_committed(error));
        }
        self.check_in_place()?;
        let started = Instant::now();
        while !connection.write_back("FULL").map_err(|cause| self.reader.failed(cause))? {
            if started.elapsed() > LONGEST_READING {
                let path = self.reader.path.clone();
                return Err(StoreError::NotAlone { path, sign: "its log is gone" });
            }
        }
        // A log that another program made since is empty, or is not of this book.
        tidy_after_loss(&self.reader.path);
        Err(StoreError::LogGone(self.reader.path.clone()))
    }
}
