//! Games: files, replay, and names of openings.

mod asked;
mod names;
pub mod wthor;

pub use asked::{Asked, AskedError, read_positions};
pub use names::{NameError, opening_line, opening_name, opening_of_line};
