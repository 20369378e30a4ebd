//! Asking for analysed positions.

use rusqlite::{Row, params};

use super::{AnalysedSquare, PositionAnalysis, PositionSearcher, SINCE, SearcherId};
use crate::othello::board::{Key, Square};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};
use crate::store::row::{storage_order, stored_key};
use crate::store::{Reader, StoreError};

/// The columns of a move of an analysed position, as [`AnalysisRow::of`] reads them.
pub(super) const COLUMNS: &str =
    "mover, opponent, square, best, score, proof, depth, selectivity, source";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnalysisRow {
    pub(super) key: Key,
    pub(super) found: AnalysedSquare,
    pub(super) depth: u8,
    pub(super) selectivity: Selectivity,
    pub(super) searcher: SearcherId,
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
    pub(super) fn of_columns(columns: [i64; 9]) -> Option<Self> {
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
    pub(super) fn join(self, analysis: &mut Option<PositionAnalysis>) {
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

impl Reader {
    /// Whether the book can hold analyses: one of an older program cannot, until it is written to.
    pub fn has_analyses(&self) -> Result<bool, StoreError> {
        self.has_migration(SINCE)
    }

    pub fn count_analysed_moves(&self) -> Result<u64, StoreError> {
        if !self.has_analyses()? {
            return Ok(0);
        }
        let count = self
            .connection
            .prepare_cached("SELECT count(*) FROM analysis")
            .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)));
        count.map(i64::cast_unsigned).map_err(|cause| self.failed(cause))
    }

    /// What is kept of a position, without rows that mean nothing: an analysis searches those again. Ask only
    /// a book that [`Reader::has_analyses`].
    pub(crate) fn analysis(&self, key: Key) -> Result<Option<PositionAnalysis>, StoreError> {
        let load = || -> rusqlite::Result<Option<PositionAnalysis>> {
            let (discs, mover, opponent) = storage_order(key);
            let mut statement = self.connection.prepare_cached(
                "SELECT mover, opponent, square, best, score, proof, depth, selectivity, source \
                 FROM analysis WHERE discs = ?1 AND mover = ?2 AND opponent = ?3 ORDER BY square",
            )?;
            let mut rows = statement.query(params![discs, mover, opponent])?;
            let mut analysis = None;
            while let Some(row) = rows.next()? {
                if let Some(row) = AnalysisRow::of(row)? {
                    row.join(&mut analysis);
                }
            }
            Ok(analysis)
        };
        load().map_err(|cause| self.failed(cause))
    }

    /// Gives all analysed positions in storage order, without rows that mean nothing.
    pub fn for_each_analysis<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Key, PositionAnalysis) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.has_analyses()? {
            return Ok(());
        }
        let failed = |cause| self.failed(cause);
        let sql = format!("SELECT {COLUMNS} FROM analysis ORDER BY discs, mover, opponent, square");
        let mut statement = self.connection.prepare(&sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut current: Option<(Key, PositionAnalysis)> = None;
        while let Some(row) = rows.next().map_err(failed)? {
            let Some(row) = AnalysisRow::of(row).map_err(failed)? else { continue };
            let key = row.key;
            let (before, mut analysis) = match current.take() {
                Some((same, analysis)) if same == key => (None, Some(analysis)),
                other => (other, None),
            };
            if let Some((key, analysis)) = before {
                each(key, analysis)?;
            }
            row.join(&mut analysis);
            current = analysis.map(|analysis| (key, analysis));
        }
        match current {
            Some((key, analysis)) => each(key, analysis),
            None => Ok(()),
        }
    }

    /// The searchers, with the numbers that analyses have.
    pub fn searchers(&self) -> Result<Vec<(SearcherId, PositionSearcher)>, StoreError> {
        if !self.has_analyses()? {
            return Ok(Vec::new());
        }
        let list = self
            .connection
            .prepare_cached("SELECT id, engine, evaluator, day FROM searcher ORDER BY id")
            .and_then(|mut statement| {
                let rows = statement.query_map([], |row| {
                    let (engine, evaluator, day) = (row.get(1)?, row.get(2)?, row.get(3)?);
                    Ok((SearcherId(row.get(0)?), PositionSearcher { engine, evaluator, day }))
                })?;
                rows.collect()
            });
        list.map_err(|cause| self.failed(cause))
    }
}
