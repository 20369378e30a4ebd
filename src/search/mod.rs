//! Looking ahead: a position, excluded moves, limits and an evaluator in, a result out.

mod any_searcher;
mod confidence;
mod context;
mod cpu_time;
mod endgame;
mod huge_pages;
mod last_empties;
mod limits;
mod midgame;
mod near;
mod node;
mod ordering;
mod outcome;
mod probcut;
pub mod probcut_fit;
mod root;
mod searcher;
mod share;
mod stop;
mod table;
mod team;

#[cfg(test)]
mod tests;

pub use any_searcher::AnySearcher;
pub use confidence::{Chances, ErrorCurve, SearchError, chances, fit_error_curve, standard_error};
pub use cpu_time::{CpuTime, ThreadTime};
pub use limits::{Goal, Level, LevelError, Limits, Selectivity, SelectivityError};
pub use ordering::{MoveOrdering, MoveOrderingError};
pub use outcome::{MoveScore, Outcome, Proof};
pub use probcut::ErrorModel;
pub use searcher::Searcher;
pub use stop::Stop;
