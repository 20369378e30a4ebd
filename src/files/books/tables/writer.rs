//! The SQLite file that the tables are written to.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, Params};

use super::super::write::WriteError;
use crate::othello::search::Stop;
use crate::store::TABLES_ID;

/// The version of the tables, raised when a column changes its meaning.
pub(super) const VERSION: u32 = 1;

/// What the file is like while it is written: another one is where it was until it is complete.
const WRITTEN_ONCE: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; \
    PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -131072; PRAGMA foreign_keys = OFF;";

/// Steps of SQLite between two looks at the stop.
const STEPS: i32 = 100_000;

pub(super) struct TableWriter(Connection);

impl TableWriter {
    /// Takes a file that is empty or not there.
    pub(super) fn create(path: &Path, stop: &Stop) -> Result<Self, WriteError> {
        // By its whole path, which is never taken for something else than a file.
        let connection = Connection::open(std::path::absolute(path)?)?;
        let stop = stop.clone();
        connection.progress_handler(STEPS, Some(move || stop.is_stopped()))?;
        connection.execute_batch(WRITTEN_ONCE)?;
        connection.pragma_update(None, "application_id", TABLES_ID)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        connection.execute_batch(include_str!("tables.sql"))?;
        connection.execute_batch("BEGIN")?;
        // Each statement of an insertion is prepared once.
        connection.set_prepared_statement_cache_capacity(32);
        Ok(Self(connection))
    }

    pub(super) fn insert(&self, sql: &str, row: impl Params) -> Result<(), WriteError> {
        self.0.prepare_cached(sql)?.execute(row)?;
        Ok(())
    }

    /// Takes a position that is not there yet, with its key and its board before the other columns.
    ///
    /// # Errors
    /// [`WriteError::SameKey`] where another position has its key: a row would then be about two.
    pub(super) fn insert_position(
        &self,
        key: i64,
        board: &str,
        sql: &str,
        row: impl Params,
    ) -> Result<(), WriteError> {
        match self.0.prepare_cached(sql)?.execute(row) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                let sql = "SELECT board FROM positions WHERE key = ?1";
                let other: String = self.0.query_row(sql, [key], |row| row.get(0))?;
                Err(WriteError::SameKey { key, boards: [other, board.to_owned()] })
            }
            done => Ok(done.map(|_| ())?),
        }
    }

    /// Makes the indexes; returns how many rows each table has.
    pub(super) fn finish(self) -> Result<Vec<(String, u64)>, WriteError> {
        self.0.execute_batch("COMMIT")?;
        self.0.execute_batch(include_str!("indexes.sql"))?;
        let count = |table: String| -> rusqlite::Result<_> {
            let sql = format!("SELECT count(*) FROM {table}");
            let rows: i64 = self.0.query_row(&sql, [], |row| row.get(0))?;
            Ok((table, rows.unsigned_abs()))
        };
        Ok(table_names(&self.0)?.into_iter().map(count).collect::<Result<_, _>>()?)
    }
}

/// The tables of a file, in the order in which they are defined.
pub(super) fn table_names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
               ORDER BY rowid";
    connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

impl From<rusqlite::Error> for WriteError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Self::Stopped,
            Some(ErrorCode::DiskFull) => Self::Io(std::io::ErrorKind::StorageFull.into()),
            _ => Self::Io(std::io::Error::other(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_positions_with_one_key_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let tables = TableWriter::create(&folder.path().join("a"), &Stop::new()).unwrap();
        let sql = "INSERT INTO positions (key, board, discs, empties, in_book, games) \
                   VALUES (?1, ?2, 4, 60, 0, 0)";
        let insert = |key: i64, board: &str| tables.insert_position(key, board, sql, (key, board));
        insert(1, "one").unwrap();
        insert(2, "two").unwrap();
        let error = insert(1, "other").unwrap_err();
        assert_eq!(error.to_string(), "two positions have the key 1: one and other");
    }

    #[test]
    fn what_is_stopped_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let stop = Stop::new();
        let tables = TableWriter::create(&folder.path().join("a"), &stop).unwrap();
        stop.stop();
        let long = "INSERT INTO about WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a \
                    LIMIT 1000000) SELECT n, '' FROM a";
        assert!(matches!(tables.insert(long, []), Err(WriteError::Stopped)));
    }
}
