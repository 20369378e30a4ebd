//! SGF, game 2: `(;GM[2]FF[4]PB[name];B[f5];W[d6])`, squares as letter and digit or as two letters.

mod reader;
mod writer;

pub(super) use reader::SgfReader;
pub(super) use writer::write_sgf;
