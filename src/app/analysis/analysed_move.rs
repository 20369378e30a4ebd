//! One move of an analysed game.

use crate::app::json::{hundredths, object, serialize};
use crate::othello::board::{Placed, Side, Square};
use crate::othello::score::Score;
use crate::othello::search::Selectivity;

use super::phase::Phase;

/// How the two values of a position are known, that of the best move and that of the move played:
/// always both in the same way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    /// Both are in the book, unproven, each at least as sure as the search that was asked for.
    Book {
        /// The larger of their standard errors, in discs.
        error: f64,
    },
    /// Both were searched, with the same limits.
    Searched {
        /// Plies from the position, the move itself among them.
        depth: u8,
        selectivity: Selectivity,
    },
    /// Both are results of perfect play, proven.
    Exact,
}

impl Known {
    /// The word for it in tables, JSON and pictures: "book", "search" or "exact".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Book { .. } => "book",
            Self::Searched { .. } => "search",
            Self::Exact => "exact",
        }
    }

    /// Whether the values are proven.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Exact)
    }
}

/// What a value says of the end of the game, for one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Winner {
    /// The other side wins.
    Other,
    /// A draw.
    Neither,
    /// This side wins.
    This,
}

serialize! {
    winner(Winner) => winner.word(),
}

impl Winner {
    /// The winner by an exact value.
    pub const fn of(score: Score) -> Self {
        match score.centidiscs() {
            ..=-1 => Self::Other,
            0 => Self::Neither,
            1.. => Self::This,
        }
    }

    /// "win", "draw" or "loss", for this side.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::This => "win",
            Self::Neither => "draw",
            Self::Other => "loss",
        }
    }
}

/// A move that changes the winner, seen by the side that makes it.
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// The winner with the best move.
    pub from: Winner,
    /// The winner with the move played; worse for the mover than `from`.
    pub to: Winner,
    /// Whether it is proven. Only a proven turn leads to a draw or from one: an estimate of 0 is no
    /// draw.
    pub proven: bool,
}

/// What is known of a move that was played. All values are from the mover's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveValue {
    /// The best move; the move played itself where that is as good.
    pub best: Square,
    /// What the best move is worth: the value of the position before the move.
    pub before: Score,
    /// What the move played is worth, never more than `before`.
    pub played: Score,
    pub known: Known,
}

impl MoveValue {
    /// What the move costs: value of the best move less value of the move played, 0 or more.
    pub const fn loss(&self) -> Score {
        Score::from_centidiscs(self.before.centidiscs() - self.played.centidiscs())
    }

    /// Whether the move changes the winner: where both values are exact by their signs, else only
    /// where a side that was a disc or more ahead is a disc or more behind.
    pub(crate) fn turn(&self) -> Option<Turn> {
        const DISC: Score = Score::from_discs(1);
        let proven = self.known.is_exact();
        let (from, to) = (Winner::of(self.before), Winner::of(self.played));
        let changes = match proven {
            true => to < from,
            false => self.before >= DISC && self.played <= -DISC,
        };
        changes.then_some(Turn { from, to, proven })
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct AnalysedMove {
    /// Its number, from 1; passes are not counted.
    pub ply: usize,
    /// The board before it, with the side that makes it.
    pub before: Placed,
    pub square: Square,
    /// Whether the other side had to pass right before it, so that the same side moves again.
    pub after_pass: bool,
    /// The name of the opening that the game is in after this move, where that is a new one.
    pub name: Option<&'static str>,
    /// How many moves there were to choose from, 1 or more; with 1 it was forced.
    pub choices: u8,
    /// What it is worth; none where it was not valued: time ran out, or the analysis was stopped.
    pub value: Option<MoveValue>,
}

serialize! {
    of(AnalysedMove) => {
        let value = of.value;
        let (depth, selectivity, error) = match value.map(|value| value.known) {
            Some(Known::Searched { depth, selectivity }) => (Some(depth), Some(selectivity), None),
            Some(Known::Book { error }) => (None, None, Some(hundredths(error))),
            _ => (None, None, None),
        };
        object! {
            ply: of.ply,
            r#move: of.square,
            side: of.side(),
            name: of.name,
            value: value.map(|value| value.played),
            best_move: value.map(|value| value.best),
            best_value: value.map(|value| value.before),
            loss: of.loss(),
            known_by: value.map(|value| value.known.name()),
            depth,
            selectivity,
            error,
            winner_change: value.and_then(|value| value.turn()),
            choices: of.choices,
        }
    },
}

impl AnalysedMove {
    /// The side that makes it.
    pub const fn side(&self) -> Side {
        self.before.side
    }

    /// Whether it was the only move.
    pub(crate) const fn is_forced(&self) -> bool {
        self.choices == 1
    }

    /// The part of the game that it belongs to.
    pub(crate) const fn phase(&self) -> Phase {
        Phase::of(self.before.position)
    }

    /// What it costs, 0 or more; none where it was not valued.
    pub fn loss(&self) -> Option<Score> {
        self.value.map(|value| value.loss())
    }

    /// The value of the position before it, from Black's point of view.
    pub fn before_for_black(&self) -> Option<Score> {
        self.value.map(|value| self.for_black(value.before))
    }

    /// The value of the move, from Black's point of view.
    pub(crate) fn played_for_black(&self) -> Option<Score> {
        self.value.map(|value| self.for_black(value.played))
    }

    fn for_black(&self, score: Score) -> Score {
        match self.side() {
            Side::Black => score,
            Side::White => -score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(before: i16, played: i16, known: Known) -> MoveValue {
        let score = Score::from_centidiscs;
        MoveValue { best: Square::new(0), before: score(before), played: score(played), known }
    }

    #[test]
    fn the_loss_is_best_less_played() {
        assert_eq!(value(250, -70, Known::Exact).loss(), Score::from_centidiscs(320));
        assert_eq!(value(6400, -6400, Known::Exact).loss(), Score::from_centidiscs(12800));
    }

    #[test]
    fn only_a_proven_turn_leads_to_a_draw() {
        let guess = Known::Book { error: 0.5 };
        let turn = |from, to, proven| Some(Turn { from, to, proven });
        assert_eq!(value(200, 0, Known::Exact).turn(), turn(Winner::This, Winner::Neither, true));
        assert_eq!(value(0, -200, Known::Exact).turn(), turn(Winner::Neither, Winner::Other, true));
        assert_eq!(value(400, 200, Known::Exact).turn(), None);
        assert_eq!(value(200, 0, guess).turn(), None);
        assert_eq!(value(30, -30, guess).turn(), None, "too close to say");
        assert_eq!(value(100, -100, guess).turn(), turn(Winner::This, Winner::Other, false));
    }
}
