//! What is kept of positions beside their rows: further records, bounds, and what a person said.

use std::sync::Arc;

use rusqlite::{Row, params};

use super::row::{
    self, RowError, bounds_code, bounds_of_code, key_of, meaningless, signed, storage_order,
    unsigned,
};
use super::{Book, Reader, StoreError};
use crate::openbook::propagate::HeldOfLayer;
use crate::openbook::{
    Held, Judgement, MoveMask, Node, NodeSource, Record, SourceId, SourceOrder, SourcedBounds,
};
use crate::othello::board::Key;

/// The tables that hold it.
const TABLES: [&str; 3] = ["record", "bound", "judgement"];

impl Reader {
    /// The order of the book's sources.
    pub(crate) fn order_of_sources(&self) -> Result<Arc<SourceOrder>, StoreError> {
        let count = self.number("SELECT coalesce(max(id), -1) + count(*) FROM source")?;
        if let Some((of, order)) = &*self.order.borrow()
            && *of == count
        {
            return Ok(Arc::clone(order));
        }
        let sources = self.sources()?.into_iter().map(|known| (known.id, known.source));
        let order = Arc::new(SourceOrder::of(sources));
        *self.order.borrow_mut() = Some((count, Arc::clone(&order)));
        Ok(order)
    }

    /// A number may mean another source from now on.
    pub(super) fn forget_order(&self) {
        *self.order.borrow_mut() = None;
    }

    /// All that is kept of a node.
    pub(super) fn held_of(&self, node: &Node) -> Result<Held, StoreError> {
        if !node.more {
            return Ok(Held::of(node));
        }
        let HeldBeside { mut held, places } = self.held_beside(node.key)?;
        if let Some(own) = node.own_record() {
            // The place that is missing is that of the row's record.
            let place = places.iter().zip(0..).position(|(&place, at)| place != at);
            held.records.insert(place.unwrap_or(places.len()), own);
        }
        Ok(held)
    }

    /// What is kept of a position beside a row.
    pub(super) fn held_beside(&self, key: Key) -> Result<HeldBeside, StoreError> {
        if !self.has_schema(row::EVIDENCE)? {
            return Ok(HeldBeside::default());
        }
        let mut found = HeldBeside::default();
        let (discs, mover, opponent) = storage_order(key);
        let at = params![discs, mover, opponent];
        let of = |columns: &str, table: &str| {
            format!(
                "SELECT mover, opponent, {columns} FROM {table} \
                 WHERE discs = ?1 AND mover = ?2 AND opponent = ?3"
            )
        };
        let records = of("place, rest, left_out", "record") + " ORDER BY place";
        for (_, place, record) in self.rows(&records, at, record_of)? {
            found.places.push(place);
            found.held.records.push(record);
        }
        for (_, bounds) in self.rows(&of("source, bounds", "bound"), at, bound_of)? {
            found.held.bounds.push(bounds);
        }
        let judgement = self.first(&of("value, day, author", "judgement"), at, judgement_of)?;
        found.held.judgement = judgement.map(|(_, judgement)| judgement);
        if found.held.bounds.len() > 1 {
            self.order_of_sources()?.sort_bounds(&mut found.held.bounds);
        }
        Ok(found)
    }

    /// What is kept of the positions of a layer beside their rows, with the records of the rows.
    pub(super) fn held_of_layer(&self, discs: u8) -> Result<HeldOfLayer, StoreError> {
        let mut found = HeldOfLayer::default();
        for key in self.keys_of_held(Some(discs))? {
            if let Some(node) = self.node(&key)? {
                // The row need not know of it yet.
                let held = self.held_of(&Node { more: true, ..node })?;
                found.insert(key, held);
            }
        }
        Ok(found)
    }

    /// The positions of which something is kept beside a row, of a layer or of all.
    pub(super) fn keys_of_held(&self, discs: Option<u8>) -> Result<Vec<Key>, StoreError> {
        if !self.has_schema(row::EVIDENCE)? {
            return Ok(Vec::new());
        }
        let mut keys = Vec::new();
        for table in TABLES {
            let sql =
                format!("SELECT mover, opponent FROM {table} WHERE discs >= ?1 AND discs <= ?2");
            let (first, last) = discs.map_or((0, 64), |discs| (discs, discs));
            keys.extend(self.keys(&sql, params![first, last], table)?);
        }
        keys.sort_unstable_by_key(|&key| storage_order(key));
        keys.dedup();
        Ok(keys)
    }

    /// Gives what is kept of positions that are no nodes: bounds alone.
    pub(crate) fn for_each_held_apart<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Key, Held) -> Result<(), E>,
    ) -> Result<(), E> {
        for key in self.keys_of_held(None)? {
            if self.node(&key)?.is_none() {
                each(key, self.held_beside(key)?.held)?;
            }
        }
        Ok(())
    }

    /// All that is kept of the positions of which more is kept than one search, in storage order.
    pub(crate) fn all_held(&self) -> Result<Vec<(Key, Held)>, StoreError> {
        let held = |key: Key| match self.node(&key)? {
            Some(node) => Ok((key, self.held_of(&node)?)),
            None => Ok((key, self.held_beside(key)?.held)),
        };
        self.keys_of_held(None)?.into_iter().map(held).collect()
    }

    /// How many records, bounds and judgements are kept beside rows.
    pub(crate) fn count_held(&self) -> Result<[u64; 3], StoreError> {
        let mut counts = [0; 3];
        if self.has_schema(row::EVIDENCE)? {
            for (count, table) in counts.iter_mut().zip(TABLES) {
                *count = self.number(&format!("SELECT count(*) FROM {table}"))?;
            }
        }
        Ok(counts)
    }
}

/// What is kept beside a row: the places of its records are those among all of the position.
#[derive(Default)]
pub(super) struct HeldBeside {
    held: Held,
    places: Vec<i64>,
}

impl std::ops::Deref for HeldBeside {
    type Target = Held;

    fn deref(&self) -> &Held {
        &self.held
    }
}

impl HeldBeside {
    /// Without the places.
    pub(super) fn into_held(self) -> Held {
        self.held
    }
}

fn record_of(row: &Row<'_>) -> Result<(Key, i64, Record), RowError> {
    const WHAT: &str = "a record";
    let key = key_of(row, WHAT)?;
    let record = stored_record(row.get(3)?, row.get(4)?);
    let record = record.ok_or_else(|| wrong(row, WHAT))?;
    Ok((key, row.get(2)?, record))
}

/// The record of these columns; none where they mean nothing.
pub(super) fn stored_record(rest: i64, left_out: i64) -> Option<Record> {
    let (rest, searched) = row::unpack_record(rest).filter(|_| rest < 0)?;
    Some(Record { rest: rest?, searched, left_out: MoveMask::from_bits(unsigned(left_out)) })
}

fn bound_of(row: &Row<'_>) -> Result<(Key, SourcedBounds), RowError> {
    const WHAT: &str = "bounds";
    let key = key_of(row, WHAT)?;
    let bounds = bounds_of_code(row.get(3)?).ok_or_else(|| wrong(row, WHAT))?;
    Ok((key, SourcedBounds { bounds, source: SourceId(row.get(2)?) }))
}

fn judgement_of(row: &Row<'_>) -> Result<(Key, Judgement), RowError> {
    const WHAT: &str = "a judgement";
    let key = key_of(row, WHAT)?;
    let score = row::stored_guess(row.get(2)?).ok_or_else(|| wrong(row, WHAT))?;
    Ok((key, Judgement { score, day: row.get(3)?, author: row.get(4)? }))
}

fn wrong(row: &Row<'_>, what: &str) -> RowError {
    match (row.get(0), row.get(1)) {
        (Ok(mover), Ok(opponent)) => meaningless(what, mover, opponent),
        (Err(error), _) | (_, Err(error)) => error.into(),
    }
}

impl Book {
    /// Writes all that is kept of a node beside its row, which holds one of its records.
    pub(super) fn write_held(&self, node: &Node, held: &Held) -> Result<(), StoreError> {
        self.clear_held(node.key, &TABLES)?;
        let own = node.own_record();
        let mut is_own_met = false;
        for (record, place) in held.records.iter().zip(0_i64..) {
            if !is_own_met && own == Some(*record) {
                is_own_met = true;
                continue;
            }
            let Record { rest, searched, left_out } = *record;
            let packed = row::pack_record(Some(rest), searched);
            self.write_beside(
                "INSERT INTO record (discs, mover, opponent, place, rest, left_out) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                node.key,
                &[&place, &packed, &signed(left_out.bits())],
            )?;
        }
        self.write_apart(node.key, held)
    }

    /// Writes what is kept of a position, whether it is a node or not.
    pub(super) fn write_apart(&self, key: Key, held: &Held) -> Result<(), StoreError> {
        for known in &held.bounds {
            self.write_beside(
                "INSERT OR IGNORE INTO bound (discs, mover, opponent, source, bounds) \
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                key,
                &[&known.source.0, &bounds_code(known.bounds)],
            )?;
        }
        if let Some(Judgement { score, day, author }) = &held.judgement {
            self.write_beside(
                "INSERT OR REPLACE INTO judgement (discs, mover, opponent, value, day, author) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                key,
                &[&score.centidiscs(), day, author],
            )?;
        }
        Ok(())
    }

    /// Takes a node's records and judgement out; what is proven of its position stays.
    pub(super) fn clear_of_node(&self, key: Key) -> Result<(), StoreError> {
        self.clear_held(key, &["record", "judgement"])
    }

    /// Forgets the bounds of a source, also those of positions that are not in the book.
    pub(crate) fn forget_bounds_of(&mut self, source: SourceId) -> Result<(), StoreError> {
        self.execute("DELETE FROM bound WHERE source = ?1", params![source.0])
    }

    fn clear_held(&self, key: Key, tables: &[&str]) -> Result<(), StoreError> {
        for table in tables {
            let sql =
                format!("DELETE FROM {table} WHERE discs = ?1 AND mover = ?2 AND opponent = ?3");
            self.write_beside(&sql, key, &[])?;
        }
        Ok(())
    }

    fn write_beside(
        &self,
        sql: &str,
        key: Key,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        let mut all: Vec<&dyn rusqlite::ToSql> = vec![&discs, &mover, &opponent];
        all.extend(values);
        self.reader.execute(sql, all.as_slice()).map(|_| ())
    }

    /// Joins bounds to what is kept of a position that is no node; returns whether that says more then.
    pub(crate) fn keep_apart(&mut self, key: Key, held: &Held) -> Result<bool, StoreError> {
        self.begin()?;
        let joined = (|| {
            let order = self.reader.order_of_sources()?;
            let mut known = self.reader.held_beside(key)?.into_held();
            let before = known.clone();
            let apart = Held { records: Vec::new(), judgement: None, ..held.clone() };
            known.join(key, &apart, &order);
            let says_more = known != before;
            if says_more {
                self.clear_held(key, &["bound"])?;
                self.write_apart(key, &known)?;
            }
            Ok(says_more)
        })();
        self.whole_or_nothing(joined)
    }

    /// Whether any bounds are kept: what is proven of a position that is no node yet.
    pub(super) fn has_bounds(&self) -> Result<bool, StoreError> {
        self.reader.has_row("SELECT 1 FROM bound LIMIT 1")
    }
}
