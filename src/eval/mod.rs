//! Judging a position without looking ahead.
//!
//! [`PatternEvaluator`] is the evaluator that the program plays with: [`spec`] says what it looks
//! at, [`features`] keeps that up to date move by move, [`weights`] holds what [`train`] fitted.

mod board_report;
pub mod classic;
mod evaluator;
mod explain;
pub mod features;
mod pattern_evaluator;
pub mod spec;
pub mod train;
pub mod weights;

pub use board_report::{BoardReport, Both};
pub use evaluator::Evaluator;
pub use explain::{AnyEvaluator, EVALUATOR_NAMES, EvaluatorError, Explain, Plain, by_name};
pub use features::Features;
pub use pattern_evaluator::PatternEvaluator;
pub use spec::Spec;
pub use weights::Weights;
