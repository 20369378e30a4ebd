//! Asking for the log.

use super::{SINCE, UndoEntry};
use crate::store::row::unsigned;
use crate::store::{StoreError, UndoChanges};

impl UndoChanges<'_> {
    /// The changes that can be taken back, the oldest first, and behind them those that were and can be done again.
    pub(crate) fn changes(&self) -> Result<Vec<UndoEntry>, StoreError> {
        if !self.reader.has_schema(SINCE)? {
            return Ok(Vec::new());
        }
        let sql = "SELECT id, is_undone, asked, started, positions_before, positions_after, bytes, \
                   file FROM undo_entry ORDER BY id";
        self.reader.rows(sql, [], |row| {
            let number = |column| row.get(column).map(unsigned);
            Ok(UndoEntry {
                number: number(0)?,
                is_undone: row.get(1)?,
                command: row.get(2)?,
                started: row.get(3)?,
                positions_before: number(4)?,
                positions_after: number(5)?,
                bytes: number(6)?,
                file: row.get(7)?,
            })
        })
    }

    /// The number that the next change of a writer gets.
    pub(crate) fn next_change(&self) -> Result<u64, StoreError> {
        self.reader.number("SELECT coalesce(max(id), 0) + 1 FROM undo_entry WHERE NOT is_undone")
    }
}
