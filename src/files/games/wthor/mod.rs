//! The WTHOR database of the French Othello federation: game files (`.wtb`), players (`.jou`) and
//! tournaments (`.trn`).

mod file;
mod names;
mod reader;
mod writer;

pub(crate) use file::read_games;
pub use file::{WthorError, read_names};
pub use names::{WthorNames, WthorNamesError};
pub(crate) use names::{gets_names_of, names_without_games};
pub(super) use reader::{HeadOf, WthorReader};
pub use writer::WthorSideFiles;
pub(super) use writer::WthorWriter;
