//! Keeping analysed positions.

use rusqlite::params;

use super::{PositionAnalysis, PositionSearcher, SearcherId};
use crate::othello::board::Key;
use crate::store::row::storage_order;
use crate::store::{AnalysesMut, StoreError};

impl AnalysesMut<'_> {
    /// The number of a searcher, which is added when it is new.
    pub fn searcher_id(&mut self, searcher: &PositionSearcher) -> Result<SearcherId, StoreError> {
        let PositionSearcher { engine, evaluator, day } = searcher;
        let values = params![engine, evaluator, day];
        let add = "INSERT OR IGNORE INTO searcher (engine, evaluator, day) VALUES (?1, ?2, ?3)";
        self.book.execute(add, values)?;
        let find = "SELECT id FROM searcher WHERE (engine, evaluator, day) = (?1, ?2, ?3)";
        let id = self.book.reader.first(find, values, |row| Ok(SearcherId(row.get(0)?)))?;
        id.ok_or_else(|| self.book.reader.damage("a searcher that was added is not there"))
    }

    /// Keeps what was found of a position in place of what was known of it. The book is not committed
    /// yet.
    pub fn keep(&mut self, key: Key, analysis: &PositionAnalysis) -> Result<(), StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        let written = (|| {
            let sql = "DELETE FROM analysis WHERE discs = ?1 AND mover = ?2 AND opponent = ?3";
            self.book.execute(sql, params![discs, mover, opponent])?;
            let sql = "INSERT INTO analysis (discs, mover, opponent, square, best, score, proof, \
                       depth, selectivity, source) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
            for known in &analysis.moves {
                let columns = params![
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
                ];
                self.book.execute(sql, columns)?;
            }
            Ok(())
        })();
        self.book.whole_or_nothing(written)
    }
}
