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

pub use crate::othello::search::CpuTime;
pub(crate) use errors::measure_errors;
pub use errors::{ErrorGroup, Errors};
pub(crate) use games::measure_games;
pub use growth::{GrowthMeasure, measure_growth};
pub(crate) use measure::Measure;
pub(crate) use perft::{PerftRequest, count_leaves};
pub(crate) use quality::{
    GAME_MOVES, Quality, Yardstick, grow_for, measure_quality, popular_openings, read_known_values,
};
pub(crate) use regrets::Regrets;
pub use scratch::grow_scratch;
pub(crate) use search::{TimedSearch, midgame_positions, time_evaluations, time_search};
pub(crate) use store::{measure_copy, measure_store, peak_megabytes};
