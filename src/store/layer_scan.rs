//! Going through a layer of a book in storage order.

use rusqlite::params_from_iter;

use crate::openbook::Node;
use crate::othello::board::Key;

use super::row;
use super::scan::visits_in_order;
use super::{Reader, StoreError};

/// What is wrong with a book whose rows SQLite gives in another order than that of the storage.
pub(super) const OUT_OF_ORDER: &str = "the positions are not in the order of their keys";

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
        let mut before = None;
        let give = |node: Node| {
            // Without the discs: SQLite goes by the column, whatever the position holds.
            let (_, mover, opponent) = row::storage_order(node.key);
            let place = (mover, opponent);
            if before.is_some_and(|before| before >= place) {
                return Err(self.damage(OUT_OF_ORDER).into());
            }
            before = Some(place);
            self.heed_stop()?;
            each(node)
        };
        let columns = row::COLUMNS;
        let sql = format!(
            "SELECT NULL FROM node WHERE {condition} AND tray_is_full({columns}) \
             ORDER BY mover, opponent"
        );
        if visits_in_order(&self.connection, &sql).map_err(|cause| self.failed(cause))? {
            self.scan_by_tray(&sql, parameters, give)
        } else {
            self.scan_by_row(condition, parameters, give)
        }
    }

    fn scan_by_tray<E: From<StoreError>>(
        &self,
        sql: &str,
        parameters: &[i64],
        mut each: impl FnMut(Node) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |cause| E::from(self.failed(cause));
        self.tray.scan(&self.connection, sql, params_from_iter(parameters), failed, |row| {
            each(row::scanned_node(row).map_err(|error| self.row_failed(error))?)
        })
    }

    /// As [`Reader::scan_by_tray`], only slower, whatever way SQLite takes.
    fn scan_by_row<E: From<StoreError>>(
        &self,
        condition: &str,
        parameters: &[i64],
        mut each: impl FnMut(Node) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |cause| self.failed(cause);
        let columns = row::COLUMNS;
        let sql = format!("SELECT {columns} FROM node WHERE {condition} ORDER BY mover, opponent");
        let mut statement = self.connection.prepare_cached(&sql).map_err(failed)?;
        let mut rows = statement.query(params_from_iter(parameters)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            each(row::node(row).map_err(|error| self.row_failed(error))?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{MoveMask, Searched, SourceId};
    use crate::othello::search::{Selectivity, Stop};
    use crate::store::sample::reachable;
    use crate::store::{Book, NewNode};

    /// The quick way through a layer is taken, and finds what the promised one does.
    #[test]
    fn both_ways_through_a_layer_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("a.db")).unwrap();
        let searched = Searched { depth: 3, selectivity: Selectivity::FULL, source: SourceId(0) };
        let records = reachable(11).into_iter().map(|key| NewNode {
            key,
            rest: None,
            searched,
            left_out: MoveMask::NONE,
            held: None,
        });
        assert!(book.bulk_load(records).unwrap().new > 1000);
        book.settle().unwrap();
        let reader = book.reader();
        let conditions: [(&str, &[i64]); 3] = [
            ("discs = ?1", &[11]),
            ("discs = ?1 AND mover >= ?2", &[11, 1 << 20]),
            ("discs = ?1 AND mover >= ?2 AND mover < ?3", &[11, 1 << 20, 1 << 28]),
        ];
        for (condition, parameters) in conditions {
            let (mut slow, mut quick) = (Vec::new(), Vec::new());
            let into = |found: &mut Vec<_>, row| -> Result<(), StoreError> {
                found.push(row);
                Ok(())
            };
            reader.scan_by_row(condition, parameters, |row| into(&mut slow, row)).unwrap();
            let columns = row::COLUMNS;
            let sql = format!(
                "SELECT NULL FROM node WHERE {condition} AND tray_is_full({columns}) \
                 ORDER BY mover, opponent"
            );
            assert!(visits_in_order(&reader.connection, &sql).unwrap(), "{condition}");
            reader.scan_nodes(condition, parameters, |node| into(&mut quick, node)).unwrap();
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
        let searched = Searched { depth: 3, selectivity: Selectivity::FULL, source: SourceId(0) };
        let records = || {
            reachable(9).into_iter().map(|key| NewNode {
                key,
                rest: None,
                searched,
                left_out: MoveMask::NONE,
                held: None,
            })
        };
        book.bulk_load(records()).unwrap();
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
        let more = reachable(10).into_iter().map(|key| NewNode {
            key,
            rest: None,
            searched,
            left_out: MoveMask::NONE,
            held: None,
        });
        assert!(is_stopped(book.bulk_load(more).unwrap_err()));
        assert_eq!(book.reader().counts().unwrap(), before);
    }
}
