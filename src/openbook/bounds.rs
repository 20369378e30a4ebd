//! Bounds of a result.

use std::fmt;

/// The result of a position is proven to be within these, in discs, for the side to move.
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// At least this.
    pub lower: i8,
    /// At most this.
    pub upper: i8,
}

impl Bounds {
    /// Nothing is proven.
    pub const ALL: Self = Self { lower: -64, upper: 64 };

    /// Bounds of a result; none unless they are in order and within 64 discs.
    pub const fn new(lower: i8, upper: i8) -> Option<Self> {
        match -64 <= lower && lower <= upper && upper <= 64 {
            true => Some(Self { lower, upper }),
            false => None,
        }
    }

    /// The even results within these bounds, which are all that there can be: the winner gets the
    /// squares that are left. None where there is no even result, or as for [`Self::new`].
    pub(crate) const fn of_even(lower: i8, upper: i8) -> Option<Self> {
        Self::new(lower.saturating_add(lower & 1), upper.saturating_sub(upper & 1))
    }

    /// The bounds of a move that leads here, for the side that makes it. `same_side` says that this is
    /// also the side to move here, because the other one must pass.
    pub const fn seen_by_parent(self, same_side: bool) -> Self {
        if same_side { self } else { Self { lower: -self.upper, upper: -self.lower } }
    }

    /// The bounds of the better of two moves.
    #[must_use]
    pub(crate) fn max(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    /// What both say together; none when they exclude each other.
    #[must_use]
    pub(crate) fn meet(self, other: Self) -> Option<Self> {
        Self::new(self.lower.max(other.lower), self.upper.min(other.upper))
    }
}

/// As `0..64`, or `-2` where both are one.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lower == self.upper {
            true => write!(f, "{}", self.lower),
            false => write!(f, "{}..{}", self.lower, self.upper),
        }
    }
}
