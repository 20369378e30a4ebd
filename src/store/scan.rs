//! Going through many rows of integers. SQLite hands each row to a function of ours, as it would to
//! `sum`, instead of returning it: a row costs half of what it does through a statement that is
//! stepped, and each of its columns a tenth. Where SQLite itself has checked the types, in a STRICT
//! table when the row was written, nobody need check them again.
#![allow(unsafe_code)]

use std::any::Any;
use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

use rusqlite::{Connection, ffi};

/// The name of our function in SQL.
const TAKE: &CStr = c"take_row";

/// What SQLite calls the pointer to a [`Taker`]. A pointer of another name, or anything else in its
/// place, never reaches us.
const TAKER: &CStr = c"rosebill row taker";

/// A row that is handed over: as many integers as columns were asked for.
#[derive(Clone, Copy)]
pub(super) struct ScannedRow<'r>(&'r [*mut ffi::sqlite3_value]);

impl ScannedRow<'_> {
    /// A column as an integer; 0 when it is null, or when there is no such column.
    #[inline]
    pub(super) fn integer(&self, column: usize) -> i64 {
        // SAFETY: SQLite gave the values and keeps them until the call that got them returns, which
        // a row does not outlive.
        self.0.get(column).map_or(0, |&value| unsafe { ffi::sqlite3_value_int64(value) })
    }

    /// As [`ScannedRow::integer`], but none when it is null.
    #[inline]
    pub(super) fn optional(&self, column: usize) -> Option<i64> {
        let &value = self.0.get(column)?;
        // SAFETY: as for `integer`.
        let kind = unsafe { ffi::sqlite3_value_type(value) };
        (kind != ffi::SQLITE_NULL).then(|| self.integer(column))
    }
}

/// Who takes the rows of a scan.
struct Taker<'a> {
    /// False to stop.
    take: &'a mut dyn FnMut(ScannedRow<'_>) -> bool,
    /// What it panicked with: no panic may pass through SQLite.
    panic: Option<Box<dyn Any + Send>>,
}

/// Makes scans possible on a connection.
pub(super) fn allow_scans(connection: &Connection) -> rusqlite::Result<()> {
    // SAFETY: the connection is open as long as it is borrowed; the functions live as long as the
    // program, and use no data of their own.
    let result = unsafe {
        ffi::sqlite3_create_function_v2(
            connection.handle(),
            TAKE.as_ptr(),
            -1,
            ffi::SQLITE_UTF8 | ffi::SQLITE_DIRECTONLY,
            ptr::null_mut(),
            None,
            Some(step),
            Some(end),
            None,
        )
    };
    check(connection, result)
}

/// Gives every row of a query to `each`, in the order in which SQLite comes upon them. `columns` and
/// `from` are the query without `SELECT` and `FROM`; the parameters count from `?2` on.
///
/// `each` may ask the connection other things, also by a scan. An error of it ends the scan.
///
/// # Errors
/// The query is wrong or cannot be answered, or those of `each`.
pub(super) fn scan<E>(
    connection: &Connection,
    columns: &str,
    from: &str,
    parameters: &[i64],
    failed: impl FnOnce(rusqlite::Error) -> E,
    mut each: impl FnMut(ScannedRow<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut error = None;
    let mut take = |row: ScannedRow<'_>| match each(row) {
        Ok(()) => true,
        Err(cause) => {
            error = Some(cause);
            false
        }
    };
    let mut taker = Taker { take: &mut take, panic: None };
    let result = run(connection, columns, from, parameters, &mut taker);
    if let Some(panic) = taker.panic {
        resume_unwind(panic);
    }
    match error {
        Some(error) => Err(error),
        None => result.map_err(failed),
    }
}

fn run(
    connection: &Connection,
    columns: &str,
    from: &str,
    parameters: &[i64],
    taker: &mut Taker<'_>,
) -> rusqlite::Result<()> {
    let statement =
        Statement::new(connection, &format!("SELECT take_row(?1, {columns}) FROM {from}"))?;
    // SAFETY: the taker outlives the statement, and is used by nobody else while that is stepped.
    let result = unsafe {
        ffi::sqlite3_bind_pointer(
            statement.handle,
            1,
            ptr::from_mut(taker).cast::<c_void>(),
            TAKER.as_ptr(),
            None,
        )
    };
    check(connection, result)?;
    for (number, &parameter) in (2..).zip(parameters) {
        // SAFETY: the statement was prepared; a wrong number gives an error code.
        let result = unsafe { ffi::sqlite3_bind_int64(statement.handle, number, parameter) };
        check(connection, result)?;
    }
    loop {
        // SAFETY: the statement was prepared and is not finalized yet.
        match unsafe { ffi::sqlite3_step(statement.handle) } {
            // Of what the function says in the end there is one row.
            ffi::SQLITE_ROW => {}
            ffi::SQLITE_DONE => return Ok(()),
            code => return Err(error(connection, code)),
        }
    }
}

/// Called by SQLite for every row: first our pointer, then the columns.
unsafe extern "C" fn step(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    let count = usize::try_from(count).unwrap_or_default();
    if count == 0 {
        return;
    }
    // SAFETY: SQLite gives so many valid values.
    let values = unsafe { std::slice::from_raw_parts(values, count) };
    let Some((&first, columns)) = values.split_first() else { return };
    // SAFETY: a valid value; null unless it is a pointer that was bound under this name, which only
    // `run` does.
    let taker = unsafe { ffi::sqlite3_value_pointer(first, TAKER.as_ptr()) }.cast::<Taker<'_>>();
    // SAFETY: `run` bound it to a taker that lives, and that only this statement uses, while it is
    // stepped; a nested scan has one of its own.
    let Some(taker) = (unsafe { taker.as_mut() }) else { return };
    let taken = catch_unwind(AssertUnwindSafe(|| (taker.take)(ScannedRow(columns))));
    let goes_on = taken.unwrap_or_else(|panic| {
        taker.panic = Some(panic);
        false
    });
    if !goes_on {
        // SAFETY: the context is valid during this call. It ends the statement; `scan` knows why.
        unsafe { ffi::sqlite3_result_error_code(context, ffi::SQLITE_ABORT) };
    }
}

/// Called by SQLite after the last row: there is nothing to say.
unsafe extern "C" fn end(_: *mut ffi::sqlite3_context) {}

/// A prepared statement.
struct Statement {
    handle: *mut ffi::sqlite3_stmt,
}

impl Statement {
    fn new(connection: &Connection, sql: &str) -> rusqlite::Result<Self> {
        let length = c_int::try_from(sql.len()).map_err(|_| rusqlite::Error::InvalidQuery)?;
        let mut handle = ptr::null_mut();
        // SAFETY: the connection is open as long as it is borrowed; the text and its length belong
        // together; the statement is finalized when this is dropped, and only then.
        let result = unsafe {
            ffi::sqlite3_prepare_v2(
                connection.handle(),
                sql.as_ptr().cast(),
                length,
                &raw mut handle,
                ptr::null_mut(),
            )
        };
        check(connection, result)?;
        Ok(Self { handle })
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: prepared in `new` and used nowhere after this; null is allowed.
        unsafe { ffi::sqlite3_finalize(self.handle) };
    }
}

fn check(connection: &Connection, result: c_int) -> rusqlite::Result<()> {
    if result == ffi::SQLITE_OK { Ok(()) } else { Err(error(connection, result)) }
}

fn error(connection: &Connection, code: c_int) -> rusqlite::Error {
    // SAFETY: the connection is open; the message is valid until the next call on it, and copied
    // before that.
    let message = unsafe {
        let message = ffi::sqlite3_errmsg(connection.handle());
        (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
    };
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        allow_scans(&connection).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE t (a INTEGER NOT NULL PRIMARY KEY, b INTEGER) STRICT;
                 INSERT INTO t VALUES
                     (1, NULL), (-9223372036854775808, 9223372036854775807), (7, 0), (8, -1);",
            )
            .unwrap();
        connection
    }

    fn failed(error: rusqlite::Error) -> String {
        error.to_string()
    }

    #[test]
    fn reads_what_rusqlite_reads() {
        let connection = connection();
        for parameter in [7, 1, 99] {
            let mut safe = Vec::new();
            let mut statement = connection.prepare("SELECT a, b FROM t WHERE a <> ?1").unwrap();
            let mut rows = statement.query([parameter]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let pair: (i64, Option<i64>) = (row.get(0).unwrap(), row.get(1).unwrap());
                safe.push(pair);
            }
            let mut ours = Vec::new();
            scan(&connection, "a, b", "t WHERE a <> ?2", &[parameter], failed, |row| {
                assert_eq!((row.integer(2), row.optional(2)), (0, None));
                ours.push((row.integer(0), row.optional(1)));
                Ok(())
            })
            .unwrap();
            assert_eq!(ours, safe);
            assert!(safe.len() >= 3);
        }
    }

    #[test]
    fn errors_are_those_of_sqlite_or_of_the_taker() {
        let connection = connection();
        let fails = |columns: &str, from: &str, parameters: &[i64]| {
            scan(&connection, columns, from, parameters, failed, |_| Ok(())).unwrap_err()
        };
        assert!(fails("a", "nowhere", &[]).contains("no such table"));
        assert!(fails("a", "t", &[1]).contains("out of range"));
        assert!(fails("abs(a)", "t", &[]).contains("overflow"));
        let mut count = 0;
        let stopped = scan(&connection, "a", "t", &[], failed, |_| {
            count += 1;
            if count == 2 { Err("enough".to_owned()) } else { Ok(()) }
        });
        assert_eq!((stopped, count), (Err("enough".to_owned()), 2));
        // What failed holds nothing up.
        connection.execute_batch("DROP TABLE t").unwrap();
    }

    #[test]
    fn a_taker_may_ask_scan_and_panic() {
        let connection = connection();
        let mut sums = Vec::new();
        scan(&connection, "a", "t", &[], failed, |row| {
            let mut below = 0;
            scan(&connection, "a", "t WHERE a < ?2", &[row.integer(0)], failed, |_| {
                below += 1;
                Ok(())
            })?;
            let all: i64 =
                connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
            sums.push((below, all));
            Ok(())
        })
        .unwrap();
        assert_eq!(sums, [(0, 4), (1, 4), (2, 4), (3, 4)]);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            scan(&connection, "a", "t", &[], failed, |_| -> Result<(), String> { panic!("no") })
        }));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"no"));
        connection.execute_batch("DROP TABLE t").unwrap();
    }

    /// Whoever calls the function from SQL, without our pointer, gets nothing and breaks nothing.
    #[test]
    fn others_cannot_call_it() {
        let connection = connection();
        for call in ["take_row()", "take_row(12345, a)", "take_row(x'00', a, b)", "take_row(NULL)"]
        {
            let sql = format!("SELECT {call} FROM t");
            let answer: Option<i64> = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
            assert_eq!(answer, None, "{call}");
        }
    }
}
