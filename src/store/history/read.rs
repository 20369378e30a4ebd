//! Asking for the history of a book.

use rusqlite::{OptionalExtension, Row, params};

use super::{HistoryPoint, HistoryPointId, PastValue, SINCE};
use crate::openbook::Values;
use crate::othello::board::Key;
use crate::store::row::{RowError, ValueColumns, storage_order, stored_values, unsigned};
use crate::store::{Reader, RunId, StoreError};

impl Reader {
    /// All checkpoints, the oldest first.
    pub fn history_points(&self) -> Result<Vec<(HistoryPointId, HistoryPoint)>, StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(Vec::new());
        }
        let read = || -> rusqlite::Result<Vec<(HistoryPointId, HistoryPoint)>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, run, positions, searches, milliseconds, taken FROM history_point \
                 ORDER BY id",
            )?;
            let rows = statement.query_map([], |row| {
                let point = HistoryPoint {
                    run: RunId(row.get(1)?),
                    positions: unsigned(row.get(2)?),
                    searches: unsigned(row.get(3)?),
                    milliseconds: unsigned(row.get(4)?),
                    taken: row.get(5)?,
                };
                Ok((HistoryPointId(row.get(0)?), point))
            })?;
            rows.collect()
        };
        read().map_err(|cause| self.row_failed(cause.into()))
    }

    /// The positions whose values are kept, in the order in which they came.
    pub(crate) fn history_positions(&self) -> Result<Vec<Key>, StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(Vec::new());
        }
        let sql = "SELECT mover, opponent FROM history_position ORDER BY id";
        self.keys(sql, params![], "the history")
    }

    /// What a position was worth, the oldest first: each from its checkpoint on, until the next. None
    /// when nothing is kept of it.
    pub(crate) fn history_of(&self, key: Key) -> Result<Option<Vec<PastValue>>, StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(None);
        }
        let Some(number) = self.history_number(key)? else { return Ok(None) };
        let failed = |cause| self.failed(cause);
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT point, guess, draw_seeking, win_seeking, bounds FROM history_value \
                 WHERE position = ?1 ORDER BY point",
            )
            .map_err(failed)?;
        let mut rows = statement.query([number]).map_err(failed)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            found.push(past_value(row).map_err(|error| self.row_failed(error))?);
        }
        Ok(Some(found))
    }

    /// How many values are kept.
    pub(crate) fn count_past_values(&self) -> Result<u64, StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(0);
        }
        self.connection
            .prepare_cached("SELECT count(*) FROM history_value")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map(unsigned)
            .map_err(|cause| self.failed(cause))
    }

    /// The number of a position whose values are kept.
    pub(super) fn history_number(&self, key: Key) -> Result<Option<i64>, StoreError> {
        let (_, mover, opponent) = storage_order(key);
        self.connection
            .prepare_cached("SELECT id FROM history_position WHERE mover = ?1 AND opponent = ?2")
            .and_then(|mut statement| {
                statement.query_row(params![mover, opponent], |row| row.get(0)).optional()
            })
            .map_err(|cause| self.failed(cause))
    }
}

fn past_value(row: &Row<'_>) -> Result<PastValue, RowError> {
    let point = HistoryPointId(row.get(0)?);
    let values = match row.get(1)? {
        None => None,
        Some(guess) => {
            let columns = ValueColumns {
                guess,
                draw_seeking: row.get(2)?,
                win_seeking: row.get(3)?,
                bounds: row.get(4)?,
            };
            Some(stored_values(&columns).ok_or_else(|| meaningless(point))?)
        }
    };
    Ok((point, values))
}

fn meaningless(point: HistoryPointId) -> RowError {
    RowError::Meaningless(format!("a value of checkpoint {} means nothing", point.0))
}

/// The values of columns as a wreck has them; the first none is that they mean nothing, the second that
/// the position was not in the book.
pub(super) fn values_of(columns: [Option<i64>; 4]) -> Option<Option<Values>> {
    let [guess, draw_seeking, win_seeking, bounds] = columns;
    let Some(guess) = guess else { return Some(None) };
    stored_values(&ValueColumns { guess, draw_seeking, win_seeking, bounds }).map(Some)
}
