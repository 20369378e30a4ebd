//! What a book for NTest could not say as our book has it.

use super::NtestLevel;

/// Positions that NTest values differently from our book, once it has computed its values from
/// the file. The first two fields add up to all of them, the others are the reasons.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NtestDifferences {
    /// Its best guess is another.
    pub guess: u64,
    /// Only its draw-seeking or win-seeking value is another.
    pub seeking: u64,
    /// Why: written with one number and without moves, where our book has three values.
    pub one_number: u64,
    /// Why: the best move out of the book is proven, and an estimate in NTest.
    pub proven_rest: u64,
    /// Why: a move out of the book was searched from another position too, with another value.
    pub other_search: u64,
    /// Why: an estimate is better than a proven result, or held within one, only in our book.
    pub estimate: u64,
    /// Because they are as in the file that they were imported from.
    pub as_in_file: u64,
    /// Why: moves lead to one of those above.
    pub inherited: u64,
}

impl NtestDifferences {
    /// Counts a position whose three values may differ, and says whether they do: best guess,
    /// draw-seeking, win-seeking, in centidiscs.
    pub(crate) fn count(&mut self, ours: [i16; 3], theirs: [i16; 3]) -> bool {
        let ([guess, ..], [their_guess, ..]) = (ours, theirs);
        self.guess += u64::from(guess != their_guess);
        self.seeking += u64::from(guess == their_guess && ours != theirs);
        ours != theirs
    }
}

/// What a book for NTest could not say.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NtestLosses {
    pub level: Option<NtestLevel>,
    /// A higher level that most positions were searched for, and how many were not.
    pub higher: Option<(NtestLevel, u64)>,
    /// Nodes of the file: positions written and positions added.
    pub nodes: u64,
    /// Positions that claim more than their search, because the level asks for it.
    pub claimed: u64,
    /// Proven best moves out of the book, written as estimates.
    pub proven_rests: u64,
    /// Wins and losses without a size, written as estimates.
    pub unsized_results: u64,
    /// Positions that are not solved, so near to the end that NTest has no moves there.
    pub near_end: u64,
    /// Positions whose numbers of games are not written, because they have no moves there.
    pub games_dropped: u64,
    /// Positions of an NTest file that do not keep NTest's rules any more among the others, and are
    /// written anew.
    pub made_anew: u64,
    pub differences: NtestDifferences,
}
