//! Whether SQLite's log beside a book belongs to the file that has the book's name now.
//!
//! SQLite takes whatever log lies beside a file for the file's own, as long as the log is whole in itself. After a
//! crash, or while a program has the book open, a copy that is put in the book's place would be overwritten by
//! what the log holds of the book that was there before. So before a log is read, the main file, read
//! alone, must say that it is a state that the log continues from ([`Lineage`]).

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OptionalExtension};

use super::StoreError;
use super::file_names::beside;
use super::file_names::put_aside;
use super::lineage::{IDENTITY, LINEAGE, Lineage, Stamp};
use super::lock::WriterLock;
use super::pages::Pages;
use super::pages::page::Page;
use super::pages::tables::{name_and_value, named_facts};

/// How long a writer may take to notice that its book was replaced: it looks at least once a second.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often a reader looks whether the writer has.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The version of SQLite that can say how long a log is without writing it back.
const SINCE_NOOP: i32 = 3_051_000;

/// What the main file of a book says without its log.
pub(super) struct MainFile {
    pub(super) stamp: Stamp,
    identity: Option<String>,
}

impl MainFile {
    /// Reads it; none where it is unknown: a page of it is missing or torn, or was only written in part.
    pub(super) fn read(book: &Path) -> Option<Self> {
        let pages = Pages::open_alone(book).ok()?;
        let (mut facts, table) = named_facts(&pages);
        if !table.is_whole || table.numbers.is_empty() {
            return None;
        }
        let stamp = match facts.get(LINEAGE) {
            Some(lineage) => lineage.parse::<Lineage>().ok()?.stamp(),
            None => Stamp::default(),
        };
        Some(Self { stamp, identity: facts.remove(IDENTITY) })
    }
}

/// A log that belongs to another state of a book than the one beside it, or to another book.
struct ForeignLog {
    /// Of the book that it belongs to.
    identity: Option<String>,
}

/// What a log says of the book that it belongs to, whatever file lies beside it.
fn in_log(book: &Path) -> Option<(Option<Lineage>, Option<String>)> {
    let pages = Pages::open(book).ok()?;
    let (mut lineage, mut identity): (Option<Lineage>, _) = (None, None);
    for number in pages.logged() {
        let Some(bytes) = pages.read(number) else { continue };
        let mentions = |name: &str| bytes.windows(name.len()).any(|part| part == name.as_bytes());
        if !mentions(LINEAGE) && !mentions(IDENTITY) {
            continue;
        }
        let cells = Page::of(number, &bytes);
        let cells = cells.iter().flat_map(Page::cells).flatten().filter(|cell| cell.row.is_none());
        for (name, value) in cells.filter_map(|cell| name_and_value(&cell.columns()?)) {
            match name.as_str() {
                IDENTITY => identity = Some(value),
                // A page that is not in use any more may have an older one.
                LINEAGE => {
                    let found = value.parse().ok();
                    lineage = lineage.into_iter().chain(found).max_by_key(Lineage::commits);
                }
                _ => {}
            }
        }
    }
    Some((lineage, identity))
}

/// The log beside a book, where it does not belong to it.
fn foreign_log(book: &Path) -> Option<ForeignLog> {
    if !has_log(book) {
        return None;
    }
    // The log first: where a writer goes on meanwhile, the main file does not fit, and the caller looks again.
    let (lineage, identity) = in_log(book)?;
    // A main file that cannot be read alone may have been torn while the log was written into it.
    let main = MainFile::read(book)?;
    let fits = match &lineage {
        Some(lineage) => lineage.holds(main.stamp),
        // An older program wrote it.
        None => identity.is_none() || main.identity.is_none() || identity == main.identity,
    };
    (!fits).then_some(ForeignLog { identity })
}

/// Whether changes wait in SQLite's log beside the book.
pub(super) fn has_log(book: &Path) -> bool {
    fs::metadata(beside(book, "-wal")).is_ok_and(|log| log.len() > 0)
}

/// The lineage of a book as a connection sees it, with the log.
pub(super) fn lineage_of(connection: &Connection) -> rusqlite::Result<Lineage> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE name = ?1")?;
    let text: Option<String> = statement.query_row([LINEAGE], |row| row.get(0)).optional()?;
    Ok(text.and_then(|text| text.parse().ok()).unwrap_or_default())
}

/// How many frames of the log are committed; none where SQLite does not say. What a large import writes into it
/// before its commit does not count, and may be many gigabytes.
fn frames(connection: &Connection) -> Option<i64> {
    // An older SQLite takes the word for a checkpoint.
    if rusqlite::version_number() < SINCE_NOOP {
        return None;
    }
    connection.query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| row.get(1)).ok()
}

/// Whether what a connection sees is of the book's main file as it is now. The connection has just been opened.
pub(super) fn belongs(connection: &Connection, book: &Path) -> bool {
    let seen = lineage_of(connection);
    if !has_log(book) || frames(connection) == Some(0) {
        // Another process that still has the book open as it was may have set the number of pages that
        // SQLite assumes.
        let is_corrupt =
            seen.is_err_and(|error| error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt));
        return !is_corrupt || MainFile::read(book).is_none();
    }
    // Mostly so, and found out without going through the log. A lineage that is the main file's own may have
    // been read past the log, where tables lie in other places.
    let main = MainFile::read(book).map(|main| main.stamp);
    if let (Ok(seen), Some(main)) = (seen, main)
        && seen.stamp() != main
        && seen.holds(main)
    {
        return true;
    }
    foreign_log(book).is_none()
}

/// As [`set_aside`], for a reader without SQLite.
pub(super) fn set_foreign_aside(book: &Path, is_writer: bool) -> Result<(), StoreError> {
    if foreign_log(book).is_some() { set_aside(book, is_writer) } else { Ok(()) }
}

/// Sets a log aside that does not belong to the book, and reports it. Where a writer is at work it is
/// waited for: it notices within a second that its book was replaced. `is_writer` says that the caller has the
/// book's lock. No connection of this process may be open.
pub(super) fn set_aside(book: &Path, is_writer: bool) -> Result<(), StoreError> {
    if is_writer {
        return set_aside_alone(book);
    }
    let started = Instant::now();
    let lock = loop {
        match WriterLock::acquire(book) {
            Ok(lock) => break lock,
            Err(error) if !error.is_busy() || started.elapsed() > PATIENCE => return Err(error),
            Err(_) if has_log(book) && foreign_log(book).is_none() => return Ok(()),
            Err(_) => std::thread::sleep(LOOK_EVERY),
        }
    };
    let done = set_aside_alone(book);
    lock.forget_new(book);
    done
}

/// As [`set_aside`], for the holder of the book's lock.
fn set_aside_alone(book: &Path) -> Result<(), StoreError> {
    if !has_log(book) {
        return remove_index(book).and_then(|()| remove(&beside(book, "-wal")));
    }
    match foreign_log(book) {
        Some(log) => put_log_aside(book, log.identity.as_deref()),
        None => Ok(()),
    }
}

/// Sets the log of a book aside under the identity of the book that it belongs to, and reports it.
pub(super) fn put_log_aside(book: &Path, identity: Option<&str>) -> Result<(), StoreError> {
    // First what SQLite makes anew: an interruption here means to begin again.
    remove_index(book)?;
    let log = beside(book, "-wal");
    let kept = put_aside(&log, identity).map_err(|cause| failed(&log, cause))?;
    tracing::warn!(
        "{} belongs to another state of the book than {} is now, which was replaced or restored: nothing was \
         taken from it, and it is kept as {}",
        log.display(),
        book.display(),
        kept.display()
    );
    Ok(())
}

/// Takes SQLite's index of the log away, which it makes anew. Programs that have the book open keep theirs.
pub(super) fn remove_index(book: &Path) -> Result<(), StoreError> {
    remove(&beside(book, "-shm"))
}

/// Takes away what other programs made in place of a log that was deleted, now that all of it is in the
/// main file. What cannot be removed, or is not empty, is judged by the next process that opens the book.
pub(super) fn tidy_after_loss(book: &Path) {
    let _ = remove_index(book);
    if !has_log(book) {
        let _ = remove(&beside(book, "-wal"));
    }
}

fn remove(file: &Path) -> Result<(), StoreError> {
    match fs::remove_file(file) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => Err(failed(file, cause)),
        _ => Ok(()),
    }
}

fn failed(file: &Path, cause: std::io::Error) -> StoreError {
    StoreError::File { action: "set aside", path: file.to_owned(), cause }
}
