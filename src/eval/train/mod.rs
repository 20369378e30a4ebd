//! Fitting the weights of a spec to labelled positions.
//!
//! How the embedded weights came to be, from nothing but the WTHOR games in the folder `wthor`
//! (every step is deterministic, and goes on where it was interrupted):
//!
//! ```text
//! rosebill train fit   --games wthor --furthest 60 --out 0.weights
//! rosebill train solve --games wthor --empties 12 --out ends.labels
//! rosebill train label --games wthor --weights 0.weights --out late.labels
//!     --from-discs 44 --to-discs 60 --solve-from 14 --count 320000
//! rosebill train label --games wthor --weights 0.weights --out middle.labels
//!     --from-discs 26 --to-discs 46 --selectivity 73 --count 150000
//! rosebill train fit   --games wthor --labels ends.labels late.labels middle.labels
//!     --start 0.weights --out 1.weights
//! rosebill train label --games wthor --weights 1.weights --out early.labels
//!     --from-discs 6 --to-discs 36 --selectivity 73 --count 370000
//! rosebill train fit   --games wthor --labels ends.labels late.labels middle.labels early.labels
//!     --start 1.weights --out 2.weights
//! ```
//!
//! A file of labels that is given more than once counts more; the embedded weights had those of late
//! positions four times and those of the others up to three times, so that positions like those a
//! search meets are not drowned by the games.
//!
//! The last two steps again, with the newest weights and another `--seed`, make it better: labels
//! of early positions are only as good as the evaluator at the ends of their searches.

mod chunk_file;
mod fit;
mod game_file;
mod label_file;
mod labels;
mod positions;
mod random;
mod report;
mod samples;

pub use fit::{FitOptions, FitProgress, OPENING_DISCS, fit};
pub use game_file::{GameFile, OwnGame, is_game_file, read_own_games};
pub use label_file::{Label, LabelFile, read_labels};
pub use labels::{Labeller, OwnPlay, TrainingGame, is_held_out, positions_of};
pub use positions::PositionMaker;
pub use random::Random;
pub use report::{error_by_discs, measure};
pub use samples::{Sample, Samples};
