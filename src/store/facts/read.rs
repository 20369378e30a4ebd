//! Asking for facts, and for what is known from them.

use rusqlite::{Row, params};

use super::Fact;
use crate::openbook::{Bounds, SourceId, Values};
use crate::othello::board::Key;
use crate::store::row::{
    RowError, ValueColumns, key_of, meaningless, storage_order, stored_values,
};
use crate::store::{Facts, StoreError};

/// The columns of a fact, as [`fact_of`] reads them.
const COLUMNS: &str = "mover, opponent, source, lower, upper";

/// The columns of what is known of a node, as [`known_row`] reads them.
const KNOWN_COLUMNS: &str = "mover, opponent, guess, draw_seeking, win_seeking, bounds";

/// A row with the columns [`COLUMNS`].
fn fact_of(row: &Row<'_>) -> Result<Fact, RowError> {
    const WHAT: &str = "the fact";
    let key = key_of(row, WHAT)?;
    let (mover, opponent) = (row.get(0)?, row.get(1)?);
    let bounds = Bounds::new(row.get(3)?, row.get(4)?);
    let bounds = bounds.ok_or_else(|| meaningless(WHAT, mover, opponent))?;
    Ok(Fact { key, bounds, source: SourceId(row.get(2)?) })
}

impl Facts<'_> {
    /// How many facts there are: those of one position from several sources count each.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.reader.number("SELECT count(*) FROM fact")
    }

    /// The facts of a position, by the number of their source.
    pub fn of(&self, key: Key) -> Result<Vec<Fact>, StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        let sql = format!(
            "SELECT {COLUMNS} FROM fact \
             WHERE discs = ?1 AND mover = ?2 AND opponent = ?3 ORDER BY source"
        );
        self.reader.rows(&sql, params![discs, mover, opponent], fact_of)
    }

    /// Gives all facts in the order of positions in the store, then of their sources.
    pub(crate) fn for_each<E: From<StoreError>>(
        &self,
        each: impl FnMut(Fact) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!("SELECT {COLUMNS} FROM fact ORDER BY discs, mover, opponent, source");
        self.reader.each_row(&sql, [], fact_of, each)
    }

    /// The positions that there are facts of, in the order of the store.
    pub(super) fn positions(&self) -> Result<Vec<Key>, StoreError> {
        let mut keys = Vec::new();
        self.for_each(|fact| {
            keys.push(fact.key);
            Ok::<_, StoreError>(())
        })?;
        keys.dedup();
        Ok(keys)
    }

    pub(in crate::store) fn has_any(&self) -> Result<bool, StoreError> {
        self.reader.has_row("SELECT 1 FROM fact LIMIT 1")
    }

    /// What nodes are known to be worth where that is not what their searches say. Ask only a book that
    /// has facts.
    pub(in crate::store) fn known(&self, keys: &[Key]) -> Result<Vec<Option<Values>>, StoreError> {
        let sql = format!(
            "SELECT {KNOWN_COLUMNS} FROM known \
             WHERE discs = ?1 AND mover = ?2 AND opponent = ?3"
        );
        let known = |&key: &Key| {
            let (discs, mover, opponent) = storage_order(key);
            let found = self.reader.first(&sql, params![discs, mover, opponent], known_row)?;
            Ok(found.map(|(_, values)| values))
        };
        keys.iter().map(known).collect()
    }

    /// Gives what nodes are known to be worth where that is not what their searches say.
    pub(crate) fn for_each_known(
        &self,
        mut each: impl FnMut(Key, Values),
    ) -> Result<(), StoreError> {
        let sql = format!("SELECT {KNOWN_COLUMNS} FROM known ORDER BY discs, mover, opponent");
        self.reader.each_row(&sql, [], known_row, |(key, values)| {
            each(key, values);
            Ok(())
        })
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
