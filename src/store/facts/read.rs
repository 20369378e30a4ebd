//! Asking for facts, and for what is known from them.

use rusqlite::{OptionalExtension, Row, params};

use super::{Fact, SINCE};
use crate::openbook::{Bounds, SourceId, Values};
use crate::othello::board::Key;
use crate::store::row::{
    RowError, ValueColumns, key_of, meaningless, storage_order, stored_values,
};
use crate::store::{Reader, StoreError};

/// The columns of a fact, as [`fact_of`] reads them.
const COLUMNS: &str = "mover, opponent, source, lower, upper";

/// A row with the columns [`COLUMNS`].
fn fact_of(row: &Row<'_>) -> Result<Fact, RowError> {
    const WHAT: &str = "the fact";
    let key = key_of(row, WHAT)?;
    let (mover, opponent) = (row.get(0)?, row.get(1)?);
    let bounds = Bounds::new(row.get(3)?, row.get(4)?);
    let bounds = bounds.ok_or_else(|| meaningless(WHAT, mover, opponent))?;
    Ok(Fact { key, bounds, source: SourceId(row.get(2)?) })
}

impl Reader {
    /// How many facts there are: those of one position from several sources count each.
    pub fn count_facts(&self) -> Result<u64, StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(0);
        }
        let count = self
            .connection
            .prepare_cached("SELECT count(*) FROM fact")
            .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)));
        count.map(i64::cast_unsigned).map_err(|cause| self.failed(cause))
    }

    /// The facts of a position, by the number of their source.
    pub fn facts_of(&self, key: Key) -> Result<Vec<Fact>, StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        self.each_fact_of(key, |fact| found.push(fact))?;
        Ok(found)
    }

    /// Gives all facts in the order of positions in the store, then of their sources.
    pub(crate) fn for_each_fact<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Fact) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.has_migration(SINCE)? {
            return Ok(());
        }
        let failed = |cause| self.failed(cause);
        let sql = format!("SELECT {COLUMNS} FROM fact ORDER BY discs, mover, opponent, source");
        let mut statement = self.connection.prepare(&sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            each(fact_of(row).map_err(|error| self.row_failed(error))?)?;
        }
        Ok(())
    }

    /// The positions that there are facts of, in the order of the store.
    pub(super) fn positions_of_facts(&self) -> Result<Vec<Key>, StoreError> {
        let mut keys = Vec::new();
        self.for_each_fact(|fact| {
            keys.push(fact.key);
            Ok::<_, StoreError>(())
        })?;
        keys.dedup();
        Ok(keys)
    }

    pub(in crate::store) fn has_any_fact(&self) -> Result<bool, StoreError> {
        Ok(self.has_migration(SINCE)? && self.has_row_of_fact()?)
    }

    /// As [`Self::has_any_fact`], of a book that has the tables.
    pub(in crate::store) fn has_row_of_fact(&self) -> Result<bool, StoreError> {
        self.connection
            .prepare_cached("SELECT 1 FROM fact LIMIT 1")
            .and_then(|mut statement| statement.query_row([], |_| Ok(())).optional())
            .map(|found| found.is_some())
            .map_err(|cause| self.failed(cause))
    }

    /// What is proven of a position, one for each source. Ask only a book that has facts.
    pub(in crate::store) fn bounds_of(&self, key: Key) -> Result<Vec<Bounds>, StoreError> {
        let mut found = Vec::new();
        self.each_fact_of(key, |fact| found.push(fact.bounds))?;
        Ok(found)
    }

    fn each_fact_of(&self, key: Key, mut each: impl FnMut(Fact)) -> Result<(), StoreError> {
        let failed = |cause| self.failed(cause);
        let (discs, mover, opponent) = storage_order(key);
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT mover, opponent, source, lower, upper FROM fact \
                 WHERE discs = ?1 AND mover = ?2 AND opponent = ?3 ORDER BY source",
            )
            .map_err(failed)?;
        let mut rows = statement.query(params![discs, mover, opponent]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            each(fact_of(row).map_err(|error| self.row_failed(error))?);
        }
        Ok(())
    }

    /// What nodes are known to be worth where that is not what their searches say. Ask only a book that
    /// has facts.
    pub(in crate::store) fn known_of(
        &self,
        keys: &[Key],
    ) -> Result<Vec<Option<Values>>, StoreError> {
        let failed = |cause| self.failed(cause);
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT mover, opponent, guess, draw_seeking, win_seeking, bounds FROM known \
                 WHERE discs = ?1 AND mover = ?2 AND opponent = ?3",
            )
            .map_err(failed)?;
        let mut found = Vec::with_capacity(keys.len());
        for &key in keys {
            let (discs, mover, opponent) = storage_order(key);
            let mut rows = statement.query(params![discs, mover, opponent]).map_err(failed)?;
            found.push(match rows.next().map_err(failed)? {
                None => None,
                Some(row) => Some(known_row(row).map_err(|error| self.row_failed(error))?.1),
            });
        }
        Ok(found)
    }

    /// Gives what nodes are known to be worth where that is not what their searches say.
    pub(crate) fn for_each_known(
        &self,
        mut each: impl FnMut(Key, Values),
    ) -> Result<(), StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(());
        }
        let failed = |cause| self.failed(cause);
        let mut statement = self
            .connection
            .prepare(
                "SELECT mover, opponent, guess, draw_seeking, win_seeking, bounds FROM known \
                 ORDER BY discs, mover, opponent",
            )
            .map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let (key, values) = known_row(row).map_err(|error| self.row_failed(error))?;
            each(key, values);
        }
        Ok(())
    }
}

fn known_row(row: &Row<'_>) -> Result<(Key, Values), RowError> {
    const WHAT: &str = "what is known";
    let key = key_of(row, WHAT)?;
    let values = stored_values(&ValueColumns {
        guess: row.get(2)?,
        draw_seeking: row.get(3)?,
        win_seeking: row.get(4)?,
        bounds: row.get(5)?,
    });
    let (mover, opponent) = (row.get(0)?, row.get(1)?);
    Ok((key, values.ok_or_else(|| meaningless(WHAT, mover, opponent))?))
}
