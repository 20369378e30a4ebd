//! Judging a position without looking ahead.
//!
//! [`PatternEvaluator`] is the evaluator that the program plays with: [`spec`] says what it looks
//! at, [`features`] keeps that up to date move by move, [`weights`] holds what [`train`] fitted.

mod any_evaluator;
mod board_report;
pub mod classic;
mod evaluator;
mod explain;
pub mod features;
pub mod lanes;
pub mod pattern;
mod pattern_evaluator;
pub mod spec;
mod stretch;
#[cfg(feature = "workshop")]
pub mod train;
pub mod weights;

#[cfg(feature = "cli")]
pub(crate) use any_evaluator::EVALUATOR_NAMES;
pub use any_evaluator::{AnyEvaluator, EvaluatorError, Plain, by_name};
pub(crate) use board_report::BoardReport;
pub use evaluator::Evaluator;
pub(crate) use explain::{Component, Counted, Explain};
pub(crate) use features::Features;
pub use pattern_evaluator::PatternEvaluator;
pub use spec::Spec;
pub use stretch::Stretch;
pub use weights::{Weights, WeightsError};
