//! How sure the result of a match is.
//!
//! Everything is counted by pairs: the two games of an opening depend on each other, and the five results that a pair
//! can have (no point, half a point, one, one and a half, two) scatter less than two games alone.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

/// Pairs by the half points that the first player got of them, 0 to 4.
pub(super) type Pentanomial = [u64; 5];

/// Standard errors on each side of a result within which it is with 95 %.
const WITHIN: f64 = 1.96;

/// Openings below which the scatter of their results says nothing: a pair that is won twice would
/// have no error at all.
pub(super) const LEAST_PAIRS: u64 = 10;

/// A difference of strength with the range in which it is with 95 %, in Elo: 400 are 10 to 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    pub value: f64,
    /// None where it has no end.
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Elo {
    /// From a share of the points and its standard error, in percent. None where it has no number: all
    /// points won.
    pub(super) fn of(percent: f64, error: f64) -> Option<Self> {
        let of = |percent: f64| {
            let share = percent / 100.0;
            (share > 0.0 && share < 1.0).then(|| -400.0 * (1.0 / share - 1.0).log10())
        };
        let (value, by) = (of(percent)?, WITHIN * error);
        Some(Self { value, low: of(percent - by), high: of(percent + by) })
    }
}

/// `+36 Elo (+12 to +60)`
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.0} Elo", self.value)?;
        match (self.low, self.high) {
            (Some(low), Some(high)) => write!(f, " ({low:+.0} to {high:+.0})"),
            (Some(low), None) => write!(f, " ({low:+.0} or more)"),
            (None, Some(high)) => write!(f, " ({high:+.0} or less)"),
            (None, None) => Ok(()),
        }
    }
}

/// The share of the points, 0 to 1, of a player that is so much stronger.
fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential test of two guesses: the first player is stronger by the one number of Elo, or by the other. Each may
/// be accepted wrongly in one of twenty matches.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    pub low: f64,
    pub high: f64,
}

/// A text that is no test.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("'{0}' is not a test: expected two numbers of Elo, the lower one first, such as 0,10")]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let numbers = text.split_once(',').and_then(|(low, high)| {
            let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.abs() <= 1000.0);
            Some((number(low)?, number(high)?))
        });
        match numbers {
            Some((low, high)) if low < high => Ok(Self { low, high }),
            _ => Err(SprtError(text.to_owned())),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SPRT {} or {} Elo", self.low, self.high)
    }
}

/// How far a test has come.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtState {
    /// The logarithm of how much likelier the higher guess makes the results than the lower one.
    pub llr: f64,
    /// The test ends below `-bound` and above `bound`.
    pub bound: f64,
    /// The guess that is accepted, in Elo.
    pub accepted: Option<f64>,
}

impl Sprt {
    /// One of twenty.
    const WRONG: f64 = 0.05;

    /// A result that has not been seen counts as so many pairs, since without any scatter a test would be sure at once.
    const UNSEEN: f64 = 1e-3;

    /// What the results say. The ratio is that of two normal distributions with the variance that was found.
    ///
    /// Source: the generalized sequential probability ratio test as testing of chess engines uses it (M. Van den Bergh).
    pub(super) fn state(self, pairs: &Pentanomial) -> SprtState {
        let count: u64 = pairs.iter().sum();
        let weights = pairs.map(|pairs| if pairs == 0 { Self::UNSEEN } else { pairs as f64 });
        let whole: f64 = weights.iter().sum();
        let of = |value: &dyn Fn(f64) -> f64| -> f64 {
            (0..5).zip(weights).map(|(half, weight)| weight * value(f64::from(half) / 4.0)).sum()
        };
        let mean = of(&|share| share) / whole;
        let variance = of(&|share| (share - mean).powi(2)) / whole;
        let (low, high) = (share_of(self.low), share_of(self.high));
        let llr = whole * (high - low) * (2.0 * mean - low - high) / (2.0 * variance);
        let bound = ((1.0 - Self::WRONG) / Self::WRONG).ln();
        let accepted = match llr {
            _ if count < LEAST_PAIRS => None,
            llr if llr >= bound => Some(self.high),
            llr if llr <= -bound => Some(self.low),
            _ => None,
        };
        SprtState { llr, bound, accepted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.01, "{found}, expected {expected}");
    }

    #[test]
    fn elo_of_shares() {
        let elo = Elo::of(75.0, 5.0).unwrap();
        // 3 to 1 is 400 log 3; 84.8 % and 65.2 % are its ends.
        near(elo.value, 190.85);
        near(elo.low.unwrap(), 109.07);
        near(elo.high.unwrap(), 298.62);
        near(Elo::of(50.0, 1.0).unwrap().value, 0.0);
        assert_eq!(Elo::of(100.0, 0.0), None);
        let open = Elo::of(95.0, 5.0).unwrap();
        assert!(open.high.is_none() && open.low.is_some_and(|low| low > 300.0), "{open:?}");
        assert_eq!(
            (elo.to_string().as_str(), open.to_string().as_str()),
            ("+191 Elo (+109 to +299)", "+512 Elo (+304 or more)")
        );
        near(share_of(400.0), 10.0 / 11.0);
    }

    #[test]
    fn a_test_counts_pairs() {
        let test: Sprt = "0,100".parse().unwrap();
        // 40 pairs of mean 0.6 and variance 0.04: 40 · 0.14006 · (1.2 - 0.5 - 0.64006) / 0.08.
        let found = test.state(&[0, 4, 20, 12, 4]);
        let by_hand = 40.0 * 0.14006 * (2.0 * 0.6 - 0.5 - 0.64006) / (2.0 * 0.04);
        assert!((found.llr - by_hand).abs() < 0.02, "{found:?}, {by_hand}");
        near(found.bound, 2.944);
        assert_eq!(found.accepted, Some(100.0));
        assert_eq!(test.state(&[4, 12, 20, 4, 0]).accepted, Some(0.0));
        assert_eq!(test.state(&[0, 8, 20, 8, 4]).accepted, None);
        // A few pairs decide nothing, however clear they are.
        assert_eq!(test.state(&[0, 0, 0, 0, 9]).accepted, None);
        assert_eq!(test.state(&[0, 0, 0, 0, 10]).accepted, Some(100.0));
        assert_eq!(test.state(&[0; 5]).accepted, None);
    }

    #[test]
    fn tests_are_two_numbers() {
        assert_eq!("-5, 2.5".parse(), Ok(Sprt { low: -5.0, high: 2.5 }));
        for text in ["", "5", "10,0", "0,0", "a,b", "0,nan", "0,1e9"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
