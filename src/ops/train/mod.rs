//! Making the evaluator: games and searches to labelled positions, those to weights, and measuring.

mod error;
mod fit;
mod games;
mod label;
mod measure;
mod probcut;
mod self_play;
mod solve;

pub use error::TrainError;
pub use fit::{FitRequest, TrainProgress, fit_weights};
pub use games::read_training_games;
pub use label::{LabelProgress, LabelRequest, label_positions};
pub use measure::{Accuracy, MeasureRequest, measure_file};
pub use probcut::{Foretelling, ProbCutRequest, measure_probcut};
pub use self_play::{SelfPlayProgress, SelfPlayRequest, play_games};
pub use solve::{SolveRequest, solve_games};
