//! Games: files, replay, and names of openings.

mod names;
pub mod wthor;

pub use names::{opening_name, opening_of_line};
