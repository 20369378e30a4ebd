//! How values moved while a book grew: its checkpoints. They are of the file, as its list of runs is:
//! merging, restoring and undoing leave them alone, and snapshots have none.

mod check;
mod read;
mod write;

pub use check::{HistoryInvariant, HistoryReport, HistoryViolation};
pub(super) use read::values_of;

use crate::openbook::Values;

use super::RunId;

/// A checkpoint of growth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryPoint {
    /// The run that it belongs to; 0 where that is lost.
    pub run: RunId,
    pub positions: u64,
    /// Searches of all runs up to here.
    pub searches: u64,
    /// Processor time of all runs up to here, in milliseconds.
    pub milliseconds: u64,
    /// When, UTC, as 2026-11-20T19:30:00Z.
    pub taken: String,
}

impl HistoryPoint {
    /// Whether its numbers can be counts and its time is one.
    pub(super) fn can_be(&self) -> bool {
        let numbers = [self.positions, self.searches, self.milliseconds];
        numbers.iter().all(|&number| i64::try_from(number).is_ok())
            && self.taken.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Whether it can be the one after another: work becomes no less.
    pub(super) const fn can_follow(&self, before: &Self) -> bool {
        self.searches >= before.searches && self.milliseconds >= before.milliseconds
    }
}

/// The number of a [`HistoryPoint`]: later ones have greater numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HistoryPointId(pub i64);

/// What a position is worth by searches alone from a checkpoint on; none where it is not in the book.
pub(crate) type PastValue = (HistoryPointId, Option<Values>);
