//! Games as JSON: our own JSON Lines, and what Othello Quest gives.

mod objects;
mod own;
mod quest;
mod reader;

pub(super) use own::write_json;
pub(super) use reader::JsonReader;
