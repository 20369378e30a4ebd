//! Looking all analyses through.

use std::collections::HashSet;
use std::fmt;

use super::read::{AnalysisRow, COLUMNS};
use super::{AnalysedSquare, PositionAnalysis, SearcherId};
use crate::openbook::verify::check_key;
use crate::othello::board::Key;
use crate::othello::score::Score;
use crate::othello::search::Proof;
use crate::store::{Analyses, StoreError};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AnalysisInvariant {
    /// The position is canonical and can be played.
    Position = 1,
    /// The moves are legal, each the first of its images, and one of them is the best.
    Moves = 2,
    /// Scores are within 64 discs, and exact ones whole, even and no better than the best move's.
    Scores = 3,
    /// All moves of a position have the same depth, selectivity and searcher, and that is known.
    Searched = 4,
}

/// A1 to A4.
impl fmt::Display for AnalysisInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A{}", *self as u8)
    }
}

/// An invariant that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisViolation {
    pub invariant: AnalysisInvariant,
    /// At which position; none when its row means nothing.
    pub key: Option<Key>,
    pub what: &'static str,
}

impl fmt::Display for AnalysisViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.invariant, self.what)?;
        self.key.map_or(Ok(()), |key| write!(f, ", {:?}", key.position()))
    }
}

/// What was found of the analyses of a book.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AnalysisReport {
    /// Moves that were looked at.
    pub moves: u64,
    /// How many invariants do not hold.
    pub violations: u64,
    pub first: Vec<AnalysisViolation>,
}

impl AnalysisReport {
    /// How many violations are described.
    pub(crate) const DESCRIBED: usize = 100;

    /// Whether everything holds.
    pub const fn is_sound(&self) -> bool {
        self.violations == 0
    }

    fn note(&mut self, invariant: AnalysisInvariant, key: Option<Key>, what: &'static str) {
        self.violations += 1;
        if self.first.len() < Self::DESCRIBED {
            self.first.push(AnalysisViolation { invariant, key, what });
        }
    }
}

impl Analyses<'_> {
    /// Checks every invariant on every analysed position, as they are at one moment.
    pub fn verify(&self) -> Result<AnalysisReport, StoreError> {
        let _snapshot = self.reader.snapshot()?;
        let mut report = AnalysisReport::default();
        let known: HashSet<SearcherId> = self.searchers()?.into_iter().map(|(id, _)| id).collect();
        let walk = |report: &mut AnalysisReport| -> rusqlite::Result<()> {
            let sql = format!(
                "SELECT {COLUMNS}, discs FROM analysis ORDER BY discs, mover, opponent, square"
            );
            let mut statement = self.reader.connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            let mut current: Vec<AnalysisRow> = Vec::new();
            while let Some(row) = rows.next()? {
                report.moves += 1;
                let discs: i64 = row.get(9)?;
                let read = AnalysisRow::of(row)?;
                let Some(read) = read.filter(|read| i64::from(read.key.discs()) == discs) else {
                    let what = "a row that means nothing";
                    report.note(AnalysisInvariant::Position, None, what);
                    continue;
                };
                if current.first().is_some_and(|first| first.key != read.key) {
                    check(&current, &known, report);
                    current.clear();
                }
                current.push(read);
            }
            check(&current, &known, report);
            Ok(())
        };
        walk(&mut report).map_err(|cause| self.reader.failed(cause))?;
        Ok(report)
    }
}

/// Checks the rows of one position.
fn check(rows: &[AnalysisRow], known: &HashSet<SearcherId>, report: &mut AnalysisReport) {
    let Some(&first) = rows.first() else { return };
    let mut analysis: Option<PositionAnalysis> = None;
    rows.iter().for_each(|row| row.join(&mut analysis));
    let Some(analysis) = analysis else { return };
    for (invariant, what) in faults(first.key, &analysis) {
        report.note(invariant, Some(first.key), what);
    }
    let limits = |row: &AnalysisRow| (row.depth, row.selectivity, row.searcher);
    if rows.iter().any(|row| limits(row) != limits(&first)) {
        let what = "moves that were searched in different ways";
        report.note(AnalysisInvariant::Searched, Some(first.key), what);
    }
    if !known.contains(&first.searcher) {
        let what = "no engine is named for it";
        report.note(AnalysisInvariant::Searched, Some(first.key), what);
    }
}

impl PositionAnalysis {
    /// Whether a book may hold it for this position.
    pub(crate) fn makes_sense(&self, key: Key) -> bool {
        faults(key, self).is_empty()
    }
}

/// What is wrong with the analysis of a position by itself.
fn faults(key: Key, analysis: &PositionAnalysis) -> Vec<(AnalysisInvariant, &'static str)> {
    let mut faults = Vec::new();
    if check_key(key).is_err() {
        return vec![(AnalysisInvariant::Position, "no position that can be played")];
    }
    let legal = key.position().legal_moves();
    let is_move = |known: &AnalysedSquare| {
        legal.contains(known.square) && key.first_image(known.square) == known.square
    };
    if !analysis.moves.iter().all(is_move) {
        faults.push((AnalysisInvariant::Moves, "a move that is not legal, or another's image"));
    }
    if analysis.moves.iter().filter(|known| known.best).count() != 1 {
        faults.push((AnalysisInvariant::Moves, "one move must be the best"));
    }
    let is_score = |known: &AnalysedSquare| {
        let fits = (Score::MIN..=Score::MAX).contains(&known.score);
        match known.proof {
            Proof::None => fits,
            Proof::Exact => {
                let none_is_better = analysis
                    .best()
                    .is_none_or(|best| best.proof == Proof::Exact && best.score >= known.score);
                fits && known.score.centidiscs() % 200 == 0 && none_is_better
            }
            _ => false,
        }
    };
    if !analysis.moves.iter().all(is_score) {
        faults.push((AnalysisInvariant::Scores, "a score that cannot be"));
    }
    faults
}
