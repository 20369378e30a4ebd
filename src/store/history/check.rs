//! Looking a history through.

use std::collections::HashSet;
use std::fmt;

use rusqlite::Row;

use super::HistoryPoint;
use super::read::values_of;
use crate::openbook::verify::check_key;
use crate::othello::board::Key;
use crate::store::row::{stored_key, unsigned};
use crate::store::{History, RunId, StoreError};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HistoryInvariant {
    /// A checkpoint's numbers and time can be, and neither searches nor processor time become less from
    /// one to the next.
    Checkpoints = 1,
    /// A position is canonical, can be played, and is there once.
    Positions = 2,
    /// A value is of a checkpoint and a position that are there, and can be one.
    Values = 3,
}

/// H1 to H3.
impl fmt::Display for HistoryInvariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "H{}", *self as u8)
    }
}

/// An invariant that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryViolation {
    pub invariant: HistoryInvariant,
    /// What is wrong, and where.
    pub what: String,
}

impl fmt::Display for HistoryViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.invariant, self.what)
    }
}

/// What was found of the history of a book.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HistoryReport {
    pub checkpoints: u64,
    /// How many invariants do not hold.
    pub violations: u64,
    pub first: Vec<HistoryViolation>,
}

impl HistoryReport {
    /// How many violations are described.
    pub(crate) const DESCRIBED: usize = 100;

    /// Whether everything holds.
    pub const fn is_sound(&self) -> bool {
        self.violations == 0
    }

    fn note(&mut self, invariant: HistoryInvariant, what: String) {
        self.violations += 1;
        if self.first.len() < Self::DESCRIBED {
            self.first.push(HistoryViolation { invariant, what });
        }
    }
}

impl History<'_> {
    /// Checks every invariant on the history of the book, as it is at one moment.
    pub(crate) fn verify(&self) -> Result<HistoryReport, StoreError> {
        let _snapshot = self.reader.snapshot()?;
        let mut report = HistoryReport::default();
        let points = self.check_points(&mut report)?;
        let positions = self.check_positions(&mut report)?;
        self.check_values(&points, &positions, &mut report)?;
        Ok(report)
    }

    /// The numbers of the checkpoints.
    fn check_points(&self, report: &mut HistoryReport) -> Result<HashSet<i64>, StoreError> {
        // A time that is no text is to be reported, not to end the check.
        let sql = "SELECT id, run, positions, searches, milliseconds, CAST(taken AS BLOB) \
                   FROM history_point ORDER BY id";
        let points = self.reader.rows(sql, [], |row| {
            let taken: Vec<u8> = row.get(5)?;
            let point = HistoryPoint {
                run: RunId(row.get(1)?),
                positions: unsigned(row.get(2)?),
                searches: unsigned(row.get(3)?),
                milliseconds: unsigned(row.get(4)?),
                taken: String::from_utf8_lossy(&taken).into_owned(),
            };
            Ok((row.get(0)?, point))
        })?;
        let mut numbers = HashSet::new();
        let mut before: Option<HistoryPoint> = None;
        for (number, point) in points {
            report.checkpoints += 1;
            numbers.insert(number);
            if !point.can_be() {
                let what = format!("checkpoint {number} says what cannot be");
                report.note(HistoryInvariant::Checkpoints, what);
            } else if before.as_ref().is_some_and(|before| !point.can_follow(before)) {
                let what = format!("checkpoint {number} has less behind it than the one before");
                report.note(HistoryInvariant::Checkpoints, what);
            }
            before = Some(point);
        }
        Ok(numbers)
    }

    fn check_positions(&self, report: &mut HistoryReport) -> Result<HashSet<i64>, StoreError> {
        let sql = "SELECT id, discs, mover, opponent FROM history_position";
        let (mut numbers, mut seen) = (HashSet::new(), HashSet::new());
        for (number, key) in self.reader.rows(sql, [], |row| Ok((row.get(0)?, key_of(row)?)))? {
            numbers.insert(number);
            let what = match key {
                None => "cannot be played, or is not canonical",
                Some(key) if !seen.insert(key) => "is there twice",
                Some(_) => continue,
            };
            report.note(HistoryInvariant::Positions, format!("position {number} {what}"));
        }
        Ok(numbers)
    }

    fn check_values(
        &self,
        points: &HashSet<i64>,
        positions: &HashSet<i64>,
        report: &mut HistoryReport,
    ) -> Result<(), StoreError> {
        let sql =
            "SELECT position, point, guess, draw_seeking, win_seeking, bounds FROM history_value";
        let read = |row: &Row<'_>| {
            let values = values_of([row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?]);
            Ok((row.get(0)?, row.get(1)?, values.is_some()))
        };
        self.reader.each_row(sql, [], read, |(position, point, is_value)| {
            if !is_value || !points.contains(&point) || !positions.contains(&position) {
                let what = format!("the value of position {position} at checkpoint {point}");
                let what = format!("{what} belongs to nothing or cannot be");
                report.note(HistoryInvariant::Values, what);
            }
            Ok(())
        })
    }
}

/// The position of a row; none when it is not canonical or cannot be played.
fn key_of(row: &Row<'_>) -> rusqlite::Result<Option<Key>> {
    let discs: i64 = row.get(1)?;
    let key = stored_key(row.get(2)?, row.get(3)?);
    Ok(key.filter(|&key| check_key(key).is_ok() && i64::from(key.discs()) == discs))
}
