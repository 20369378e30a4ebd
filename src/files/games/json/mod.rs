//! Games as JSON: our own JSON Lines, what Othello Quest gives, and what Egaroucid saves.

mod array;
mod egaroucid;
mod fields;
mod objects;
mod own;
mod quest;
mod reader;

pub(super) use own::write_json;
pub(super) use reader::JsonReader;
