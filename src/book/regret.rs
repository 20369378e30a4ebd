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

/// By which value moves are compared: the guess, or what a position is worth to players one of whom
/// would have or avoid a draw.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Judge {
    /// What a draw is worth to Black; none compares guesses.
    pub contempt: Option<Score>,
}

impl Judge {
    /// What values are worth to this side, whose values they are.
    #[must_use]
    pub fn worth(self, values: Values, side: Side) -> Score {
        match (self.contempt, side) {
            (None, _) => values.guess,
            (Some(draw), Side::Black) => values.with_contempt(draw),
            (Some(draw), Side::White) => values.with_contempt(-draw),
        }
    }

    /// What a move gives away for this side, in centidiscs; both values are of its point of view.
    #[must_use]
    pub fn of_move(self, node: Values, found: Values, side: Side) -> i32 {
        loss(self.worth(node, side), self.worth(found, side))
    }
}

/// What a move of this worth gives away in a position of these values, both for the side to move,
/// in centidiscs. Only the guesses count: a proof changes who wins, not by how much.
#[must_use]
pub fn of_move(node: Values, move_guess: Score) -> i32 {
    loss(node.guess, move_guess)
}

/// An incomplete node can have a move above its own value for a moment; that gives nothing away.
fn loss(best: Score, found: Score) -> i32 {
    (i32::from(best.centidiscs()) - i32::from(found.centidiscs())).max(0)
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
