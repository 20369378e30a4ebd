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

pub use balance::{BalanceRequest, balance_constants};
pub use bounce::{Bounce, BounceRequest, correct_constants, measure_bounce};
pub use calibrate::{CalibrateRequest, Calibration, ChanceBin, ErrorCell, calibrate};
pub use error::TrainError;
pub use fit::{FitRequest, TrainProgress, fit_weights};
pub use foretell::{ForetellRequest, Foretelling, measure_foretelling};
pub use games::read_training_games;
pub use keep::keep_weights;
pub use label::{LabelProgress, LabelRequest, label_positions};
pub use leaves::{LeavesRequest, label_leaves};
pub use measure::{Accuracy, MeasureRequest, Measured, measure_file};
pub use probcut::{ProbcutRequest, read_probcut, sample_probcut};
pub use self_play::{SelfPlayProgress, SelfPlayRequest, play_games};
pub use solve::{SolveRequest, Solved, solve_games};
pub use stretch::{StretchCell, StretchRequest, measure_stretch};
