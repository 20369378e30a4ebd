//! Going through many rows of nodes. A statement that returns each row costs more than finding it:
//! instead SQLite asks a function of ours whether it wants the row, which lays the columns on a tray
//! and says yes when that is full.
//!
//! In what order SQLite asks it promises nowhere; but a statement that is bound to the primary key by `INDEXED BY`
//! and returns its rows in the order of that key needs no sorting, so rows can only be visited in the order in which
//! they have to be returned. Each user of the rows checks that, row by row.

use std::sync::{Arc, Mutex, MutexGuard};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Params};

use crate::othello::lock::lock;

/// Columns of a row that is scanned.
const WIDTH: usize = 8;

/// Rows on a full tray.
const FULL: usize = 256;

#[derive(Clone, Copy)]
pub(super) struct ScannedRow {
    columns: [i64; WIDTH],
    /// A bit for each column that is null.
    nulls: u8,
}

impl ScannedRow {
    /// A column as an integer; 0 when it is null.
    #[inline]
    pub(super) fn integer(&self, column: usize) -> i64 {
        self.columns[column]
    }

    /// As [`ScannedRow::integer`], but none when it is null.
    #[inline]
    pub(super) fn optional(&self, column: usize) -> Option<i64> {
        (self.nulls >> column & 1 == 0).then(|| self.integer(column))
    }

    /// Whatever is no integer counts as null: in a STRICT table there is nothing else.
    #[inline]
    fn of<const GIVEN: usize>(values: &Context<'_>) -> Self {
        let mut row = Self { columns: [0; WIDTH], nulls: 0 };
        for (column, value) in row.columns.iter_mut().enumerate().take(GIVEN) {
            match values.get_raw(column) {
                ValueRef::Integer(integer) => *value = integer,
                _ => row.nulls |= 1 << column,
            }
        }
        row
    }
}

/// Where the rows of a connection are until they are taken.
#[derive(Clone, Default, Debug)]
pub(super) struct Tray(Arc<Mutex<Vec<ScannedRow>>>);

impl std::fmt::Debug for ScannedRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.columns.fmt(f)
    }
}

impl Tray {
    /// Gives a connection the function `tray_is_full`, of all columns of a row and of those of its key alone.
    pub(super) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let tray = Self::default();
        tray.lay::<WIDTH>(connection)?;
        tray.lay::<2>(connection)?;
        Ok(tray)
    }

    fn lay<const GIVEN: usize>(&self, connection: &Connection) -> rusqlite::Result<()> {
        let laid = self.clone();
        let flags = FunctionFlags::SQLITE_DIRECTONLY;
        connection.create_scalar_function("tray_is_full", GIVEN as i32, flags, move |values| {
            let mut rows = laid.rows();
            rows.push(ScannedRow::of::<GIVEN>(values));
            Ok(rows.len() >= FULL)
        })
    }

    fn rows(&self) -> MutexGuard<'_, Vec<ScannedRow>> {
        lock(&self.0)
    }

    /// Runs a statement whose condition asks `tray_is_full`, and gives all rows to `each` as they were
    /// visited. `each` may ask the connection other things, also by a scan.
    pub(super) fn scan<E>(
        &self,
        connection: &Connection,
        sql: &str,
        parameters: impl Params,
        failed: impl Fn(rusqlite::Error) -> E,
        mut each: impl FnMut(ScannedRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut statement = connection.prepare_cached(sql).map_err(&failed)?;
        let mut returned = statement.query(parameters).map_err(&failed)?;
        // Left by a scan that failed.
        self.rows().clear();
        let mut taken = Vec::with_capacity(FULL);
        loop {
            let goes_on = returned.next().map_err(&failed)?.is_some();
            std::mem::swap(&mut *self.rows(), &mut taken);
            taken.drain(..).try_for_each(&mut each)?;
            if !goes_on {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> (Connection, Tray) {
        let connection = Connection::open_in_memory().unwrap();
        let tray = Tray::of(&connection).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE t (discs INTEGER NOT NULL, a INTEGER NOT NULL, b INTEGER,
                                 PRIMARY KEY (discs, a)) WITHOUT ROWID, STRICT;
                 INSERT INTO t VALUES (1, 1, NULL), (1, -9223372036854775808, 9223372036854775807),
                                      (2, 7, 0), (1, 8, -1);
                 WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)
                 INSERT INTO t SELECT 3, n * 7919 % 1009, n FROM n;",
            )
            .unwrap();
        (connection, tray)
    }

    const SCAN: &str = "SELECT NULL FROM t WHERE discs = ?1 \
                        AND tray_is_full(discs, a, b, 3, NULL, -5, 'x', b) ORDER BY a";

    fn failed(error: rusqlite::Error) -> String {
        error.to_string()
    }

    fn scanned(connection: &Connection, tray: &Tray, discs: i64) -> Vec<(i64, Option<i64>)> {
        let mut rows = Vec::new();
        tray.scan(connection, SCAN, [discs], failed, |row| {
            assert_eq!((row.integer(0), row.integer(3), row.optional(5)), (discs, 3, Some(-5)));
            assert_eq!((row.integer(4), row.optional(4), row.optional(6)), (0, None, None));
            assert_eq!(row.optional(7), row.optional(2));
            rows.push((row.integer(1), row.optional(2)));
            Ok(())
        })
        .unwrap();
        rows
    }

    #[test]
    fn scans_may_nest_fail_and_go_on() {
        let (connection, tray) = table();
        let mut inner = 0;
        tray.scan(&connection, SCAN, [3], failed, |_| {
            if inner < 2 {
                assert_eq!(scanned(&connection, &tray, 3).len(), 1000);
                inner += 1;
            }
            Ok(())
        })
        .unwrap();
        let mut seen = 0;
        let stopped = tray.scan(&connection, SCAN, [3], failed, |_| {
            seen += 1;
            if seen == 2 { Err("enough".to_owned()) } else { Ok(()) }
        });
        assert_eq!((stopped, seen), (Err("enough".to_owned()), 2));
        assert_eq!(scanned(&connection, &tray, 2), [(7, Some(0))]);
        let overflow = SCAN.replace("-5", "abs(a)");
        assert!(tray.scan(&connection, &overflow, [1], failed, |_| Ok(())).is_err());
        assert_eq!(scanned(&connection, &tray, 2), [(7, Some(0))]);
        let nowhere = SCAN.replace("FROM t", "FROM nowhere");
        assert!(tray.scan(&connection, &nowhere, [1], failed, |_| Ok(())).is_err());
        // What failed holds nothing up.
        connection.flush_prepared_statement_cache();
        connection.execute_batch("DROP TABLE t").unwrap();
    }
}
