//! How fast the parts are. Times are processor times, so that other work on the machine counts
//! little.

mod errors;
mod games;
mod growth;
mod in_turn;
mod measure;
mod perft;
mod quality;
mod readers;
mod regrets;
mod scratch;
mod search;
mod store;

pub use crate::othello::search::{CpuTime, ThreadTime};
pub use errors::{ErrorGroup, Errors, measure_errors};
pub use games::measure_games;
pub use growth::{GrowthMeasure, measure_growth};
pub use measure::Measure;
pub use perft::{PerftCount, PerftRequest, count_leaves};
pub use quality::{
    GAME_MOVES, KnownValue, Quality, QualityError, Yardstick, grow_for, measure_quality,
    popular_openings, read_known_values,
};
pub use regrets::Regrets;
pub use scratch::grow_scratch;
pub use search::{TimedEvaluations, TimedSearch, midgame_positions, time_evaluations, time_search};
pub use store::{measure_copy, measure_store, peak_megabytes};
