//! PGN as Othello sites and programs write it: `[Black "name"]` …, `1. f5 d6 2. c3 … 47-17`.

mod ahead;
mod open;
mod outcome;
mod reader;
mod tag;
mod text;
mod variant;
mod words;
mod writer;

pub(super) use reader::PgnReader;
pub(super) use tag::begins_a_tag;
pub(crate) use writer::commented_pgn;
pub(super) use writer::write_pgn;
