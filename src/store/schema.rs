//! Making and opening book files. A file that is not a book of ours is never changed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, Transaction};
use rusqlite_migration::{M, Migrations};

use super::StoreError;
use super::check_before_writing::check_before_writing;
use super::connection::BookConnection;
use super::file_names::led_to;
use super::first_bytes::{APPLICATION_ID, SNAPSHOT_MAGIC, TABLES_ID};
use super::games::renew_fingerprints;
use super::lineage::IDENTITY;
use super::log::{belongs, has_log, set_aside};
use super::new_book::NewBook;
use super::open_files::{held_file, read_at};
use super::pages::{MAGIC, PAGE_SIZE};
use crate::openbook::Hint;

/// The oldest schema version of a released program. Books before it are refused.
const OLDEST: u32 = 7;

/// One of each schema version; forward only: a released file is never changed.
const MIGRATIONS: &[&str] = &[
    "",
    "",
    "",
    "",
    "",
    "",
    include_str!("../../migrations/0007_book.sql"),
    include_str!("../../migrations/0008_fingerprint.sql"),
    include_str!("../../migrations/0009_fleet_result.sql"),
    include_str!("../../migrations/0010_evidence.sql"),
    include_str!("../../migrations/0011_undo.sql"),
    include_str!("../../migrations/0012_remarks.sql"),
    "",
    include_str!("../../migrations/0014_views.sql"),
];

/// Draws what is kept under the name [`IDENTITY`], where there is nothing of the kind yet: SQLite draws it.
pub(super) const DRAW_IDENTITY: &str = "INSERT OR IGNORE INTO meta (name, value) \
                                        VALUES (?1, lower(hex(randomblob(8))))";

/// The schema version that brought the fingerprints of today.
const FINGERPRINTS: usize = 8;

fn migrations() -> Migrations<'static> {
    let step = |(sql, version): (&&'static str, usize)| match version {
        FINGERPRINTS => M::up_with_hook(sql, |transaction: &Transaction<'_>| {
            Ok(renew_fingerprints(transaction)?)
        }),
        _ => M::up(sql),
    };
    Migrations::new(MIGRATIONS.iter().zip(1..).map(step).collect())
}

/// Makes an empty book. The file appears only when it is complete.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    if path.symlink_metadata().is_ok() {
        return Err(StoreError::Exists(path.to_owned()));
    }
    let new = NewBook::begin(path)?;
    fill(&new.path(), path)?;
    new.place()
}

fn fill(new: &Path, path: &Path) -> Result<(), StoreError> {
    let failed = |cause| StoreError::database(path, cause);
    let mut connection = Connection::open(literal(new)).map_err(failed)?;
    connection.pragma_update(None, "page_size", PAGE_SIZE).map_err(failed)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    migrations().to_latest(&mut connection).map_err(|cause| StoreError::schema(path, cause))?;
    connection.execute(DRAW_IDENTITY, [IDENTITY]).map_err(failed)?;
    connection.close().map_err(|(_, cause)| failed(cause))
}

/// Looks at the first bytes of a file, without SQLite, so that nothing foreign is ever touched.
pub(super) fn check_file(path: &Path) -> Result<(), StoreError> {
    let file_error = |cause: std::io::Error| match cause.kind() {
        std::io::ErrorKind::NotFound if path.is_symlink() => {
            let cause = std::io::Error::other("it is a link, and nothing is where it leads");
            StoreError::File { action: "read", path: path.to_owned(), cause }
        }
        std::io::ErrorKind::NotFound => StoreError::Missing(path.to_owned()),
        _ => StoreError::File { action: "read", path: path.to_owned(), cause },
    };
    let foreign_with = |found: &str, hint| {
        Err(StoreError::Foreign { path: path.to_owned(), found: found.to_owned(), hint })
    };
    let foreign = |found| foreign_with(found, None);
    let metadata = std::fs::metadata(path).map_err(file_error)?;
    if metadata.is_dir() {
        return foreign("it is a folder");
    }
    if !metadata.is_file() {
        return foreign("it is not a regular file");
    }
    let mut header = vec![0; metadata.len().min(100) as usize];
    let file = held_file(path).map_err(file_error)?;
    read_at(&file, &mut header, 0).map_err(file_error)?;
    if header.is_empty() {
        return foreign("the file is empty");
    }
    if !header.starts_with(MAGIC) {
        if header.starts_with(SNAPSHOT_MAGIC) {
            let hint = Hint::Restore { snapshot: path.to_owned() };
            return foreign_with("it is a snapshot of one", Some(hint));
        }
        let hint = Hint::ImportBook { file: Some(path.to_owned()) };
        return foreign_with("it is not an SQLite file (another program's book?)", Some(hint));
    }
    let number = |at: usize| {
        header.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes)
    };
    match number(68) {
        Some(APPLICATION_ID) => {}
        Some(TABLES_ID) => return foreign("it has tables of a book, for other programs"),
        Some(_) => return foreign("it is another program's SQLite file"),
        None => {
            return Err(StoreError::Damaged {
                path: path.to_owned(),
                what: format!("the file ends after {} bytes", header.len()),
            });
        }
    }
    number(60).map_or(Ok(()), |version| check_version(path, version))
}

/// Whether this program reads books of a schema version.
fn check_version(path: &Path, found: u32) -> Result<(), StoreError> {
    let (path, known) = (path.to_owned(), MIGRATIONS.len() as u32);
    match found {
        ..OLDEST => Err(StoreError::Unreleased { path, found }),
        _ if found > known => Err(StoreError::Newer { path, found, known }),
        _ => Ok(()),
    }
}

/// Opens a book that exists, for a writer that has its lock.
pub(super) fn open_writer(path: &Path) -> Result<BookConnection, StoreError> {
    let mut connection = connect(path, true)?;
    check_before_writing(&connection, path)?;
    let failed = |cause| StoreError::database(path, cause);
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).map_err(failed)?;
    for (name, value) in [
        ("synchronous", "FULL"),
        ("cache_size", "-65536"),
        ("wal_autocheckpoint", "8000"),
        ("journal_size_limit", "67108864"),
        ("foreign_keys", "OFF"),
        ("temp_store", "MEMORY"),
    ] {
        connection
            .pragma_update_and_check(None, name, value, |_| Ok(()))
            .or_else(ignore_no_row)
            .map_err(failed)?;
    }
    let version = version_of(&connection).map_err(failed)?;
    check_version(path, version)?;
    if version < MIGRATIONS.len() as u32 {
        connection.move_tables().map_err(|error| StoreError::commit(path, error))?;
        migrations().to_latest(&mut connection).map_err(|cause| StoreError::schema(path, cause))?;
    }
    connection.note_log();
    Ok(connection)
}

fn version_of(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

pub(super) fn open_reader(path: &Path) -> Result<BookConnection, StoreError> {
    let failed = |cause| StoreError::database(path, cause);
    let book = led_to(path);
    let mut connection = match connect(path, false) {
        // Nothing can be renamed there, and the file can be read without a log that is not its own.
        Err(StoreError::File { action: "set aside" | "lock", .. })
            if is_in_unwritable_folder(&book) =>
        {
            connect_unchanging(path)?
        }
        connected => connected?,
    };
    let mut version = version_of(&connection);
    if version.is_err() && is_in_unwritable_folder(&book) && !has_log(&book) {
        // In a folder that cannot be written there is no place for SQLite's shared memory. No
        // process can write there either, so the file can be read as one that never changes.
        connection = connect_unchanging(path)?;
        version = version_of(&connection);
    }
    let version = version.map_err(|cause| StoreError::of_reader(path, cause, has_log(&book)))?;
    check_version(path, version)?;
    for (name, value) in [("query_only", "ON"), ("cache_size", "-16384")] {
        connection
            .pragma_update_and_check(None, name, value, |_| Ok(()))
            .or_else(ignore_no_row)
            .map_err(failed)?;
    }
    connection.note_log();
    Ok(connection)
}

/// Whether no file can be made beside a book.
fn is_in_unwritable_folder(book: &Path) -> bool {
    #[cfg(unix)]
    {
        let folder = book.parent().filter(|folder| !folder.as_os_str().is_empty());
        rustix::fs::access(folder.unwrap_or(Path::new(".")), rustix::fs::Access::WRITE_OK).is_err()
    }
    #[cfg(not(unix))]
    {
        let _ = book;
        true
    }
}

/// Some pragmas answer with a row and some do not.
fn ignore_no_row(error: rusqlite::Error) -> Result<(), rusqlite::Error> {
    match error {
        rusqlite::Error::QueryReturnedNoRows => Ok(()),
        error => Err(error),
    }
}

/// A path that SQLite takes for the name of a file: one that begins with `file:` or is `:memory:` would be
/// something else to it.
pub(super) fn literal(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| Path::new(".").join(path))
}

fn connect_unchanging(path: &Path) -> Result<BookConnection, StoreError> {
    let failed = |cause| StoreError::database(path, cause);
    // By bytes: a name need not be text.
    let escaped = literal(path).as_os_str().as_encoded_bytes().iter().fold(
        String::new(),
        |mut escaped, &byte| {
            match byte {
                b'%' | b'?' | b'#' | 0x80.. => _ = write!(escaped, "%{byte:02x}"),
                plain => escaped.push(char::from(plain)),
            }
            escaped
        },
    );
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
        .and_then(|connection| BookConnection::of(connection, &led_to(path)))
        .map_err(failed)
}

/// How often a log may turn up that belongs to another state of the book, until that is given up.
const MOST_TRIES: usize = 3;

/// Opens a book that exists. A log that does not belong to it is set aside.
fn connect(path: &Path, is_writer: bool) -> Result<BookConnection, StoreError> {
    check_file(path)?;
    let book = led_to(path);
    for _ in 0..MOST_TRIES {
        let connection = connect_to(path)?;
        if belongs(&connection, &book) {
            return Ok(connection);
        }
        drop(connection);
        set_aside(&book, is_writer)?;
    }
    // Reading it will show.
    connect_to(path)
}

fn connect_to(path: &Path) -> Result<BookConnection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let failed = |cause| StoreError::database(path, cause);
    let connection = Connection::open_with_flags(literal(path), flags).map_err(failed)?;
    connection.busy_timeout(std::time::Duration::from_secs(5)).map_err(failed)?;
    // No mapping: of a book that is not in the system's cache each look into a mapping would read as much
    // of the file as the disk reads ahead, and a file that is cut short, or a disk that fails, would kill
    // the process.
    connection
        .pragma_update_and_check(None, "mmap_size", "0", |_| Ok(()))
        .or_else(ignore_no_row)
        .map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(32);
    BookConnection::of(connection, &led_to(path)).map_err(failed)
}

#[cfg(test)]
mod tests {
    use rusqlite::params;

    use super::*;
    use crate::openbook::{Node, NodeSource, Rest, Searched, Source};
    use crate::othello::board::Key;
    use crate::othello::score::Score;
    use crate::othello::search::{Proof, Selectivity};
    use crate::store::row::{ValueColumns, pack_short, signed, storage_order};
    use crate::store::sample::reachable;
    use crate::store::{Book, Reader};

    /// Makes a book as the program of a schema version wrote it.
    fn write_old(path: &Path, version: usize, nodes: &[Node]) {
        let connection = Connection::open(path).unwrap();
        connection.pragma_update(None, "page_size", PAGE_SIZE).unwrap();
        connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        MIGRATIONS[..version].iter().for_each(|sql| connection.execute_batch(sql).unwrap());
        // What no longer comes with the table that it was of.
        let replaced = "CREATE VIEW book AS SELECT discs FROM node; DROP VIEW square;
                        CREATE TABLE IF NOT EXISTS fleet_result (discs INTEGER);
                        INSERT INTO source VALUES (0, 'edax', '', '', '', '', '', '')";
        connection.execute_batch(replaced).unwrap();
        connection.pragma_update(None, "user_version", version as u32).unwrap();
        let insert = "INSERT INTO node VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let count =
            "INSERT INTO layer VALUES (?1, 1) ON CONFLICT DO UPDATE SET positions = positions + 1";
        for node in nodes {
            let (discs, mover, opponent) = storage_order(node.key);
            let ValueColumns { guess, draw_seeking, win_seeking, bounds } = node.values.into();
            let rest = pack_short(node.record, node.searched);
            let seeking = (draw_seeking, win_seeking);
            let links = signed(node.links.bits());
            let columns =
                params![discs, mover, opponent, guess, seeking.0, seeking.1, bounds, rest, links];
            connection.execute(insert, columns).unwrap();
            connection.execute(count, [discs]).unwrap();
        }
        connection.close().unwrap();
    }

    #[test]
    fn released_books_open_and_no_value_moves() {
        const DEEPEST: u8 = 9;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut book = Book::create(path("new.db")).unwrap();
        let source = Source { engine: "edax".to_owned(), ..Source::default() };
        let source = book.source_id(&source).unwrap();
        let searched = Searched { depth: 7, selectivity: Selectivity::FULL, source };
        let keys: Vec<Key> = (4..=DEEPEST).flat_map(reachable).collect();
        for (&key, number) in keys.iter().zip(1_i16..) {
            let proof = Proof::ALL[usize::from(number.unsigned_abs()) % Proof::ALL.len()];
            let score = Score::from_centidiscs(match proof {
                Proof::Exact => number % 30 * 200,
                Proof::Win | Proof::NotLost => number % 3000 + 200,
                _ => -(number % 3000) - 200,
            });
            let square = key.position().legal_moves().next();
            let rest = (key.discs() == DEEPEST).then_some(Rest { square, score, proof });
            book.insert(key, rest, searched).unwrap();
        }
        book.commit().unwrap();
        let nodes: Vec<Node> =
            keys.iter().map(|key| book.reader.node(key).unwrap().unwrap()).collect();
        assert!(nodes.len() > 300);
        for version in 7..=9 {
            let old = path(&format!("{version}.db"));
            write_old(&old, version, &nodes);
            let check = |reader: &Reader| {
                for node in &nodes {
                    let read = reader.node(&node.key).unwrap().unwrap();
                    let facts = |node: &Node| (node.values, node.links, node.record, node.searched);
                    assert_eq!(facts(&read), facts(node), "schema {version}");
                }
                let report = reader.verify().unwrap();
                assert!(report.is_sound(), "schema {version}: {:?}", report.first);
            };
            check(&Reader::open(&old).unwrap());
            let book = Book::open(&old).unwrap();
            check(book.reader());
            let rows = "SELECT count(board) FROM book";
            let rows: i64 = book.reader.connection.query_row(rows, [], |row| row.get(0)).unwrap();
            assert_eq!(rows, nodes.len() as i64);
        }
    }
}
