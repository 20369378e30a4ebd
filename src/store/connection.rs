//! An open book file: whether it is still the one that was opened, and when what was committed gets from
//! SQLite's log into the main file.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::error::CommitError;
use super::file_names::beside;
use super::lineage::{LINEAGE, Lineage};
use super::log::{MainFile, has_log, lineage_of};
use crate::othello::lock::lock;
use crate::store::file_identity::FileIdentity;

/// The log is written into the main file at least so often while a book is written, so that a copy of that file
/// alone is never much older than the book.
const WRITE_BACK_EVERY: Duration = Duration::from_secs(15);

/// How long the end of a writer waits for readers, so that the log can be written back as a whole.
const WAIT_AT_END: Duration = Duration::from_millis(200);

/// A connection to the file of a book.
///
/// When it is closed, and no other program has the book open, SQLite writes the log into the main file and
/// deletes it, by its name. It may only do so while the name still stands for what was opened.
#[derive(Debug)]
pub(super) struct BookConnection {
    connection: Connection,
    /// The main file, by a name that is no link.
    book: PathBuf,
    main: Option<FileIdentity>,
    /// The log and SQLite's index of it.
    log: [Option<FileIdentity>; 2],
    run: Cell<Run>,
    /// The lock of the writer, by which it keeps others out.
    lock: Cell<Option<FileIdentity>>,
    /// The main file held all that was committed when this was last looked at, and can be read alone.
    is_whole: Cell<bool>,
    written_back: Cell<Instant>,
    /// Goes when SQLite has closed the file.
    _open: Open,
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Run {
    /// It has written nothing.
    Reads,
    /// Its first commit is being made.
    Begins,
    /// It has been written through to the main file, as far as readers allow.
    Writes,
}

/// The files that this process has open through SQLite, each as often as it is.
static OPEN: Mutex<Vec<FileIdentity>> = Mutex::new(Vec::new());

#[derive(Debug)]
struct Open(Option<FileIdentity>);

impl Open {
    fn of(file: Option<FileIdentity>) -> Self {
        lock(&OPEN).extend(file);
        Self(file)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let mut open = lock(&OPEN);
        if let Some(place) = open.iter().position(|file| Some(*file) == self.0) {
            open.swap_remove(place);
        }
    }
}

/// Whether this process has a file open. All connections of a process to one file share what SQLite knows of its
/// log: a book that was written over is only read as it is now by a connection that is opened after
/// all others are closed.
pub(crate) fn is_open(file: FileIdentity) -> bool {
    lock(&OPEN).contains(&file)
}

impl BookConnection {
    /// Takes a connection that was just opened to a file.
    pub(super) fn of(connection: Connection, book: &Path) -> rusqlite::Result<Self> {
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let main = FileIdentity::of(book);
        Ok(Self {
            connection,
            book: book.to_owned(),
            main,
            log: [None; 2],
            run: Cell::new(Run::Reads),
            lock: Cell::new(None),
            is_whole: Cell::new(false),
            written_back: Cell::new(Instant::now()),
            _open: Open::of(main),
        })
    }

    /// Notes which log it reads and writes, once SQLite has opened that.
    pub(super) fn note_log(&mut self) {
        self.log = logs(&self.book);
    }

    /// Whether the name of the book stands for the file that was opened.
    pub(super) fn has_its_file(&self) -> bool {
        FileIdentity::of(&self.book) == self.main
    }

    /// Whether log and index that lie beside the book are those that it reads and writes.
    pub(super) fn has_its_log(&self) -> bool {
        // Where none was there when it was opened, one may have been made since.
        self.log.iter().zip(logs(&self.book)).all(|(own, now)| own.is_none() || *own == now)
    }

    /// Whether the main file is a state of the book that this connection sees; none where it cannot be read alone,
    /// as when another program is writing over it.
    fn fits(&self) -> Option<bool> {
        let seen = lineage_of(&self.connection).ok()?;
        MainFile::read(&self.book).map(|main| seen.holds(main.stamp))
    }

    /// Whether the log may be written into the main file.
    fn may_write_back(&self) -> bool {
        self.has_its_file() && self.has_its_log() && self.fits() == Some(true)
    }

    /// Whether all that this connection sees is what lies at the book's place: neither the book nor its log was
    /// replaced, taken away, or written over.
    pub(super) fn is_current(&self) -> bool {
        if !self.has_its_file() || !self.has_its_log() {
            return false;
        }
        // SQLite keeps in memory what it has read until a commit is made known to it.
        let seen = lineage_of(&self.connection);
        match (seen, MainFile::read(&self.book)) {
            (Ok(seen), Some(main)) if has_log(&self.book) => seen.holds(main.stamp),
            (Ok(seen), Some(main)) => seen.stamp() == main.stamp,
            // Something is about to be put there, or the file is damaged: reading it will show.
            (_, None) => true,
            (Err(_), Some(_)) => false,
        }
    }

    /// Gives the transaction that is about to be committed its stamp.
    pub(super) fn stamp(&self) -> Result<(), CommitError> {
        if self.run.get() == Run::Writes {
            return self.write_lineage(Lineage::commit);
        }
        self.run.set(Run::Begins);
        let run = random_run(&self.connection)?;
        self.write_lineage(|lineage| lineage.begin(run))
    }

    /// Looks after the log when a transaction has been committed, and whenever the writer has nothing to commit: the
    /// first commit of a run is written through to the main file at once, so that from then on an earlier state of
    /// the book can be recognized; what follows is when it is due.
    pub(super) fn look_after_log(&self) -> Result<(), CommitError> {
        if self.run.get() == Run::Begins {
            self.run.set(Run::Writes);
            self.lock.set(lock_file(&self.book));
            self.write_back("PASSIVE")?;
            // The log has to know what the main file has reached.
            return self.in_transaction(|| self.stamp());
        }
        if self.is_whole.get() || self.written_back.get().elapsed() < WRITE_BACK_EVERY {
            return Ok(());
        }
        match self.fits() {
            Some(false) => return Err(CommitError::Replaced),
            Some(true) => self.write_back("PASSIVE").map(|_| ())?,
            None => {}
        }
        Ok(())
    }

    /// Says that the main file is not to be judged until the log is in it as a whole: its tables are about to be
    /// moved to other places.
    pub(super) fn move_tables(&self) -> Result<(), CommitError> {
        self.is_whole.set(false);
        self.in_transaction(|| {
            self.write_lineage(|lineage| {
                lineage.commit();
                lineage.set_any(true);
            })
        })
    }

    fn write_lineage(&self, change: impl FnOnce(&mut Lineage)) -> Result<(), CommitError> {
        let mut lineage = lineage_of(&self.connection)?;
        if self.is_whole.get() {
            lineage.set_any(false);
        }
        if let Some(main) = MainFile::read(&self.book) {
            if !lineage.holds(main.stamp) {
                return Err(CommitError::Replaced);
            }
            // The main file was written by this process alone, and is on the disk by now.
            lineage.reached(main.stamp);
        }
        change(&mut lineage);
        keep_lineage(&self.connection, &lineage)?;
        self.is_whole.set(false);
        Ok(())
    }

    fn in_transaction(
        &self,
        write: impl FnOnce() -> Result<(), CommitError>,
    ) -> Result<(), CommitError> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        let written = write().and_then(|()| Ok(self.connection.execute_batch("COMMIT")?));
        if written.is_err() && !self.connection.is_autocommit() {
            // Where this fails SQLite has rolled back by itself.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        written
    }

    /// Writes the log of a writer that is gone back as a whole, unless readers are in the way. The caller has the
    /// lock of the book.
    pub(super) fn write_back_left(&self) -> rusqlite::Result<()> {
        // Also where the log was deleted, and is open here alone.
        if self.has_its_file() && self.fits() == Some(true) {
            self.connection.busy_timeout(WAIT_AT_END)?;
            self.write_back("TRUNCATE")?;
        }
        Ok(())
    }

    /// Writes the log into the main file in one of SQLite's ways; true when the main file then holds everything.
    pub(super) fn write_back(&self, way: &str) -> rusqlite::Result<bool> {
        let sql = format!("PRAGMA wal_checkpoint({way})");
        let counts = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let (busy, frames, written): (i64, i64, i64) =
            self.connection.query_row(&sql, [], counts)?;
        let is_whole = busy == 0 && frames == written;
        self.is_whole.set(is_whole);
        self.written_back.set(Instant::now());
        Ok(is_whole)
    }

    /// Writes the log of a run that has ended back as a whole, so that the main file is the book. Where a
    /// reader is in the way, the log says what is in the main file.
    fn end_run(&self) {
        if !self.connection.is_autocommit() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        if lock_file(&self.book) != self.lock.get() || !self.may_write_back() {
            return;
        }
        let _ = self.connection.busy_timeout(WAIT_AT_END);
        // Whatever fails here leaves the log beside the book, as a program that is killed does.
        if !self.write_back("TRUNCATE").is_ok_and(|is_whole| is_whole) {
            let _ = self.in_transaction(|| self.stamp());
        }
    }
}

impl Drop for BookConnection {
    fn drop(&mut self) {
        if self.run.get() == Run::Writes {
            self.end_run();
        }
        let is_empty = || self.has_its_file() && self.has_its_log() && !has_log(&self.book);
        if is_empty() || self.may_write_back() {
            let deletes = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
            let _ = self.connection.set_db_config(deletes, false);
        }
    }
}

impl Deref for BookConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for BookConnection {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

/// Makes a file that was copied row by row a book of its own, which goes on from no log.
pub(super) fn give_own_lineage(copy: &Connection) -> rusqlite::Result<()> {
    keep_lineage(copy, &Lineage::of_new(random_run(copy)?))
}

fn random_run(connection: &Connection) -> rusqlite::Result<u64> {
    let run: i64 = connection.query_row("SELECT random() | 1", [], |row| row.get(0))?;
    Ok(run.cast_unsigned())
}

fn keep_lineage(connection: &Connection, lineage: &Lineage) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO meta (name, value) VALUES (?1, ?2) \
             ON CONFLICT (name) DO UPDATE SET value = ?2",
        )?
        .execute([LINEAGE, &lineage.to_string()])
        .map(|_| ())
}

fn lock_file(book: &Path) -> Option<FileIdentity> {
    FileIdentity::of(&beside(book, ".lock"))
}

/// The log of a book and SQLite's index of it, as they lie beside it now.
fn logs(book: &Path) -> [Option<FileIdentity>; 2] {
    ["-wal", "-shm"].map(|ending| FileIdentity::of(&beside(book, ending)))
}
