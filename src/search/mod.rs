//! Looking ahead: a position, excluded moves, limits and an evaluator in, a result out.

mod confidence;
mod context;
mod endgame;
mod last_empties;
mod limits;
mod midgame;
mod near;
mod ordering;
mod outcome;
mod probcut;
pub mod probcut_fit;
mod root;
mod searcher;
mod stop;
mod table;

#[cfg(test)]
mod tests;

pub use confidence::{Chances, chances, standard_error};
pub use limits::{Goal, Level, LevelError, Limits, Selectivity, SelectivityError};
pub use outcome::{MoveScore, Outcome, Proof};
pub use probcut::ErrorModel;
pub use searcher::Searcher;
pub use stop::Stop;
