//! What the search asks of an evaluator.

use crate::board::{Bitboard, Cpu, Position, Square};
use crate::score::Score;

/// Judges positions without looking ahead. The search carries a state along and tells it of every
/// move, so that an evaluator can keep its features up to date instead of computing them anew.
pub trait Evaluator: Send + Sync {
    /// Whatever the evaluator keeps for a position. Colours in it may be absolute or relative: the
    /// evaluator alone looks inside.
    type State: Clone + Send;

    /// Whether searches with it are compiled for every kind of processor. It makes them faster and
    /// the build longer; without it they run the portable code.
    const EVERY_PROCESSOR: bool = true;

    /// The state of a position.
    fn state(&self, position: Position) -> Self::State;

    /// The state after the side to move plays on `square` and turns `turned`; the other side is
    /// then to move.
    fn play(&self, state: &Self::State, square: Square, turned: Bitboard) -> Self::State;

    /// The state after a pass.
    fn pass(&self, state: &Self::State) -> Self::State;

    /// The expected final result of `position`, for its side to move, within ±64 discs.
    /// `state` is the state of this position.
    fn evaluate(&self, state: &Self::State, position: Position) -> Score;

    /// As [`Self::evaluate`], with the board operations of one kind of processor.
    #[inline(always)]
    fn evaluate_on<C: Cpu>(&self, cpu: C, state: &Self::State, position: Position) -> Score {
        let _ = cpu;
        self.evaluate(state, position)
    }

    /// A name with a version, unique to these very weights: it is stored as the provenance of every
    /// value. For example `rosebill 3f09a1c2`.
    fn name(&self) -> String;
}
