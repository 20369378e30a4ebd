//! Keeping the history of a book.

use rusqlite::params;

use super::{HistoryPoint, HistoryPointId};
use crate::openbook::Values;
use crate::othello::board::Key;
use crate::store::row::{ValueColumns, signed, storage_order};
use crate::store::{HistoryMut, StoreError};

impl HistoryMut<'_> {
    /// Keeps a checkpoint, with the values of positions that are others than at the one before: none for
    /// those that are not in the book any more.
    pub fn keep(
        &mut self,
        point: &HistoryPoint,
        values: &[(Key, Option<Values>)],
    ) -> Result<HistoryPointId, StoreError> {
        let kept = self.try_keep(point, values);
        self.book.whole_or_nothing(kept)
    }

    fn try_keep(
        &mut self,
        point: &HistoryPoint,
        values: &[(Key, Option<Values>)],
    ) -> Result<HistoryPointId, StoreError> {
        let HistoryPoint { run, positions, searches, milliseconds, taken } = point;
        self.book.execute(
            "INSERT INTO history_point (run, positions, searches, milliseconds, taken) \
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![run.0, signed(*positions), signed(*searches), signed(*milliseconds), taken],
        )?;
        let id = HistoryPointId(self.book.reader.connection.last_insert_rowid());
        for &(key, values) in values {
            self.keep_value(key, id, values)?;
        }
        Ok(id)
    }

    fn keep_value(
        &mut self,
        key: Key,
        point: HistoryPointId,
        values: Option<Values>,
    ) -> Result<(), StoreError> {
        let number = match self.book.reader.history().number(key)? {
            Some(number) => number,
            None => {
                let (discs, mover, opponent) = storage_order(key);
                self.book.execute(
                    "INSERT INTO history_position (discs, mover, opponent) VALUES (?1, ?2, ?3)",
                    params![discs, mover, opponent],
                )?;
                self.book.reader.connection.last_insert_rowid()
            }
        };
        let columns = values.map(ValueColumns::from);
        let column = |of: fn(&ValueColumns) -> Option<i64>| columns.as_ref().and_then(of);
        self.book.execute(
            "INSERT OR REPLACE INTO history_value \
             (position, point, guess, draw_seeking, win_seeking, bounds) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                number,
                point.0,
                column(|columns| Some(columns.guess)),
                column(|columns| columns.draw_seeking),
                column(|columns| columns.win_seeking),
                column(|columns| columns.bounds)
            ],
        )
    }

    /// Forgets all checkpoints: what cannot be read must not keep a book from growing.
    pub(crate) fn forget(&mut self) -> Result<(), StoreError> {
        let tables = ["history_value", "history_position", "history_point"];
        let forgotten = tables
            .iter()
            .try_for_each(|table| self.book.execute(&format!("DELETE FROM {table}"), &[]));
        self.book.whole_or_nothing(forgotten)
    }

    /// Forgets a checkpoint. What it says of positions is said of the one after it, where that says
    /// nothing else.
    pub(crate) fn forget_point(
        &mut self,
        point: HistoryPointId,
        next: HistoryPointId,
    ) -> Result<(), StoreError> {
        let hand_on = "UPDATE OR IGNORE history_value SET point = ?2 WHERE point = ?1";
        let forgotten = self.book.execute(hand_on, params![point.0, next.0]).and_then(|()| {
            self.book.execute("DELETE FROM history_value WHERE point = ?1", params![point.0])?;
            self.book.execute("DELETE FROM history_point WHERE id = ?1", params![point.0])
        });
        self.book.whole_or_nothing(forgotten)
    }
}
