//! What a line of play gives away.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::othello::board::Side;
use crate::othello::score::Score;

use super::Values;

/// What each side gave away along a line: the sum, over its own moves, of the value of the
/// position less the value of the move, in centidiscs, never negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Regret {
    pub black: i32,
    pub white: i32,
}

impl Regret {
    pub const fn total(self) -> i32 {
        self.black + self.white
    }

    /// By one side.
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

/// By which value moves are compared: the guess, or what a position is worth to players one of
/// which seeks or avoids a draw.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Judge {
    /// What a draw is worth to Black; none compares guesses.
    pub contempt: Option<Score>,
}

impl Judge {
    /// What values are worth to this side, whose values they are.
    pub fn worth(self, values: Values, side: Side) -> Score {
        match (self.contempt, side) {
            (None, _) => values.guess,
            (Some(draw), Side::Black) => values.with_contempt(draw),
            (Some(draw), Side::White) => values.with_contempt(-draw),
        }
    }

    /// What a move gives away for this side, in centidiscs; both values are of its point of view.
    pub fn of_move(self, node: Values, found: Values, side: Side) -> i32 {
        loss(self.worth(node, side), self.worth(found, side))
    }
}

/// What a move of this worth gives away in a position of these values, both for the side to move,
/// in centidiscs. Only the guesses count: a proof changes the winner, not the margin.
pub fn of_move(node: Values, move_guess: Score) -> i32 {
    loss(node.guess, move_guess)
}

/// An incomplete node can have a move above its own value for a moment; that gives nothing away.
fn loss(best: Score, found: Score) -> i32 {
    (i32::from(best.centidiscs()) - i32::from(found.centidiscs())).max(0)
}

/// The most that each side may give away, in centidiscs; a side without a number has no limit.
///
/// Written as discs for both sides, such as `3` or `0.5`, or by side: `black:0,white:3`, or only
/// `black:0`; nothing for no limit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LossLimit {
    pub black: Option<i32>,
    pub white: Option<i32>,
}

impl LossLimit {
    /// The same for each side, in centidiscs.
    pub const fn each(most: i32) -> Self {
        Self { black: Some(most), white: Some(most) }
    }

    /// That of a side.
    pub const fn of(self, side: Side) -> Option<i32> {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }

    /// Whether a side may give away so much.
    pub(crate) fn allows(self, side: Side, loss: i32) -> bool {
        self.of(side).is_none_or(|most| loss <= most)
    }

    /// Whether any side has a limit.
    pub const fn is_set(self) -> bool {
        self.black.is_some() || self.white.is_some()
    }

    /// What both may give away together; none where a side has no limit.
    pub(crate) fn sum(self) -> Option<i32> {
        Some(self.black?.saturating_add(self.white?))
    }
}

/// A limit for losses that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum BadLossLimit {
    #[error("expected 0 to 1000 discs for both sides, such as 2, or black:0,white:3")]
    Number,
    #[error("expected black or white before the colon, such as black:0,white:3")]
    Side,
    #[error("{} is given twice: expected such as black:0,white:3", .0.name())]
    Twice(Side),
}

/// Discs from 0 to 1000, rounded to centidiscs; none where the text is something else.
pub(crate) fn parse_loss(text: &str) -> Option<i32> {
    let discs = text.parse::<f64>().ok().filter(|discs| (0.0..=1000.0).contains(discs))?;
    Some((discs * 100.0).round() as i32)
}

impl FromStr for LossLimit {
    type Err = BadLossLimit;

    fn from_str(text: &str) -> Result<Self, BadLossLimit> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let number = |text: &str| parse_loss(text.trim()).ok_or(BadLossLimit::Number);
        if !text.contains(':') {
            return number(text).map(Self::each);
        }
        let mut limit = Self::default();
        for part in text.split(',') {
            let (side, most) = part.split_once(':').ok_or(BadLossLimit::Number)?;
            let (side, place) = match side.trim() {
                "black" => (Side::Black, &mut limit.black),
                "white" => (Side::White, &mut limit.white),
                _ => return Err(BadLossLimit::Side),
            };
            if place.replace(number(most)?).is_some() {
                return Err(BadLossLimit::Twice(side));
            }
        }
        Ok(limit)
    }
}

impl fmt::Display for LossLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let discs = |most: i32| f64::from(most) / 100.0;
        match (self.black, self.white) {
            (Some(black), Some(white)) if black == white => write!(f, "{}", discs(black)),
            (Some(black), Some(white)) => {
                write!(f, "black:{},white:{}", discs(black), discs(white))
            }
            (Some(black), None) => write!(f, "black:{}", discs(black)),
            (None, Some(white)) => write!(f, "white:{}", discs(white)),
            (None, None) => Ok(()),
        }
    }
}

/// The most that lines may give away. No limit where none is set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct RegretLimits {
    /// Follow only moves that give away at most so many discs, 0 for best moves alone: a number for
    /// both sides, or black:D,white:D, where a side that is left out has no limit
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "D", default_value_t, hide_default_value = true)
    )]
    pub move_loss: LossLimit,
    /// Follow only lines along which each side by itself gives away at most so many discs in all:
    /// a number for both sides, or black:D,white:D, as for --move-loss
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "D", default_value_t, hide_default_value = true)
    )]
    pub line_loss: LossLimit,
    /// By both sides together along a whole line, in centidiscs. Only
    /// [`Deviate`](super::policy::Deviate) sets it, where no other limit of lines is asked for.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub total: Option<i32>,
}

impl RegretLimits {
    /// Whether a line may give away so much.
    pub fn allow(self, regret: Regret) -> bool {
        self.line_loss.allows(Side::Black, regret.black)
            && self.line_loss.allows(Side::White, regret.white)
            && self.total.is_none_or(|most| regret.total() <= most)
    }

    /// Whether a single move of a side may give away so much.
    pub fn allow_move(self, side: Side, loss: i32) -> bool {
        self.move_loss.allows(side, loss)
    }

    /// Whether there is any.
    pub fn is_set(self) -> bool {
        self != Self::default()
    }

    /// Whether it matters which side moves at the end of a line: what it may give away from there on
    /// depends on that.
    pub(crate) fn tell_sides(self) -> bool {
        self.move_loss.black != self.move_loss.white || self.line_loss.is_set()
    }

    /// Whether a line can go on wherever another one to the same position can, and costs no more. The
    /// one with the smaller sum need not: the side with a limit may have given away more on it.
    pub(crate) fn is_no_worse(self, one: Regret, other: Regret) -> bool {
        let is_within =
            |side: Side| self.line_loss.of(side).is_none() || one.of(side) <= other.of(side);
        one.total() <= other.total() && is_within(Side::Black) && is_within(Side::White)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        let limit = |black, white| Ok(LossLimit { black, white });
        for (text, expected) in [
            ("2", limit(Some(200), Some(200))),
            ("0.5", limit(Some(50), Some(50))),
            ("black:0,white:3", limit(Some(0), Some(300))),
            ("white:1000, black:0.25", limit(Some(25), Some(100_000))),
            ("black:0", limit(Some(0), None)),
            ("white:3", limit(None, Some(300))),
            ("", limit(None, None)),
            ("-1", Err(BadLossLimit::Number)),
            ("1001", Err(BadLossLimit::Number)),
            ("nan", Err(BadLossLimit::Number)),
            ("1,2", Err(BadLossLimit::Number)),
            ("black:", Err(BadLossLimit::Number)),
            ("black:0,3", Err(BadLossLimit::Number)),
            ("black:0,", Err(BadLossLimit::Number)),
            ("red:1", Err(BadLossLimit::Side)),
            ("black:1,black:2", Err(BadLossLimit::Twice(Side::Black))),
        ] {
            let read = text.parse::<LossLimit>();
            assert_eq!(read, expected, "{text}");
            if let Ok(limit) = read {
                assert_eq!(limit.to_string().parse(), Ok(limit));
            }
        }
        assert_eq!(
            "white:3,black:0".parse().map(|limit: LossLimit| limit.to_string()).as_deref(),
            Ok("black:0,white:3")
        );
    }

    #[test]
    fn a_number_is_for_each_side_and_not_for_both_together() {
        let limits = RegretLimits { line_loss: LossLimit::each(400), ..RegretLimits::default() };
        assert!(limits.allow(Regret { black: 400, white: 400 }));
        assert!(!limits.allow(Regret { black: 0, white: 401 }));
        let limits = RegretLimits { total: Some(400), ..RegretLimits::default() };
        assert!(limits.allow(Regret { black: 100, white: 300 }));
        assert!(!limits.allow(Regret { black: 200, white: 201 }));
    }
}
