//! `linear-adaptive`: the terms of `linear`, weighed by the phase of the game and by what the other side's moves
//! gave away in each of them.

use super::{Linear, Term, Terms};
use crate::othello::board::{Line, Position};

/// The "adaptive weights" that "Othello AI Heuristics Overview" names as a future enhancement; the text gives no
/// numbers. Mobility counts half as much again at the beginning and half as much at the end, corners, stability and
/// edges the other way round; a term in which the other side gave away all that it gave away counts twice.
#[derive(Default)]
pub(crate) struct Adaptive {
    /// The share of each term of `linear`, in its order, in what the other side gave away so far: their sum is 1,
    /// or 0 where it gave away nothing.
    shares: [f64; TERMS],
}

/// The terms of `linear`.
const TERMS: usize = 5;

impl Terms for Adaptive {
    const NAME: &'static str = "linear-adaptive";
    const DISCS_PER_UNIT: f64 = Linear::DISCS_PER_UNIT;

    fn terms(&self, position: Position) -> Vec<Term> {
        let played = f64::from(position.discs()) / 64.0;
        let by_phase = |name: &str| match name {
            "mobility" => 1.5 - played,
            // That of discs rises with the phase in `linear`.
            "discs" => 1.0,
            _ => 0.5 + played,
        };
        let adapted = |(term, share): (Term, f64)| {
            let weight = term.weight * by_phase(term.name) * (1.0 + share);
            Term { weight, ..term }
        };
        Linear.terms(position).into_iter().zip(self.shares).map(adapted).collect()
    }

    /// A move gives away, in each term, what it leaves its side less than the move that leaves it most.
    fn after(&self, line: &Line) -> Option<Self> {
        let ours = line.board().side;
        let mut given_away = [0.0; TERMS];
        for step in line.steps().iter().filter(|step| step.before.side != ours) {
            let position = step.before.position;
            let left = |square| {
                let terms = Linear.terms(position.play(square).unwrap_or(position));
                terms.into_iter().map(|term| -term.count * term.weight)
            };
            let mut most = [f64::MIN; TERMS];
            for square in position.legal_moves() {
                most.iter_mut().zip(left(square)).for_each(|(most, units)| *most = most.max(units));
            }
            for ((sum, most), units) in given_away.iter_mut().zip(most).zip(left(step.square)) {
                *sum += most - units;
            }
        }
        let all: f64 = given_away.iter().sum();
        let shares = if all > 0.0 { given_away.map(|units| units / all) } else { given_away };
        Some(Self { shares })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(evaluator: &Adaptive, name: &str, position: Position) -> f64 {
        evaluator.terms(position).into_iter().find(|term| term.name == name).unwrap().weight
    }

    #[test]
    fn a_term_that_the_other_side_neglects_weighs_more() {
        // White left a corner, which Black took: what White gave away lies in that move's alternatives.
        let line: Line =
            "f5d6c4g5c6c5d7d3b4c3e3b5a4f2f4a6e2g4f3e6g3f6h4f1h6h5f7g6".parse().unwrap();
        let adapted = Adaptive::default().after(&line).unwrap();
        assert!((adapted.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", adapted.shares);
        let position = line.board().position;
        for name in ["corners", "mobility", "edges", "discs"] {
            let plain = weight(&Adaptive::default(), name, position);
            assert!(weight(&adapted, name, position) >= plain, "{name}");
        }
        assert!(
            weight(&adapted, "mobility", position)
                > weight(&Adaptive::default(), "mobility", position)
        );
        // Before the other side has moved it is as it was.
        let first = Adaptive::default().after(&Line::default()).unwrap();
        assert_eq!(first.shares, [0.0; TERMS]);
    }

    #[test]
    fn phases_shift_the_weights_of_linear() {
        let start = weight(&Adaptive::default(), "mobility", Position::START);
        assert!((start - 14.375).abs() < 1e-9, "{start}");
    }
}
