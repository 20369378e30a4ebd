//! Evaluators by name, with what each of their terms says.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::classic::{Classic, Edges, Linear, Phases, Squares};
use super::weights::WeightsError;
use super::{Evaluator, PatternEvaluator};
use crate::board::Position;
use crate::score::Score;

/// An evaluator that can say how it comes to a value.
pub trait Explain: Send + Sync {
    /// Its name with its version.
    fn title(&self) -> String;

    /// The static value for the side to move.
    fn value(&self, position: Position) -> Score;

    /// What each term adds to it, in discs for the side to move.
    fn components(&self, position: Position) -> Vec<(String, f64)>;
}

impl Explain for PatternEvaluator {
    fn title(&self) -> String {
        self.name()
    }

    fn value(&self, position: Position) -> Score {
        self.evaluate(&self.state(position), position)
    }

    fn components(&self, position: Position) -> Vec<(String, f64)> {
        Self::components(self, position)
    }
}

impl<E: Explain> Explain for Arc<E> {
    fn title(&self) -> String {
        self.as_ref().title()
    }

    fn value(&self, position: Position) -> Score {
        self.as_ref().value(position)
    }

    fn components(&self, position: Position) -> Vec<(String, f64)> {
        self.as_ref().components(position)
    }
}

/// A name that no evaluator has.
#[derive(Debug, Error)]
pub enum EvaluatorError {
    /// Neither a name nor a file.
    #[error(
        "'{0}' is no evaluator: expected rosebill, squares, phases, edges, linear or a weights file"
    )]
    Unknown(String),
    /// A weights file that cannot be read.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

/// The evaluator of this name: `rosebill`, `squares`, `phases`, `edges`, `linear`, or the path of a
/// weights file (such as one fitted with the spec `zebra` or `ntest`).
///
/// # Errors
/// When there is none, or its weights cannot be read.
pub fn by_name(name: &str) -> Result<Box<dyn Explain>, EvaluatorError> {
    Ok(match name {
        "rosebill" => Box::new(PatternEvaluator::embedded()?),
        "squares" => Box::new(Classic(Squares)),
        "phases" => Box::new(Classic(Phases)),
        "edges" => Box::new(Classic(Edges::new())),
        "linear" => Box::new(Classic(Linear)),
        _ if Path::new(name).exists() => Box::new(PatternEvaluator::from_file(Path::new(name))?),
        _ => return Err(EvaluatorError::Unknown(name.to_owned())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Line;

    #[test]
    fn components_add_up_to_the_value() {
        let line: Line = "f5d6c3d3c4f4f6".parse().unwrap();
        let position = line.end().unwrap().position;
        for name in ["rosebill", "squares", "phases", "edges", "linear"] {
            let evaluator = by_name(name).unwrap();
            assert!(evaluator.title().starts_with(name));
            let sum: f64 = evaluator.components(position).iter().map(|(_, discs)| discs).sum();
            let value = evaluator.value(position).discs();
            assert!((sum - value).abs() < 0.02, "{name}: {sum} and {value}");
        }
        assert!(by_name("iago").is_err());
    }
}
