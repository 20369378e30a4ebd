//! Whether a reader that stays open still reads the book that has its name.

use std::path::Path;
use std::time::Duration;

use super::file_names::led_to;
use super::lock::WriterLock;
use super::log::has_log;
use super::{Reader, StoreError, schema};

/// How often a look is repeated that fell between two commits of a writer.
const LOOKS: usize = 3;

/// How long after the one before.
const LOOK_AFTER: Duration = Duration::from_millis(20);

impl Reader {
    /// Whether what this reads is what lies at the book's place. False where the file was replaced, or written
    /// over with another one, or where the log was taken away: then the book is to be opened again, after
    /// all that this process has opened of it is closed. Not to be asked inside a snapshot.
    pub fn is_current(&self) -> bool {
        (0..LOOKS).any(|look| {
            if look > 0 {
                std::thread::sleep(LOOK_AFTER);
            }
            self.connection.is_current()
        })
    }

    /// The part of [`Self::is_current`] that reads no file: whether book and log are those that were opened.
    pub(crate) fn has_its_files(&self) -> bool {
        self.connection.has_its_file() && self.connection.has_its_log()
    }

    /// Writes what a writer that is gone left in the log into the main file, so that this is the whole
    /// book. Does nothing while another process writes the book, or reads it in such a way that the log is needed.
    pub(crate) fn write_log_back(&self) -> Result<(), StoreError> {
        let book = led_to(&self.path);
        if self.connection.has_its_log() && !has_log(&book) {
            return Ok(());
        }
        let Ok(lock) = WriterLock::acquire(&book) else { return Ok(()) };
        let written = self.connection.write_back_left();
        lock.forget_new(&book);
        written.map_err(|cause| self.failed(cause))
    }
}

/// Looks at the beginning of a file, whether it is a book that this program can read.
pub(crate) fn check_book(path: &Path) -> Result<(), StoreError> {
    schema::check_file(path)
}
