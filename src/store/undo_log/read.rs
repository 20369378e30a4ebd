//! Asking for the log.

use super::{SINCE, UndoEntry};
use crate::store::row::unsigned;
use crate::store::{Reader, StoreError};

impl Reader {
    /// The changes that can be taken back, the oldest first, and behind them those that were and can be done again.
    pub(crate) fn changes_to_undo(&self) -> Result<Vec<UndoEntry>, StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(Vec::new());
        }
        let read = || -> rusqlite::Result<Vec<UndoEntry>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT id, is_undone, asked, started, positions_before, positions_after, bytes, file \
                 FROM undo_entry ORDER BY id",
            )?;
            let rows = statement.query_map([], |row| {
                let number = |column| row.get(column).map(unsigned);
                Ok(UndoEntry {
                    number: number(0)?,
                    is_undone: row.get(1)?,
                    asked: row.get(2)?,
                    started: row.get(3)?,
                    positions_before: number(4)?,
                    positions_after: number(5)?,
                    bytes: number(6)?,
                    file: row.get(7)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }
}
