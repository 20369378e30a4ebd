//! Making the evaluator: games and searches to labelled positions, those to weights, and measuring.

mod balance;
mod bounce;
mod calibrate;
mod error;
mod fit;
mod foretell;
mod games;
mod keep;
mod label;
mod leaves;
mod measure;
mod probcut;
mod self_play;
mod solve;
mod stretch;

pub(crate) use balance::{BalanceRequest, balance_constants};
pub(crate) use bounce::{Bounce, BounceRequest, correct_constants, measure_bounce};
pub(crate) use calibrate::{CalibrateRequest, calibrate};
pub(crate) use error::TrainError;
pub(crate) use fit::{FitRequest, TrainProgress, fit_weights};
pub(crate) use foretell::{ForetellRequest, measure_foretelling};
pub(crate) use games::read_training_games;
pub(crate) use keep::keep_weights;
pub(crate) use label::{LabelRequest, label_positions};
pub(crate) use leaves::{LeavesRequest, label_leaves};
pub(crate) use measure::{Accuracy, MeasureRequest, measure_file};
pub(crate) use probcut::{ProbcutRequest, read_probcut, sample_probcut};
pub(crate) use self_play::{SelfPlayRequest, play_games};
pub(crate) use solve::{SolveRequest, solve_games};
pub(crate) use stretch::{StretchRequest, measure_stretch};
