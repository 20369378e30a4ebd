//! Values, positions, chances, and how far they can be trusted.

use serde::Serialize;

use crate::app::{Grade, Trust, Values};
use crate::othello::board::Placed;
use crate::othello::search::Chances;

/// Values in discs, from the point of view of the side that the context names.
#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct ValuesJson {
    /// Best guess of the outcome, discs.
    pub guess: f64,
    /// For a player that is content with a draw, discs; a proof counts 100 more or less.
    pub draw_seeking: f64,
    /// For a player that must avoid draws, discs; a proof counts 100 more or less.
    pub win_seeking: f64,
    /// Proven lower bound, discs.
    pub lower: i8,
    /// Proven upper bound, discs.
    pub upper: i8,
}

impl From<Values> for ValuesJson {
    fn from(values: Values) -> Self {
        Self {
            guess: values.guess.discs(),
            draw_seeking: values.draw_seeking.discs(),
            win_seeking: values.win_seeking.discs(),
            lower: values.lower,
            upper: values.upper,
        }
    }
}

/// A board with the side to move.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct PositionJson {
    /// 64 squares, X black, O white.
    pub board: String,
    /// "X" or "O".
    pub side: char,
    /// Number of discs.
    pub discs: u8,
    /// Number of empty squares.
    pub empties: u8,
}

impl From<Placed> for PositionJson {
    fn from(placed: Placed) -> Self {
        Self {
            board: placed.position.squares_text(placed.side),
            side: placed.side.letter(),
            discs: placed.position.discs(),
            empties: placed.position.empties(),
        }
    }
}

/// Chances of the side to move, 0 to 1.
#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct ChancesJson {
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
}

impl From<Chances> for ChancesJson {
    fn from(chances: Chances) -> Self {
        Self {
            win: thousandths(chances.win),
            draw: thousandths(chances.draw),
            loss: thousandths(chances.loss),
        }
    }
}

/// How far the values of a position can be trusted.
#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct TrustJson {
    /// How best play ends, `A` to `F`; none when that is too much to look at.
    pub grade: Option<char>,
    /// The mean error to expect of the guess, discs.
    pub evidence: Option<f64>,
    /// The guess is as sure as a search of so many plies.
    pub evidence_plies: Option<u8>,
    /// The standard error of the guess, discs: 1.25 times the mean one.
    pub error: Option<f64>,
    /// In how many positions the side to move must know its way.
    pub remember: Option<u64>,
    /// The same for the other side.
    pub other_remembers: Option<u64>,
}

impl From<Trust> for TrustJson {
    fn from(trust: Trust) -> Self {
        Self {
            grade: trust.grade.map(Grade::letter),
            evidence: trust.sure.map(|sure| sure.evidence.discs()),
            evidence_plies: trust.sure.map(|sure| sure.plies),
            error: trust.error().map(hundredths),
            remember: trust.remember,
            other_remembers: trust.other_remembers,
        }
    }
}

/// With three decimals.
pub fn thousandths(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// With two decimals; nothing is no negative nothing.
pub fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}
