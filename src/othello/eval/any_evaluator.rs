//! Evaluators by name.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::classic::{Adaptive, Classic, Edges, Linear, Phases, PlainEdges, Squares};
use super::weights::WeightsError;
use super::{Component, Evaluator, Explain, PatternEvaluator};
use crate::othello::board::{Bitboard, Cpu, Line, Position, Square};
use crate::othello::one_line::one_line;
use crate::othello::score::Score;

/// An evaluator that keeps nothing up to date: every position is judged from the board alone.
pub struct Plain(Box<dyn Explain>);

impl Plain {
    /// See [`Explain::estimate_of`].
    pub(crate) fn estimate_of(&self, position: Position) -> Score {
        self.0.estimate_of(position)
    }

    /// See [`Explain::after`].
    pub(crate) fn after(&self, line: &Line) -> Option<Self> {
        self.0.after(line).map(Self)
    }
}

impl Evaluator for Plain {
    type State = ();

    fn state(&self, _: Position) {}

    fn play(&self, (): &(), _: Square, _: Bitboard) {}

    fn pass(&self, (): &()) {}

    fn estimate<C: Cpu>(&self, _: C, (): &(), position: Position) -> Score {
        self.0.estimate_of(position)
    }

    fn name(&self) -> String {
        self.0.title()
    }
}

/// An evaluator chosen at run time.
#[derive(Clone)]
pub enum AnyEvaluator {
    /// Fitted weights.
    Pattern(Arc<PatternEvaluator>),
    /// One of the classic evaluators.
    Plain(Arc<Plain>),
}

impl AnyEvaluator {
    fn explain(&self) -> &dyn Explain {
        match self {
            Self::Pattern(evaluator) => evaluator.as_ref(),
            Self::Plain(evaluator) => evaluator.0.as_ref(),
        }
    }

    fn plain(evaluator: impl Explain + 'static) -> Self {
        Self::Plain(Arc::new(Plain(Box::new(evaluator))))
    }
}

impl Explain for AnyEvaluator {
    fn title(&self) -> String {
        self.explain().title()
    }

    fn estimate_of(&self, position: Position) -> Score {
        self.explain().estimate_of(position)
    }

    fn terms(&self, position: Position) -> Vec<Component> {
        self.explain().terms(position)
    }
}

/// The names that [`by_name`] knows.
pub(crate) const EVALUATOR_NAMES: [&str; 9] = [
    "rosebill",
    "zebra-patterns",
    "ntest-patterns",
    "squares",
    "phases",
    "edges",
    "edges-plain",
    "linear",
    "linear-adaptive",
];

/// Evaluators of ours on pattern sets like those of other programs: the names of their specs, which were once those of
/// the evaluators, too, and their own.
const ON_OTHER_PATTERNS: [(&str, &str); 2] =
    [("zebra", "zebra-patterns"), ("ntest", "ntest-patterns")];

/// What an evaluator with weights of this spec is called.
pub(super) fn name_of_spec(spec: &str) -> &str {
    ON_OTHER_PATTERNS.iter().find(|(known, _)| *known == spec).map_or(spec, |(_, name)| name)
}

/// A name that no evaluator has.
#[derive(Debug, Error)]
pub enum EvaluatorError {
    #[error("'{0}' is not an evaluator: expected {names} or a weights file", names = EVALUATOR_NAMES.join(", "))]
    Unknown(String),
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

/// The evaluator of this name, one of [`EVALUATOR_NAMES`], or the path of a weights file.
pub fn by_name(name: &str) -> Result<AnyEvaluator, EvaluatorError> {
    Ok(match name_of_spec(name) {
        "rosebill" => AnyEvaluator::Pattern(PatternEvaluator::embedded()?),
        "zebra-patterns" => AnyEvaluator::Pattern(PatternEvaluator::zebra()?),
        "ntest-patterns" => AnyEvaluator::Pattern(PatternEvaluator::ntest()?),
        "squares" => AnyEvaluator::plain(Classic(Squares)),
        "phases" => AnyEvaluator::plain(Classic(Phases)),
        "edges" => AnyEvaluator::plain(Classic(Edges::new())),
        "edges-plain" => AnyEvaluator::plain(Classic(PlainEdges::new())),
        "linear" => AnyEvaluator::plain(Classic(Linear)),
        "linear-adaptive" => AnyEvaluator::plain(Classic(Adaptive::default())),
        _ if Path::new(name).exists() => {
            AnyEvaluator::Pattern(Arc::new(PatternEvaluator::from_file(Path::new(name))?))
        }
        _ => return Err(EvaluatorError::Unknown(one_line(name, 60))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_add_up_to_the_value() {
        let line: Line = "f5d6c3d3c4f4f6".parse().unwrap();
        let position = line.end().unwrap().position;
        for name in EVALUATOR_NAMES {
            let evaluator = by_name(name).unwrap();
            assert!(evaluator.title().starts_with(name));
            let sum: f64 = evaluator.components(position).iter().map(|each| each.discs).sum();
            let value = evaluator.value(position).discs();
            assert!((sum - value).abs() < 0.02, "{name}: {sum} and {value}");
        }
        assert!(by_name("iago").is_err());
    }

    /// Asked for either side, a finished game is worth its final score.
    #[test]
    fn a_finished_game_is_its_final_score() {
        // Neither side can move, both colors are left, and eight squares are empty: 1 to 55.
        let lone = Position { mover: 1, opponent: !0xff & !(1 << 62) };
        let full = Position { mover: 0xffff_ffff, opponent: !0xffff_ffff };
        let wiped_out = Position { mover: 0, opponent: 0xff00 };
        for (position, discs) in [(lone, -62), (full, 0), (wiped_out, -64)] {
            assert!(position.is_over());
            assert_eq!(position.final_score(), discs);
            for name in EVALUATOR_NAMES {
                let evaluator = by_name(name).unwrap();
                let value = |position| evaluator.value(position);
                assert_eq!(value(position), Score::from_discs(discs), "{name}");
                assert_eq!(value(position.passed()), Score::from_discs(-discs), "{name}");
                let components = evaluator.components(position);
                assert_eq!(components, [Component::plain("final score", f64::from(discs))]);
                let asked = match &evaluator {
                    AnyEvaluator::Pattern(found) => {
                        found.evaluate(&found.state(position), position)
                    }
                    AnyEvaluator::Plain(found) => found.evaluate(&(), position),
                };
                assert_eq!(asked, Score::from_discs(discs), "{name}");
            }
        }
    }
}
