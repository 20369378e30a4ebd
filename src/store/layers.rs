//! How many nodes each layer has, as it is counted, and as it is.

use rusqlite::TransactionState;

use super::row::unsigned;
use super::{Reader, StoreError};

/// Bytes that a node takes in the file at the least: its key, and how long its columns are.
const LEAST_OF_ROW: u64 = 24;

impl Reader {
    /// As [`Self::counted_layers`], without numbers for which the file has no room.
    pub(super) fn layers(&self) -> Result<Vec<(u8, u64)>, StoreError> {
        let counted = self.counted_layers()?;
        let room = self.file_size()? / LEAST_OF_ROW;
        match counted.iter().find(|&&(_, count)| count > room) {
            Some((discs, count)) => Err(self.damage(format!(
                "{} positions of {discs} discs are counted, and there is room for {room}",
                count.cast_signed()
            ))),
            None => Ok(counted),
        }
    }

    /// Whether positions are counted in the layers that have some, and in no other. What is not
    /// committed yet is not counted.
    pub(crate) fn check_layers(&self) -> Result<(), StoreError> {
        let (counted, stored) = (self.layers()?, self.stored_layers()?);
        if let Some(discs) =
            stored.iter().find(|discs| counted.iter().all(|(known, _)| known != *discs))
        {
            return Err(self.damage(format!("the positions of {discs} discs are not counted")));
        }
        match counted.iter().find(|(discs, _)| !stored.contains(discs)) {
            Some((discs, count)) => Err(self.damage(format!(
                "{count} positions of {discs} discs are counted, and there is none"
            ))),
            None => Ok(()),
        }
    }

    /// Whether as many nodes of a layer were found as are counted: where a page does not lead any more to those
    /// below it, they are missing without a word. What is not committed yet is not counted: then nothing is
    /// known, but by the writer ([`super::Book`]).
    pub(super) fn check_found(&self, discs: u8, found: u64) -> Result<(), StoreError> {
        let state = self.connection.transaction_state::<&str>(None);
        match state.map_err(|cause| self.failed(cause))? {
            TransactionState::Write => Ok(()),
            _ => self.check_count(discs, found, 0),
        }
    }

    /// As [`Reader::check_found`], where so many nodes more were added than are counted.
    pub(super) fn check_count(&self, discs: u8, found: u64, added: i64) -> Result<(), StoreError> {
        let counted = self.counted_layer(discs)?.wrapping_add_signed(added);
        if found == counted {
            return Ok(());
        }
        Err(self.damage(format!(
            "{found} positions of {discs} discs are found, and {counted} are counted"
        )))
    }

    /// How many nodes a layer has, as counted.
    pub(super) fn counted_layer(&self, discs: u8) -> Result<u64, StoreError> {
        let sql = "SELECT positions FROM layer WHERE discs = ?1";
        Ok(self.first(sql, [discs], |row| Ok(unsigned(row.get(0)?)))?.unwrap_or_default())
    }

    /// The error that this book is damaged.
    pub(crate) fn damage(&self, what: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what: what.into() }
    }

    /// Bytes of the book at this moment: of its file, once what its log holds has come there.
    pub(crate) fn file_size(&self) -> Result<u64, StoreError> {
        Ok(self.number("PRAGMA page_count")?.saturating_mul(self.number("PRAGMA page_size")?))
    }

    /// The layers that have rows, whatever the counts say, ascending: one look-up each.
    pub(super) fn stored_layers(&self) -> Result<Vec<u8>, StoreError> {
        let sql = "SELECT min(discs) FROM node WHERE discs > ?1";
        let (mut layers, mut last) = (Vec::new(), -1_i64);
        while let Some(next) = self.first(sql, [last], |row| Ok(row.get(0)?))?.flatten() {
            last = next;
            layers.extend(u8::try_from(next));
        }
        Ok(layers)
    }

    /// Number of discs and of nodes with so many, as counted, ascending, without empty layers.
    pub(super) fn counted_layers(&self) -> Result<Vec<(u8, u64)>, StoreError> {
        let sql = "SELECT discs, positions FROM layer WHERE positions <> 0 ORDER BY discs";
        self.rows(sql, [], |row| Ok((row.get(0)?, unsigned(row.get(1)?))))
    }
}
