//! Keeping facts, and what is known from them.

use rusqlite::params;

use super::Fact;
use crate::openbook::facts::all_known_values;
use crate::openbook::{Bounds, Values};
use crate::othello::board::Key;
use crate::store::row::{ValueColumns, storage_order};
use crate::store::{Book, FactsMut, StoreError};

impl FactsMut<'_> {
    /// Keeps a fact, together with what the same source says of the same position already. What is
    /// known is right after [`Book::settle`] or [`Book::commit`]. Whether the fact can be true is not
    /// asked ([`crate::openbook::facts::judge_fact`]).
    pub fn keep(&mut self, fact: Fact) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(fact.key);
        let (source, Bounds { lower, upper }) = (fact.source.0, fact.bounds);
        let sql = "INSERT INTO fact (discs, mover, opponent, source, lower, upper) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                   ON CONFLICT DO UPDATE SET \
                   lower = iif(max(lower, ?5) <= min(upper, ?6), max(lower, ?5), ?5), \
                   upper = iif(max(lower, ?5) <= min(upper, ?6), min(upper, ?6), ?6)";
        let columns = params![discs, mover, opponent, source, lower, upper];
        let written = self.book.execute(sql, columns);
        self.book.whole_or_nothing(written)?;
        self.book.dirty.mark(fact.key);
        Ok(())
    }

    /// Forgets a fact. What is known is right after [`Book::settle`] or [`Book::commit`].
    pub(crate) fn forget(&mut self, fact: Fact) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(fact.key);
        let sql = "DELETE FROM fact \
                   WHERE discs = ?1 AND mover = ?2 AND opponent = ?3 AND source = ?4";
        let written = self.book.execute(sql, params![discs, mover, opponent, fact.source.0]);
        self.book.whole_or_nothing(written)?;
        // Where that was the last one there is nothing to propagate, but something to take away.
        self.book.facts_due = true;
        Ok(())
    }
}

impl Book {
    /// Keeps what a node is known to be worth, or that it is what its searches say.
    pub(in crate::store) fn write_known(
        &self,
        key: Key,
        values: Option<Values>,
    ) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        let Some(values) = values else {
            let sql = "DELETE FROM known WHERE discs = ?1 AND mover = ?2 AND opponent = ?3";
            return self.reader.execute(sql, params![discs, mover, opponent]).map(|_| ());
        };
        let ValueColumns { guess, draw_seeking, win_seeking, bounds } = values.into();
        let sql = "INSERT INTO known (discs, mover, opponent, guess, draw_seeking, win_seeking, bounds) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET guess = ?4, \
                   draw_seeking = ?5, win_seeking = ?6, bounds = ?7";
        let columns = params![discs, mover, opponent, guess, draw_seeking, win_seeking, bounds];
        self.reader.execute(sql, columns).map(|_| ())
    }

    /// Finds anew what all nodes are known to be worth, from values that are right; returns for how many
    /// that was something else before.
    pub(in crate::store) fn rebuild_known(&mut self) -> Result<u64, StoreError> {
        let mut stored = Vec::new();
        self.reader.facts().for_each_known(|key, values| stored.push((key, values)))?;
        if stored.is_empty() && !self.reader.facts().has_any()? {
            return Ok(0);
        }
        self.begin()?;
        let mut known = all_known_values(&self.reader, self.reader.facts().positions()?)?;
        let mut changed = 0;
        for (key, before) in stored {
            let now = known.remove(&key);
            if now != Some(before) {
                self.write_known(key, now)?;
                changed += 1;
            }
        }
        let mut new: Vec<(Key, Values)> = known.into_iter().collect();
        new.sort_unstable_by_key(|&(key, _)| storage_order(key));
        for (key, values) in new {
            self.write_known(key, Some(values))?;
            changed += 1;
        }
        Ok(changed)
    }
}
