//! The evaluators of older programs and texts, by hand instead of by fit: for comparison, and to see
//! what each of their terms says about a position.
//!
//! Each counts in units of its own. [`Classic`] turns the sum into discs with one factor, so that
//! the search can use it; the order of moves, all that matters for play, is not touched.

mod adaptive;
mod edges;
mod linear;
mod phases;
mod squares;

pub(crate) use adaptive::Adaptive;
pub(crate) use edges::{Edges, PlainEdges};
pub(crate) use linear::{Linear, quick_rating};
pub(crate) use phases::Phases;
pub use squares::Squares;

use super::{Component, Counted, Evaluator, Explain};
use crate::othello::board::{Bitboard, Cpu, Line, Position, Square};
use crate::othello::score::Score;

/// A sum of terms in units of its own.
pub(crate) trait Terms: Send + Sync + 'static {
    /// Its name on the command line.
    const NAME: &'static str;

    /// Discs that a unit stands for: an estimate of ours, so that values can be compared.
    const DISCS_PER_UNIT: f64;

    /// The terms of a position for its side to move.
    fn terms(&self, position: Position) -> Vec<Term>;

    /// The terms as the moves of a game so far call for, seen by the side that is to move at its end; none
    /// where they are always the same.
    fn after(&self, _: &Line) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Their sum, in units.
    fn sum(&self, position: Position) -> f64 {
        self.terms(position).iter().map(|term| term.count * term.weight).sum()
    }
}

/// One term: what is counted, the side to move less the other, and how many units each counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Term {
    pub name: &'static str,
    pub count: f64,
    /// Units for each.
    pub weight: f64,
}

const fn term(name: &'static str, count: f64, weight: f64) -> Term {
    Term { name, count, weight }
}

/// Terms as an evaluator for the search.
pub(crate) struct Classic<T>(pub T);

impl<T: Terms> Classic<T> {
    fn of(&self, position: Position) -> Score {
        if position.mover == 0 || position.opponent == 0 {
            // Won or lost for good: the infinite values of the texts. This is cheap enough for the
            // leaves of a search; a game that is over otherwise is recognized by the caller.
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

    fn estimate<C: Cpu>(&self, _: C, (): &(), position: Position) -> Score {
        self.of(position)
    }

    fn name(&self) -> String {
        T::NAME.to_owned()
    }
}

impl<T: Terms> Explain for Classic<T> {
    fn title(&self) -> String {
        T::NAME.to_owned()
    }

    fn estimate_of(&self, position: Position) -> Score {
        self.of(position)
    }

    fn after(&self, line: &Line) -> Option<Box<dyn Explain>> {
        self.0.after(line).map(|terms| Box::new(Self(terms)) as Box<dyn Explain>)
    }

    fn terms(&self, position: Position) -> Vec<Component> {
        let component = |Term { name, count, weight }| {
            Component::counted(name, Counted { count, weight, discs_per_unit: T::DISCS_PER_UNIT })
        };
        self.0.terms(position).into_iter().map(component).collect()
    }
}

fn count(squares: Bitboard) -> f64 {
    f64::from(squares.count_ones())
}

/// A hundred times (ours - theirs) / (ours + theirs); zero when there is none.
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
        /// None of them knows which side is to move: the other side sees the negative. `phases`
        /// alone does, late, by the side that makes the last move.
        #[test]
        fn both_sides_see_the_same(mover: u64, other: u64) {
            let position = Position { mover, opponent: other & !mover };
            check(Squares, position);
            check(Linear, position);
            check(Adaptive::default(), position);
            check(Edges::new(), position);
            check(PlainEdges::new(), position);
            if !Phases::is_late(position) {
                check(Phases, position);
            }
        }
    }

    #[test]
    fn a_wipe_out_is_worth_all_discs() {
        let position = Position { mover: 0xff, opponent: 0 };
        assert_eq!(Classic(Squares).estimate_of(position), Score::MAX);
        assert_eq!(Classic(Linear).estimate_of(position.passed()), Score::MIN);
    }
}
