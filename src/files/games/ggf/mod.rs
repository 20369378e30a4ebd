//! GGF, the format of GGS and NBoard: `(;GM[Othello]PB[name]…B[f5/eval/seconds]W[d6]…;)`.

mod kind;
mod reader;
mod writer;

pub(super) use reader::GgfReader;
pub(crate) use reader::ggf_move;
pub(super) use writer::write_ggf;
