//! What a line of play gives away.

use crate::board::Side;
use crate::score::Score;

use super::Values;

/// What each side gave away along a line: the sum, over its own moves, of the value of the
/// position less the value of the move, in centidiscs, never negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Regret {
    /// By Black.
    pub black: i32,
    /// By White.
    pub white: i32,
}

impl Regret {
    /// By both.
    #[must_use]
    pub const fn total(self) -> i32 {
        self.black + self.white
    }

    /// By one side.
    #[must_use]
    pub const fn of(self, side: Side) -> i32 {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }

    /// With one more move by this side.
    #[must_use]
    pub const fn and(self, side: Side, more: i32) -> Self {
        match side {
            Side::Black => Self { black: self.black + more, ..self },
            Side::White => Self { white: self.white + more, ..self },
        }
    }
}

/// What a move of this worth gives away in a position of these values, both for the side to move,
/// in centidiscs. Only the guesses count: a proof changes who wins, not by how much.
#[must_use]
pub fn of_move(node: Values, move_guess: Score) -> i32 {
    // An incomplete node can have a move above its own value for a moment; that gives nothing away.
    (i32::from(node.guess.centidiscs()) - i32::from(move_guess.centidiscs())).max(0)
}

/// The most that a line may give away, in centidiscs. No limit where none is set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RegretLimits {
    /// By Black.
    pub black: Option<i32>,
    /// By White.
    pub white: Option<i32>,
    /// By both together.
    pub total: Option<i32>,
    /// By any single move.
    pub single: Option<i32>,
}

impl RegretLimits {
    /// Whether a line may give away so much.
    #[must_use]
    pub fn allow(self, regret: Regret) -> bool {
        let within = |limit: Option<i32>, regret| limit.is_none_or(|limit| regret <= limit);
        within(self.black, regret.black)
            && within(self.white, regret.white)
            && within(self.total, regret.total())
    }

    /// Whether a single move may give away so much.
    #[must_use]
    pub fn allow_move(self, regret: i32) -> bool {
        self.single.is_none_or(|limit| regret <= limit)
    }

    /// Whether one side is limited by itself, so that the line of least total regret to a position
    /// need not be one that is allowed.
    #[must_use]
    pub const fn by_side(self) -> bool {
        self.black.is_some() || self.white.is_some()
    }
}
