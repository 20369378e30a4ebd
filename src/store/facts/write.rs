//! Keeping facts, and what is known from them.

use rusqlite::params;

use super::Fact;
use crate::openbook::Values;
use crate::openbook::facts::all_known_values;
use crate::othello::board::Key;
use crate::store::row::{ValueColumns, storage_order};
use crate::store::{Book, StoreError};

impl Book {
    /// Keeps a fact, together with what the same source says of the same position already. What is
    /// known is right after [`Book::settle`] or [`Book::commit`]. Whether the fact can be true is not
    /// asked ([`crate::openbook::facts::judge_fact`]).
    pub fn keep_fact(&mut self, fact: Fact) -> Result<(), StoreError> {
        self.begin()?;
        let (discs, mover, opponent) = storage_order(fact.key);
        let bounds = fact.bounds;
        let written = self
            .reader
            .connection
            .prepare_cached(
                "INSERT INTO fact (discs, mover, opponent, source, lower, upper) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                 ON CONFLICT DO UPDATE SET \
                 lower = iif(max(lower, ?5) <= min(upper, ?6), max(lower, ?5), ?5), \
                 upper = iif(max(lower, ?5) <= min(upper, ?6), min(upper, ?6), ?6)",
            )
            .and_then(|mut statement| {
                let source = fact.source.0;
                let (lower, upper) = (bounds.lower, bounds.upper);
                statement.execute(params![discs, mover, opponent, source, lower, upper])
            })
            .map_err(|cause| self.reader.failed(cause));
        self.whole_or_nothing(written)?;
        self.dirty.mark(fact.key);
        Ok(())
    }

    /// Forgets a fact. What is known is right after [`Book::settle`] or [`Book::commit`].
    pub(crate) fn forget_fact(&mut self, fact: Fact) -> Result<(), StoreError> {
        self.begin()?;
        let (discs, mover, opponent) = storage_order(fact.key);
        let written = self
            .reader
            .connection
            .prepare_cached(
                "DELETE FROM fact \
                 WHERE discs = ?1 AND mover = ?2 AND opponent = ?3 AND source = ?4",
            )
            .and_then(|mut statement| {
                statement.execute(params![discs, mover, opponent, fact.source.0])
            })
            .map_err(|cause| self.reader.failed(cause));
        self.whole_or_nothing(written)?;
        // Where that was the last one there is nothing to propagate, but something to take away.
        self.facts_due = true;
        Ok(())
    }

    /// Keeps what a node is known to be worth, or that it is what its searches say.
    pub(in crate::store) fn write_known(
        &self,
        key: Key,
        values: Option<Values>,
    ) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        let connection = &self.reader.connection;
        let written = match values {
            None => connection
                .prepare_cached(
                    "DELETE FROM known WHERE discs = ?1 AND mover = ?2 AND opponent = ?3",
                )
                .and_then(|mut statement| statement.execute(params![discs, mover, opponent])),
            Some(values) => {
                let ValueColumns { guess, draw_seeking, win_seeking, bounds } = values.into();
                connection
                    .prepare_cached(
                        "INSERT INTO known (discs, mover, opponent, guess, draw_seeking, \
                         win_seeking, bounds) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
                         ON CONFLICT DO UPDATE SET guess = ?4, draw_seeking = ?5, \
                         win_seeking = ?6, bounds = ?7",
                    )
                    .and_then(|mut statement| {
                        statement.execute(params![
                            discs,
                            mover,
                            opponent,
                            guess,
                            draw_seeking,
                            win_seeking,
                            bounds
                        ])
                    })
            }
        };
        written.map(|_| ()).map_err(|cause| self.reader.failed(cause))
    }

    /// Finds anew what all nodes are known to be worth, from values that are right; returns for how many
    /// that was something else before.
    pub(in crate::store) fn rebuild_known(&mut self) -> Result<u64, StoreError> {
        let mut stored = Vec::new();
        self.reader.for_each_known(|key, values| stored.push((key, values)))?;
        if stored.is_empty() && !self.reader.has_row_of_fact()? {
            return Ok(0);
        }
        self.begin()?;
        let mut known = all_known_values(&self.reader, self.reader.positions_of_facts()?)?;
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
