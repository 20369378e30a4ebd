//! Going through a layer of a book in storage order.

use rusqlite::params_from_iter;

use crate::openbook::Node;
use crate::othello::board::Key;

use super::row;
use super::{Reader, StoreError};

/// What is wrong with a book whose rows SQLite gives in another order than that of the storage.
pub(super) const OUT_OF_ORDER: &str = "the positions are not in the order of their keys";

/// What SQLite calls the primary key of the nodes.
const KEY: &str = "sqlite_autoindex_node_1";

/// Positions between two reports of how many were gone through.
const TELL: u64 = 256;

impl Reader {
    /// Gives the nodes of a layer in storage order.
    pub(super) fn each_in_layer<E: From<StoreError>>(
        &self,
        discs: u8,
        each: impl FnMut(Node) -> Result<(), E>,
    ) -> Result<(), E> {
        self.scan_nodes("discs = ?1", &[i64::from(discs)], each)
    }

    /// The keys of a layer, in whatever order; a row that has none is left out.
    pub(super) fn keys_of_layer(&self, discs: u8) -> Result<Vec<Key>, StoreError> {
        let sql = "SELECT NULL FROM node WHERE discs = ?1 AND tray_is_full(mover, opponent)";
        let mut keys = Vec::new();
        let failed = |cause| self.failed(cause);
        self.tray.scan(&self.connection, sql, [discs], failed, |row| {
            keys.extend(row::stored_key(row.integer(0), row.integer(1)));
            Ok(())
        })?;
        Ok(keys)
    }

    /// Gives the nodes of a layer in storage order whose mover's board, as it is stored, is not below
    /// `first` and below `end`, if there is an end.
    pub(super) fn each_in_part(
        &self,
        discs: u8,
        first: i64,
        end: Option<i64>,
        mut each: impl FnMut(Node),
    ) -> Result<(), StoreError> {
        let mut take = |node| -> Result<(), StoreError> {
            each(node);
            Ok(())
        };
        let discs = i64::from(discs);
        match end {
            None => self.scan_nodes("discs = ?1 AND mover >= ?2", &[discs, first], &mut take),
            Some(end) => self.scan_nodes(
                "discs = ?1 AND mover >= ?2 AND mover < ?3",
                &[discs, first, end],
                &mut take,
            ),
        }
    }

    /// Gives the nodes of one layer that a condition holds for, in storage order. A damaged book may
    /// hold them in another, which is an error.
    fn scan_nodes<E: From<StoreError>>(
        &self,
        condition: &str,
        parameters: &[i64],
        mut each: impl FnMut(Node) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut before, mut walked) = (None, 0_u64);
        let mut give = |node: Node| {
            // Without the discs: SQLite goes by the column, whatever the position holds.
            let (_, mover, opponent) = row::storage_order(node.key);
            let place = (mover, opponent);
            if before.is_some_and(|before| before >= place) {
                return Err(self.damage(OUT_OF_ORDER).into());
            }
            before = Some(place);
            self.heed_stop()?;
            walked += 1;
            if walked % TELL == 0 {
                self.stop.tell_walked(TELL);
            }
            each(node)
        };
        let columns = row::COLUMNS;
        let sql = format!(
            "SELECT NULL FROM node INDEXED BY {KEY} \
             WHERE {condition} AND tray_is_full({columns}) ORDER BY mover, opponent"
        );
        let failed = |cause| E::from(self.failed(cause));
        self.tray.scan(&self.connection, &sql, params_from_iter(parameters), failed, |row| {
            give(row::scanned_node(row).map_err(|error| self.row_failed(error))?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::search::Stop;
    use crate::store::Book;
    use crate::store::sample::unvalued;

    /// A scan finds what a statement does that returns its rows.
    #[test]
    fn both_ways_through_a_layer_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("a.db")).unwrap();
        assert!(book.bulk_load(unvalued(11)).unwrap().new > 1000);
        book.settle().unwrap();
        let reader = book.reader();
        let conditions: [(&str, &[i64]); 3] = [
            ("discs = ?1", &[11]),
            ("discs = ?1 AND mover >= ?2", &[11, 1 << 20]),
            ("discs = ?1 AND mover >= ?2 AND mover < ?3", &[11, 1 << 20, 1 << 28]),
        ];
        for (condition, parameters) in conditions {
            let columns = row::COLUMNS;
            let sql =
                format!("SELECT {columns} FROM node WHERE {condition} ORDER BY mover, opponent");
            let slow = reader.rows(&sql, params_from_iter(parameters), row::node).unwrap();
            let mut quick = Vec::new();
            let push = |node| -> Result<(), StoreError> {
                quick.push(node);
                Ok(())
            };
            reader.scan_nodes(condition, parameters, push).unwrap();
            assert_eq!(quick, slow, "{condition}");
            assert!(slow.len() > 300, "{condition}: {}", slow.len());
            if parameters.len() == 1 {
                let keys: Vec<Key> = slow.iter().map(|node: &Node| node.key).collect();
                assert_eq!(reader.keys_of_layer(11).unwrap(), keys);
            }
        }
    }

    #[test]
    fn what_is_stopped_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut book = Book::create(&path).unwrap();
        book.bulk_load(unvalued(9)).unwrap();
        book.commit().unwrap();
        let before = book.reader().counts().unwrap();
        let stop = Stop::new();
        book.stop_by(&stop);
        let mut reader = Reader::open(&path).unwrap();
        reader.stop_by(&stop);
        assert!(reader.verify().is_ok());
        stop.stop();
        let is_stopped = |error| matches!(error, StoreError::Stopped(stopped) if stopped == path);
        assert!(is_stopped(reader.verify().unwrap_err()));
        assert!(is_stopped(book.sweep().unwrap_err()));
        assert!(is_stopped(book.sweep_on(2).unwrap_err()));
        assert!(is_stopped(book.bulk_load(unvalued(10)).unwrap_err()));
        assert_eq!(book.reader().counts().unwrap(), before);
    }
}
