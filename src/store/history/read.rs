//! Asking for the history of a book.

use rusqlite::{Row, params};

use super::{HistoryPoint, HistoryPointId, PastValue};
use crate::openbook::Values;
use crate::othello::board::Key;
use crate::store::row::{RowError, ValueColumns, storage_order, stored_values, unsigned};
use crate::store::{History, RunId, StoreError};

impl History<'_> {
    /// All checkpoints, the oldest first.
    pub fn points(&self) -> Result<Vec<(HistoryPointId, HistoryPoint)>, StoreError> {
        let sql = "SELECT id, run, positions, searches, milliseconds, taken FROM history_point \
                   ORDER BY id";
        self.reader.rows(sql, [], |row| {
            let point = HistoryPoint {
                run: RunId(row.get(1)?),
                positions: unsigned(row.get(2)?),
                searches: unsigned(row.get(3)?),
                milliseconds: unsigned(row.get(4)?),
                taken: row.get(5)?,
            };
            Ok((HistoryPointId(row.get(0)?), point))
        })
    }

    /// The positions whose values are kept, in the order in which they came.
    pub(crate) fn positions(&self) -> Result<Vec<Key>, StoreError> {
        let sql = "SELECT mover, opponent FROM history_position ORDER BY id";
        self.reader.keys(sql, [], "the history")
    }

    /// What a position was worth, the oldest first: each from its checkpoint on, until the next. None
    /// when nothing is kept of it.
    pub(crate) fn of(&self, key: Key) -> Result<Option<Vec<PastValue>>, StoreError> {
        let Some(number) = self.number(key)? else { return Ok(None) };
        let sql = "SELECT point, guess, draw_seeking, win_seeking, bounds FROM history_value \
                   WHERE position = ?1 ORDER BY point";
        self.reader.rows(sql, [number], past_value).map(Some)
    }

    /// How many values are kept.
    pub(crate) fn count_values(&self) -> Result<u64, StoreError> {
        self.reader.number("SELECT count(*) FROM history_value")
    }

    /// The number of a position whose values are kept.
    pub(super) fn number(&self, key: Key) -> Result<Option<i64>, StoreError> {
        let (_, mover, opponent) = storage_order(key);
        let sql = "SELECT id FROM history_position WHERE mover = ?1 AND opponent = ?2";
        self.reader.first(sql, params![mover, opponent], |row| Ok(row.get(0)?))
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
pub(in crate::store) fn values_of(columns: [Option<i64>; 4]) -> Option<Option<Values>> {
    let [guess, draw_seeking, win_seeking, bounds] = columns;
    let Some(guess) = guess else { return Some(None) };
    stored_values(&ValueColumns { guess, draw_seeking, win_seeking, bounds }).map(Some)
}
