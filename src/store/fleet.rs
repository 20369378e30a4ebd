//! What a fleet needs to remember: positions that no worker could search, and which worker found
//! what.

use rusqlite::params;

use crate::openbook::{Node, NodeSource};
use crate::othello::board::Key;

use super::row::{self, storage_order};
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
        let Some(node) = self.book.reader.node(&key)? else { return Ok(()) };
        let (discs, mover, opponent) = storage_order(key);
        self.book
            .execute("INSERT OR IGNORE INTO fleet_worker (name) VALUES (?1)", params![worker])?;
        self.book.execute(
            "INSERT OR REPLACE INTO fleet_result (discs, mover, opponent, worker, rest) \
             SELECT ?1, ?2, ?3, id, ?5 FROM fleet_worker WHERE name = ?4",
            params![discs, mover, opponent, worker, search_of(&node)],
        )
    }

    /// Forgets what a worker found, and returns the nodes in which it is still valid: they have not been
    /// searched since.
    pub fn take_from_worker(&mut self, worker: &str) -> Result<Vec<Key>, StoreError> {
        let of_worker = "worker = (SELECT id FROM fleet_worker WHERE name = ?1)";
        let select = format!("SELECT mover, opponent, rest FROM fleet_result WHERE {of_worker}");
        let found = self.book.reader.rows(&select, params![worker], |row| {
            Ok((row::key_of(row, "a worker's result")?, row.get::<_, i64>(2)?))
        })?;
        let mut keys = Vec::new();
        for (key, rest) in found {
            if self.book.reader.node(&key)?.is_some_and(|node| search_of(&node) == rest) {
                keys.push(key);
            }
        }
        let delete = format!("DELETE FROM fleet_result WHERE {of_worker}");
        self.book.execute(&delete, params![worker])?;
        Ok(keys)
    }
}

/// What a node's search found, as a number.
fn search_of(node: &Node) -> i64 {
    row::pack_record(node.record, node.searched)
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
