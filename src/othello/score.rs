//! Scores: what a position is worth, in hundredths of a disc or in whole discs.

use std::fmt;
use std::ops::Neg;

/// A value in **centidiscs** (100 = one disc), from the point of view of the side to move in the
/// position that it belongs to.
///
/// ```
/// use rosebill::othello::score::Score;
/// assert_eq!(Score::from_discs(-3).centidiscs(), -300);
/// assert_eq!(Score::from_centidiscs(125).to_string(), "+1.25");
/// assert_eq!((-Score::from_discs(4)).to_string(), "-4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Score(i16);

/// Centidiscs in one disc.
pub(crate) const CENTIDISCS: i16 = 100;

/// The largest possible disc difference, in discs: a wipe-out.
pub(crate) const MAX_DISCS: i8 = 64;

impl Score {
    /// An even game.
    pub const ZERO: Self = Self(0);
    /// A wipe-out for the side to move, +64 discs.
    pub(crate) const MAX: Self = Self(MAX_DISCS as i16 * CENTIDISCS);
    /// A wipe-out against the side to move, -64 discs.
    pub(crate) const MIN: Self = Self(-Self::MAX.0);

    /// A score of so many hundredths of a disc.
    pub const fn from_centidiscs(centidiscs: i16) -> Self {
        Self(centidiscs)
    }

    /// A score of so many whole discs.
    pub const fn from_discs(discs: i8) -> Self {
        Self(discs as i16 * CENTIDISCS)
    }

    /// The score in centidiscs.
    pub const fn centidiscs(self) -> i16 {
        self.0
    }

    /// The score in discs, with its fraction.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / f64::from(CENTIDISCS)
    }

    /// The nearest whole number of discs; halves are rounded away from zero.
    pub const fn rounded_discs(self) -> i8 {
        let half = if self.0 < 0 { -50 } else { 50 };
        ((self.0 + half) / CENTIDISCS) as i8
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// In discs with a sign and at most two decimals; whole numbers without any.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format_centidiscs(self.0);
        f.pad(&text)
    }
}

fn format_centidiscs(value: i16) -> String {
    let sign = match value {
        0 => "",
        v if v < 0 => "-",
        _ => "+",
    };
    let whole = value.unsigned_abs() / CENTIDISCS.unsigned_abs();
    let cents = value.unsigned_abs() % CENTIDISCS.unsigned_abs();
    if cents == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{cents:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_discs_with_at_most_two_decimals() {
        for (centidiscs, text) in [(0, "0"), (5, "+0.05"), (-50, "-0.50"), (-6400, "-64")] {
            assert_eq!(Score::from_centidiscs(centidiscs).to_string(), text);
        }
    }

    #[test]
    fn rounds_halves_away_from_zero() {
        for (centidiscs, discs) in [(49, 0), (50, 1), (-49, 0), (-50, -1), (149, 1), (-6400, -64)] {
            assert_eq!(Score::from_centidiscs(centidiscs).rounded_discs(), discs);
        }
    }
}
