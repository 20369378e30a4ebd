//! Looking a whole book through.

use super::analysis::AnalysisReport;
use super::games::{GameReport, verify_games};
use crate::openbook::verify::{Invariant, Report};
use crate::store::{HistoryReport, Reader, StoreError, UndoReport};

/// What was found in each part of a book.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Verified {
    /// In its positions, with their values and facts.
    pub positions: Report,
    /// In its games, with what is made from them to answer questions.
    pub games: GameReport,
    pub analyses: AnalysisReport,
    pub history: HistoryReport,
    /// In what takes changes back.
    pub undo: UndoReport,
}

impl Verified {
    /// How many invariants do not hold.
    pub(crate) const fn violations(&self) -> u64 {
        self.positions.violations
            + self.games.violations
            + self.analyses.violations
            + self.history.violations
            + self.undo.violations
    }

    /// Whether nothing is wrong with the positions, as far as it is listed, but what follows from records and links:
    /// that can be computed anew, all else is saved from the file.
    pub(crate) fn is_derived(&self) -> bool {
        let mut listed = self.positions.first.iter();
        listed.all(|violation| {
            use Invariant::{Evidence, Facts, Order, Values};
            matches!(violation.invariant, Evidence | Facts | Order | Values)
        })
    }

    /// Whether everything holds.
    pub const fn is_sound(&self) -> bool {
        self.violations() == 0
    }
}

/// Checks every invariant on every part of a book.
pub fn verify(book: &Reader) -> Result<Verified, StoreError> {
    Ok(Verified {
        positions: book.verify()?,
        games: verify_games(book)?,
        analyses: book.analyses().verify()?,
        history: book.history().verify()?,
        undo: book.undo_log().verify()?,
    })
}
