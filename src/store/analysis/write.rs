//! Keeping analysed positions.

use rusqlite::params;

use super::{PositionAnalysis, PositionSearcher, SearcherId};
use crate::othello::board::Key;
use crate::store::row::storage_order;
use crate::store::{Book, StoreError};

impl Book {
    /// The number of a searcher, which is added when it is new.
    pub fn searcher_id(&mut self, searcher: &PositionSearcher) -> Result<SearcherId, StoreError> {
        self.begin()?;
        let PositionSearcher { engine, evaluator, day } = searcher;
        let find = || -> rusqlite::Result<u32> {
            let connection = &self.reader.connection;
            connection
                .prepare_cached(
                    "INSERT OR IGNORE INTO searcher (engine, evaluator, day) VALUES (?1, ?2, ?3)",
                )?
                .execute(params![engine, evaluator, day])?;
            connection
                .prepare_cached(
                    "SELECT id FROM searcher WHERE (engine, evaluator, day) = (?1, ?2, ?3)",
                )?
                .query_row(params![engine, evaluator, day], |row| row.get(0))
        };
        find().map(SearcherId).map_err(|cause| self.reader.failed(cause))
    }

    /// Keeps what was found of a position in place of what was known of it. The book is not committed
    /// yet.
    pub fn keep_analysis(
        &mut self,
        key: Key,
        analysis: &PositionAnalysis,
    ) -> Result<(), StoreError> {
        self.begin()?;
        let (discs, mover, opponent) = storage_order(key);
        let write = || -> rusqlite::Result<()> {
            let connection = &self.reader.connection;
            connection
                .prepare_cached(
                    "DELETE FROM analysis WHERE discs = ?1 AND mover = ?2 AND opponent = ?3",
                )?
                .execute(params![discs, mover, opponent])?;
            let mut statement = connection.prepare_cached(
                "INSERT INTO analysis (discs, mover, opponent, square, best, score, proof, depth, \
                 selectivity, source) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?;
            for known in &analysis.moves {
                statement.execute(params![
                    discs,
                    mover,
                    opponent,
                    known.square.number(),
                    known.best,
                    known.score.centidiscs(),
                    known.proof.number(),
                    analysis.depth,
                    analysis.selectivity.percent(),
                    analysis.searcher.0,
                ])?;
            }
            Ok(())
        };
        let written = write().map_err(|cause| self.reader.failed(cause));
        self.whole_or_nothing(written)
    }
}
