//! The result of writing a book, and what its format could not hold of it.

use serde::Serialize;

use super::ntest::NtestLosses;
use super::zebra::ZebraLosses;
use crate::openbook::Node;

/// What was written, and what the format could not hold.
#[derive(Serialize, Clone, PartialEq, Eq, Default, Debug)]
pub struct ExportReport {
    /// Positions of the book that were written.
    pub positions: u64,
    /// Records that are written besides: positions whose side to move must pass.
    pub passes: u64,
    /// Records that are written besides: finished games.
    pub finished: u64,
    /// Records of passes and finished games of the imported files that no written position leads
    /// to, left out.
    pub unreached: u64,
    /// Positions that the format wants besides: those after a best move that is in no book.
    pub added: u64,
    /// Of those, values that two positions before them disagree about: the deeper search counts.
    pub disagree: u64,
    /// Positions whose value the program's "fix", which looks at records alone, would change.
    pub fix_changes: u64,
    /// Searches that were made before, so that nothing is due.
    pub completed: u64,
    /// Edax: records of another level than the commonest, which the header has.
    pub other_levels: u64,
    /// Positions that were not to be written.
    pub filtered: u64,
    /// Positions that only held links lead to, left out: other programs know no held links.
    pub only_held: u64,
    /// Positions with a held link to one that is written: other programs value them by it.
    pub seen_otherwise: u64,
    /// Positions without any value, or with fewer empties than the format keeps, left out.
    pub left_out: u64,
    /// Positions written without a best other move, because a search is due there.
    pub search_due: u64,
    /// Positions of an exact value, written without a best other move: nothing is due there, but other programs search
    /// what they have no record of.
    pub exact_open: u64,
    /// Values without a move that were given the likeliest move, because the format wants one.
    pub likely_moves: u64,
    /// Scores with a fraction of a disc, rounded.
    pub rounded: u64,
    /// Whether the start position is not among them, though programs that read this format reckon values from
    /// there.
    pub has_no_start: bool,
    /// Positions written as in the file that they were imported from.
    pub unchanged: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Tables alone: the name of each, and how many rows it has.
    #[serde(skip)]
    pub rows: Vec<(String, u64)>,
    /// NTest alone.
    #[serde(skip)]
    pub ntest: NtestLosses,
    /// Zebra alone.
    #[serde(skip)]
    pub zebra: ZebraLosses,
}

impl ExportReport {
    /// Counts a position that is written without a best other move.
    pub(crate) fn count_open(&mut self, node: &Node) {
        let count = if node.is_incomplete() { &mut self.search_due } else { &mut self.exact_open };
        *count += 1;
    }
}
