//! What can be asked: one file for each group of questions.

mod discover;
mod documentation;
mod events;
mod games;
mod lines;
mod openings;
mod position;
mod read;
mod stats;

pub use discover::{novelties, traps};
pub use documentation::documentation;
pub use events::events;
pub use games::{game, games, players};
pub use lines::lines;
pub use openings::openings;
pub use position::position;
pub use read::read;
pub use stats::stats;
