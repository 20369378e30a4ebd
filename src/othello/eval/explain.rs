//! How an evaluator comes to a value.

use super::evaluator::final_score;
use crate::othello::board::{Line, Position};
use crate::othello::score::Score;

/// An evaluator that can say how it comes to a value.
pub(crate) trait Explain: Send + Sync {
    /// Its name with its version.
    fn title(&self) -> String;

    /// The static value for the side to move of a position whose game is not over: see
    /// [`super::Evaluator::estimate`].
    fn estimate_of(&self, position: Position) -> Score;

    /// The evaluator as the moves of a game so far call for, seen by the side that is to move at its end; none
    /// where it is always the same.
    fn after(&self, _: &Line) -> Option<Box<dyn Explain>> {
        None
    }

    /// What each term adds to the estimate.
    fn terms(&self, position: Position) -> Vec<Component>;

    /// What a position is worth to its side to move: the final score of a finished game, else the
    /// estimate.
    fn value(&self, position: Position) -> Score {
        final_score(position).unwrap_or_else(|| self.estimate_of(position))
    }

    /// What the value is made of: the final score of a finished game, else the terms.
    fn components(&self, position: Position) -> Vec<Component> {
        match final_score(position) {
            Some(score) => vec![Component::plain("final score", score.discs())],
            None => self.terms(position),
        }
    }
}

/// What one term adds to a value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Component {
    /// What the term looks at.
    pub name: String,
    /// What it adds, in discs for the side to move.
    pub discs: f64,
    /// How it is counted, where the evaluator has weights of its own.
    pub counted: Option<Counted>,
}

/// A term as the text that an evaluator was taken from counts it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Counted {
    /// What is counted, the side to move less the other.
    pub count: f64,
    /// Units for each of it: the number in the text.
    pub weight: f64,
    /// Discs that a unit stands for: an estimate of ours, the same for all terms.
    pub discs_per_unit: f64,
}

impl Counted {
    /// What the term adds, in units; nothing is zero without a sign.
    pub(crate) fn units(&self) -> f64 {
        self.count * self.weight + 0.0
    }
}

impl Component {
    /// A term that is fitted in discs.
    pub(crate) fn plain(name: &str, discs: f64) -> Self {
        Self { name: name.to_owned(), discs, counted: None }
    }

    /// A term that is counted in units.
    pub(crate) fn counted(name: &str, counted: Counted) -> Self {
        let discs_per_unit = counted.discs_per_unit;
        let discs = counted.units() * discs_per_unit;
        Self { name: name.to_owned(), discs, counted: Some(counted) }
    }
}
