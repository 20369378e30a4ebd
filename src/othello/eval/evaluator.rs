//! What the search asks of an evaluator.

use crate::othello::board::{Bitboard, Cpu, Portable, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::probcut::{self, Margins};

/// Judges positions without looking ahead. The search carries a state along and passes every move
/// to it, so that an evaluator can keep its features up to date instead of computing them anew.
pub trait Evaluator: Send + Sync {
    /// Whatever the evaluator keeps for a position. Colours in it may be absolute or relative: the
    /// evaluator alone looks inside.
    type State: Clone + Send + Sync;

    fn state(&self, position: Position) -> Self::State;

    /// The state after the side to move plays on `square` and turns `turned`; the other side is
    /// then to move.
    fn play(&self, state: &Self::State, square: Square, turned: Bitboard) -> Self::State;

    fn pass(&self, state: &Self::State) -> Self::State;

    /// The expected final result of `position`, for its side to move, within ±64 discs, with the
    /// board operations of one kind of processor. `state` is the state of this position.
    ///
    /// For the leaves of a search, without a check whether the game is over there, which would cost
    /// every leaf more than it is worth. All other callers use [`Self::evaluate`].
    fn estimate<C: Cpu>(&self, cpu: C, state: &Self::State, position: Position) -> Score;

    /// What `position` is worth to its side to move: the final score of a finished game, else the
    /// estimate.
    fn evaluate(&self, state: &Self::State, position: Position) -> Score {
        final_score(position).unwrap_or_else(|| self.estimate(Portable, state, position))
    }

    /// What the result of perfect play is expected to be where a search found `score`, for whichever
    /// side, that judged positions with so many empty squares left: see [`Stretch`](super::Stretch). The
    /// score itself, where nothing was measured.
    fn stretched(&self, score: Score, left: u8) -> Score {
        let _ = left;
        score
    }

    /// By what its searches predict deeper ones: that was fitted to each set of patterns.
    fn margins(&self) -> &'static Margins {
        &probcut::ROSEBILL
    }

    /// A name with a version, unique to these very weights: it is stored as the provenance of every
    /// value. For example `rosebill 3f09a1c2`.
    fn name(&self) -> String;
}

/// The score of a finished game for the side to move; none while either side can move.
pub(super) fn final_score(position: Position) -> Option<Score> {
    position.is_over().then(|| Score::from_discs(position.final_score()))
}
