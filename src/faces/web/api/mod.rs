//! What can be asked: one file for each group of questions.

mod analyze;
mod discover;
mod documentation;
mod edit;
mod events;
mod games;
mod grow;
mod lines;
mod openings;
mod position;
mod read;
mod search;
mod stats;
mod undo;

pub use analyze::analyze;
pub use discover::{disagreements, novelties, only_moves, traps};
pub use documentation::documentation;
pub use edit::{remove, set};
pub use events::events;
pub use games::{game, games, players};
pub use grow::{growth, start_growth, stop_growth};
pub use lines::lines;
pub use openings::openings;
pub use position::position;
pub use read::read;
pub use search::search;
pub use stats::stats;
pub use undo::{changes, undo};
