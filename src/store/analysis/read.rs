//! Asking for analysed positions.

use rusqlite::{Row, params};

use super::{AnalysedSquare, PositionAnalysis, PositionSearcher, SearcherId};
use crate::othello::board::{Key, Square};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};
use crate::store::row::{storage_order, stored_key};
use crate::store::{Analyses, StoreError};

/// The columns of a move of an analysed position, as [`AnalysisRow::of`] reads them.
pub(super) const COLUMNS: &str =
    "mover, opponent, square, best, score, proof, depth, selectivity, source";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::store) struct AnalysisRow {
    pub(in crate::store) key: Key,
    pub(in crate::store) found: AnalysedSquare,
    pub(in crate::store) depth: u8,
    pub(in crate::store) selectivity: Selectivity,
    pub(in crate::store) searcher: SearcherId,
}

impl AnalysisRow {
    /// A row with the columns [`COLUMNS`]; none when it means nothing.
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<Option<Self>> {
        let mut columns = [0; 9];
        for (index, column) in columns.iter_mut().enumerate() {
            *column = row.get(index)?;
        }
        Ok(Self::of_columns(columns))
    }

    /// Takes the columns [`COLUMNS`]; none when they mean nothing.
    pub(in crate::store) fn of_columns(columns: [i64; 9]) -> Option<Self> {
        let [mover, opponent, square, best, score, proof, depth, selectivity, source] = columns;
        Some(Self {
            key: stored_key(mover, opponent)?,
            found: AnalysedSquare {
                square: Square::try_new(u8::try_from(square).ok()?)?,
                best: best != 0,
                score: Score::from_centidiscs(i16::try_from(score).ok()?),
                proof: Proof::numbered(u8::try_from(proof).ok()?)?,
            },
            depth: u8::try_from(depth).ok()?,
            selectivity: Selectivity::from_percent(u8::try_from(selectivity).ok()?)?,
            searcher: SearcherId(u32::try_from(source).ok()?),
        })
    }

    /// Adds it to what is known of its position.
    pub(in crate::store) fn join(self, analysis: &mut Option<PositionAnalysis>) {
        let Self { found, depth, selectivity, searcher, .. } = self;
        let analysis = analysis.get_or_insert_with(|| PositionAnalysis {
            depth,
            selectivity,
            searcher,
            moves: Vec::with_capacity(2),
        });
        analysis.moves.push(found);
    }
}

impl Analyses<'_> {
    pub(crate) fn count_moves(&self) -> Result<u64, StoreError> {
        self.reader.number("SELECT count(*) FROM analysis")
    }

    /// What is kept of a position, without rows that mean nothing: an analysis searches those again.
    pub(crate) fn of(&self, key: Key) -> Result<Option<PositionAnalysis>, StoreError> {
        let (discs, mover, opponent) = storage_order(key);
        let sql = format!(
            "SELECT {COLUMNS} FROM analysis \
             WHERE discs = ?1 AND mover = ?2 AND opponent = ?3 ORDER BY square"
        );
        let at = params![discs, mover, opponent];
        let mut analysis = None;
        let rows = self.reader.rows(&sql, at, |row| Ok(AnalysisRow::of(row)?))?;
        rows.into_iter().flatten().for_each(|row| row.join(&mut analysis));
        Ok(analysis)
    }

    /// Gives all analysed positions in storage order, without rows that mean nothing.
    pub fn for_each<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Key, PositionAnalysis) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!("SELECT {COLUMNS} FROM analysis ORDER BY discs, mover, opponent, square");
        let mut current: Option<(Key, PositionAnalysis)> = None;
        let read = |row: &Row<'_>| Ok(AnalysisRow::of(row)?);
        self.reader.each_row(&sql, [], read, |row| {
            let Some(row) = row else { return Ok(()) };
            let key = row.key;
            let (before, mut analysis) = match current.take() {
                Some((same, analysis)) if same == key => (None, Some(analysis)),
                other => (other, None),
            };
            row.join(&mut analysis);
            current = analysis.map(|analysis| (key, analysis));
            before.map_or(Ok(()), |(key, analysis)| each(key, analysis))
        })?;
        current.map_or(Ok(()), |(key, analysis)| each(key, analysis))
    }

    /// The searchers, with the numbers that analyses have.
    pub fn searchers(&self) -> Result<Vec<(SearcherId, PositionSearcher)>, StoreError> {
        let sql = "SELECT id, engine, evaluator, day FROM searcher ORDER BY id";
        self.reader.rows(sql, [], |row| {
            let (engine, evaluator, day) = (row.get(1)?, row.get(2)?, row.get(3)?);
            Ok((SearcherId(row.get(0)?), PositionSearcher { engine, evaluator, day }))
        })
    }
}
