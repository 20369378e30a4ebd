//! Reading many rows of integers. rusqlite asks for the type of every column of every row and checks
//! it; where SQLite itself has checked it, in a STRICT table when the row was written, that is a third
//! of the time that a sweep takes. Nothing else here differs from a rusqlite statement.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use rusqlite::{Connection, ffi};

/// A SELECT being stepped through. It borrows its connection, which cannot be closed or used by
/// another thread meanwhile.
pub(super) struct Scan<'c> {
    connection: &'c Connection,
    statement: *mut ffi::sqlite3_stmt,
}

impl<'c> Scan<'c> {
    /// Prepares a SELECT with these parameters.
    pub(super) fn new(
        connection: &'c Connection,
        sql: &str,
        parameters: &[i64],
    ) -> rusqlite::Result<Self> {
        let mut scan = Self { connection, statement: ptr::null_mut() };
        let length = c_int::try_from(sql.len()).map_err(|_| rusqlite::Error::InvalidQuery)?;
        // SAFETY: the connection is open as long as it is borrowed; the text and its length belong
        // together; the statement is finalized when the scan is dropped, and only then.
        let result = unsafe {
            ffi::sqlite3_prepare_v2(
                connection.handle(),
                sql.as_ptr().cast(),
                length,
                &raw mut scan.statement,
                ptr::null_mut(),
            )
        };
        scan.check(result)?;
        if scan.statement.is_null() {
            return Err(rusqlite::Error::InvalidQuery);
        }
        for (number, &parameter) in (1..).zip(parameters) {
            // SAFETY: the statement was prepared above; a wrong number gives an error code.
            let result = unsafe { ffi::sqlite3_bind_int64(scan.statement, number, parameter) };
            scan.check(result)?;
        }
        Ok(scan)
    }

    /// Goes to the next row; false when there is none left.
    #[inline]
    pub(super) fn step(&mut self) -> rusqlite::Result<bool> {
        // SAFETY: the statement was prepared in `new` and is finalized in `drop` only.
        match unsafe { ffi::sqlite3_step(self.statement) } {
            ffi::SQLITE_ROW => Ok(true),
            ffi::SQLITE_DONE => Ok(false),
            error => Err(self.error(error)),
        }
    }

    /// A column of the row that the scan is at, as an integer; 0 when it is null, or when there is no
    /// such column or row.
    #[inline]
    pub(super) fn integer(&self, column: c_int) -> i64 {
        // SAFETY: the statement is prepared; SQLite answers for any column, and when there is no row.
        unsafe { ffi::sqlite3_column_int64(self.statement, column) }
    }

    /// As [`Scan::integer`], but none when it is null.
    #[inline]
    pub(super) fn optional(&self, column: c_int) -> Option<i64> {
        // SAFETY: as for `integer`.
        let kind = unsafe { ffi::sqlite3_column_type(self.statement, column) };
        (kind != ffi::SQLITE_NULL).then(|| self.integer(column))
    }

    fn check(&self, result: c_int) -> rusqlite::Result<()> {
        if result == ffi::SQLITE_OK { Ok(()) } else { Err(self.error(result)) }
    }

    fn error(&self, code: c_int) -> rusqlite::Error {
        // SAFETY: the connection is open; the message is valid until the next call on it, and copied
        // before that.
        let message = unsafe {
            let message = ffi::sqlite3_errmsg(self.connection.handle());
            (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
        };
        rusqlite::Error::SqliteFailure(ffi::Error::new(code), message)
    }
}

impl Drop for Scan<'_> {
    fn drop(&mut self) {
        // SAFETY: prepared in `new` and used nowhere after this; null is allowed.
        unsafe { ffi::sqlite3_finalize(self.statement) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE t (a INTEGER NOT NULL, b INTEGER) STRICT;
                 INSERT INTO t VALUES
                     (1, NULL), (-9223372036854775808, 9223372036854775807), (7, 0), (8, -1);",
            )
            .unwrap();
        connection
    }

    #[test]
    fn reads_what_rusqlite_reads() {
        let connection = connection();
        let sql = "SELECT a, b FROM t WHERE a <> ?1 ORDER BY a";
        for parameter in [7, 1, 99] {
            let mut safe = Vec::new();
            let mut statement = connection.prepare(sql).unwrap();
            let mut rows = statement.query([parameter]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let pair: (i64, Option<i64>) = (row.get(0).unwrap(), row.get(1).unwrap());
                safe.push(pair);
            }
            let mut ours = Vec::new();
            let mut scan = Scan::new(&connection, sql, &[parameter]).unwrap();
            while scan.step().unwrap() {
                ours.push((scan.integer(0), scan.optional(1)));
            }
            assert_eq!(ours, safe);
            assert!(safe.len() >= 3);
        }
    }

    #[test]
    fn errors_are_those_of_sqlite() {
        let connection = connection();
        let failed = |sql: &str, parameters: &[i64]| {
            let error = match Scan::new(&connection, sql, parameters) {
                Err(error) => error,
                Ok(mut scan) => scan.step().unwrap_err(),
            };
            error.to_string()
        };
        assert!(failed("SELECT a FROM nowhere", &[]).contains("no such table"));
        assert!(failed("SELECT a FROM t", &[1]).contains("out of range"));
        assert!(failed("SELECT abs(min(a)) FROM t", &[]).contains("overflow"));
        assert!(!failed("", &[]).is_empty());
        // What failed holds nothing up.
        connection.execute_batch("DROP TABLE t").unwrap();
    }
}
