//! What a fleet needs to remember: positions that no worker could search, and which worker found
//! what.

use rusqlite::params;

use crate::othello::board::Key;

use super::row::{OF_RECORD, storage_order};
use super::{Fleet, FleetMut, StoreError};

impl FleetMut<'_> {
    /// Notes that no worker could search a position, why, and on which day.
    pub fn note_failed(&mut self, key: Key, why: &str, day: &str) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        self.book.execute(
            "INSERT OR REPLACE INTO fleet_failed (discs, mover, opponent, why, day) \
             VALUES (?1, ?2, ?3, ?4, ?5)",
            params![discs, mover, opponent, why, day],
        )
    }

    /// Forgets that no worker could search a position.
    pub(crate) fn forget_failed(&mut self, key: Key) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        self.book.execute(
            "DELETE FROM fleet_failed WHERE discs = ?1 AND mover = ?2 AND opponent = ?3",
            params![discs, mover, opponent],
        )
    }

    /// Forgets that no worker could search these positions, all there are.
    pub fn forget_all_failed(&mut self) -> Result<(), StoreError> {
        self.book.execute("DELETE FROM fleet_failed", params![])
    }

    /// Notes which worker searched a node last, whose rest is what that search found.
    pub fn note_worker(&mut self, key: Key, worker: &str) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        self.book
            .execute("INSERT OR IGNORE INTO fleet_worker (name) VALUES (?1)", params![worker])?;
        self.book.execute(
            "INSERT OR REPLACE INTO fleet_result (discs, mover, opponent, worker, rest) \
             SELECT discs, mover, opponent, id, rest & ?5 FROM node, fleet_worker \
             WHERE discs = ?1 AND mover = ?2 AND opponent = ?3 AND name = ?4",
            params![discs, mover, opponent, worker, OF_RECORD],
        )
    }

    /// Forgets what a worker found, and returns the nodes in which it is still valid: they have not been
    /// searched since.
    pub fn take_from_worker(&mut self, worker: &str) -> Result<Vec<Key>, StoreError> {
        let of_worker = "worker = (SELECT id FROM fleet_worker WHERE name = ?1)";
        let select = format!(
            "SELECT mover, opponent FROM fleet_result AS result JOIN node \
             USING (discs, mover, opponent) WHERE {of_worker} AND result.rest = node.rest & ?2"
        );
        let keys =
            self.book.reader.keys(&select, params![worker, OF_RECORD], "a worker's result")?;
        let delete = format!("DELETE FROM fleet_result WHERE {of_worker}");
        self.book.execute(&delete, params![worker])?;
        Ok(keys)
    }
}

impl Fleet<'_> {
    /// The positions that no worker could search.
    pub fn failed(&self) -> Result<Vec<Key>, StoreError> {
        let sql = "SELECT mover, opponent FROM fleet_failed";
        self.reader.keys(sql, params![], "a failed search")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Book;

    #[test]
    fn two_discs_on_one_square_are_damage() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("a.db")).unwrap();
        let sql = "INSERT INTO fleet_failed VALUES (4, 3, 2, 'it crashes', '2026-11-20')";
        book.execute(sql, params![]).unwrap();
        let sql = "INSERT INTO history_position (discs, mover, opponent) VALUES (4, 3, 2)";
        book.execute(sql, params![]).unwrap();
        for (found, what) in [
            (book.reader().fleet().failed(), "a failed search of 0000000000000003 "),
            (book.reader().history().positions(), "the history of 0000000000000003 "),
        ] {
            let error = found.unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
