//! Transcripts: a game a line, moves in any spelling, perhaps with names and a result around them.

mod board;
mod colours;
mod discs;
mod facts;
mod joined;
mod names;
mod position;
mod prose;
mod reader;
mod result;
mod spelling;
mod writer;

pub(super) use board::has_values;
pub(crate) use position::are_positions;
pub(super) use position::is_of_edax;
pub(super) use reader::{TranscriptReader, is_a_game, is_comment, looks_like_a_transcript};
pub(super) use writer::write_transcript;
