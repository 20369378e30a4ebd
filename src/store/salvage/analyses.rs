//! What is left of the analyses of a damaged book.

use std::collections::BTreeMap;

use crate::othello::board::Key;
use crate::store::analysis::AnalysisRow;
use crate::store::analysis::{PositionAnalysis, PositionSearcher, SearcherId};
use crate::store::pages::page::Column;
use crate::store::row::storage_order;

/// The analyses of a damaged book, as far as they were found.
#[derive(Default)]
pub(super) struct AnalysisWreck {
    rows: Vec<AnalysisRow>,
    searchers: BTreeMap<u32, PositionSearcher>,
}

/// An analysed position of a damaged book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SavedAnalysis {
    pub key: Key,
    /// What its rows say.
    pub analysis: PositionAnalysis,
    /// The searcher; none when that is lost.
    pub searcher: Option<PositionSearcher>,
}

impl SavedAnalysis {
    /// Whether a book may hold it.
    pub(crate) fn makes_sense(&self) -> bool {
        self.analysis.makes_sense(self.key)
    }
}

impl AnalysisWreck {
    /// Takes a row of a table without row numbers; false when it is of no analysis.
    pub(super) fn note_move(&mut self, columns: &[Column<'_>]) -> bool {
        let integers: Option<Vec<i64>> = columns.iter().map(|column| column.integer()).collect();
        let Some(Ok([discs, rest @ ..])) = integers.map(<[i64; 10]>::try_from) else {
            return false;
        };
        let row = AnalysisRow::of_columns(rest);
        let Some(row) = row.filter(|row| i64::from(row.key.discs()) == discs) else {
            return false;
        };
        self.rows.push(row);
        true
    }

    /// Takes a numbered row; false when it is no searcher.
    pub(super) fn note_row(&mut self, number: u32, columns: &[Column<'_>]) -> bool {
        let &[Column::Null, Column::Text(engine), Column::Text(evaluator), Column::Text(day)] =
            columns
        else {
            return false;
        };
        let searcher = PositionSearcher {
            engine: engine.to_owned(),
            evaluator: evaluator.to_owned(),
            day: day.to_owned(),
        };
        self.searchers.insert(number, searcher);
        true
    }

    /// The positions, each once, with their moves.
    pub(super) fn positions(&self) -> Vec<SavedAnalysis> {
        let mut rows = self.rows.clone();
        let place = |row: &AnalysisRow| (storage_order(row.key), row.found.square);
        rows.sort_by_key(place);
        rows.dedup_by_key(|row| place(row));
        let mut found = Vec::new();
        for of_one in rows.chunk_by(|one, next| one.key == next.key) {
            let Some(first) = of_one.first() else { continue };
            // Rows of a page that is no longer in use may be of another search.
            let same = |row: &&AnalysisRow| {
                (row.depth, row.selectivity, row.searcher)
                    == (first.depth, first.selectivity, first.searcher)
            };
            let mut analysis = None;
            of_one.iter().filter(same).for_each(|row| row.join(&mut analysis));
            let SearcherId(number) = first.searcher;
            found.extend(analysis.map(|analysis| SavedAnalysis {
                key: first.key,
                analysis,
                searcher: self.searchers.get(&number).cloned(),
            }));
        }
        found
    }
}
