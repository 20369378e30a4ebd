//! The evaluators of older programs and texts, by hand instead of by fit: for comparison, and to see
//! what each of their terms says about a position.
//!
//! Each counts in units of its own. [`Classic`] turns the sum into discs with one factor, so that
//! the search can use it; the order of moves, all that matters for play, is not touched.

mod edges;
mod linear;
mod phases;
mod squares;

pub use edges::Edges;
pub use linear::{Linear, quick_rating};
pub use phases::Phases;
pub use squares::Squares;

use super::{Evaluator, Explain};
use crate::board::{Bitboard, Position, Square};
use crate::score::Score;

/// A sum of terms in units of its own.
pub trait Terms: Send + Sync {
    /// Its name on the command line.
    const NAME: &'static str;

    /// Discs that a unit stands for: an estimate of ours, so that values can be compared.
    const DISCS_PER_UNIT: f64;

    /// The terms of a position for its side to move, in units, each with its name.
    fn terms(&self, position: Position) -> Vec<(&'static str, f64)>;

    /// Their sum.
    fn sum(&self, position: Position) -> f64 {
        self.terms(position).iter().map(|(_, units)| units).sum()
    }
}

/// Terms as an evaluator for the search.
pub struct Classic<T>(pub T);

impl<T: Terms> Classic<T> {
    fn score(&self, position: Position) -> Score {
        if position.mover == 0 || position.opponent == 0 || position.empties() == 0 {
            // Won or lost for good: the infinite values of the texts.
            return Score::from_discs(position.final_score());
        }
        let limit = f64::from(Score::MAX.centidiscs()) - 100.0;
        let centidiscs = 100.0 * T::DISCS_PER_UNIT * self.0.sum(position);
        Score::from_centidiscs(centidiscs.clamp(-limit, limit).round() as i16)
    }
}

impl<T: Terms> Evaluator for Classic<T> {
    type State = ();

    fn state(&self, _: Position) {}

    fn play(&self, (): &(), _: Square, _: Bitboard) {}

    fn pass(&self, (): &()) {}

    fn evaluate(&self, (): &(), position: Position) -> Score {
        self.score(position)
    }

    fn name(&self) -> String {
        T::NAME.to_owned()
    }
}

impl<T: Terms> Explain for Classic<T> {
    fn title(&self) -> String {
        T::NAME.to_owned()
    }

    fn value(&self, position: Position) -> Score {
        self.score(position)
    }

    fn components(&self, position: Position) -> Vec<(String, f64)> {
        let terms = self.0.terms(position).into_iter();
        terms.map(|(name, units)| (name.to_owned(), units * T::DISCS_PER_UNIT)).collect()
    }
}

/// The corners.
const CORNERS: Bitboard = 0x8100_0000_0000_0081;

fn count(squares: Bitboard) -> f64 {
    f64::from(squares.count_ones())
}

/// A hundred times (ours - theirs) / (ours + theirs); nought when there is none.
fn percent(ours: f64, theirs: f64) -> f64 {
    if ours + theirs > 0.0 { 100.0 * (ours - theirs) / (ours + theirs) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<T: Terms>(terms: T, position: Position) {
        let evaluator = Classic(terms);
        let ours = evaluator.value(position).centidiscs();
        let theirs = evaluator.value(position.passed()).centidiscs();
        assert_eq!(ours, -theirs, "{} of {position:?}", T::NAME);
        assert!(ours.abs() <= 6400);
    }

    proptest! {
        /// None of them knows whose move it is: the other side sees the negative.
        #[test]
        fn both_sides_see_the_same(mover: u64, other: u64) {
            let position = Position { mover, opponent: other & !mover };
            check(Squares, position);
            check(Phases, position);
            check(Linear, position);
            check(Edges::new(), position);
        }
    }

    #[test]
    fn a_wipe_out_is_worth_all_discs() {
        let position = Position { mover: 0xff, opponent: 0 };
        assert_eq!(Classic(Squares).value(position), Score::MAX);
        assert_eq!(Classic(Linear).value(position.passed()), Score::MIN);
    }
}
