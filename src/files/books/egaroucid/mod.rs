//! Egaroucid's books: `.egbk3` both ways, the older `.egbk2` and `.egbk` read.
//!
//! No links: records a legal move apart are linked. Squares count from h8 = 0, which on the board
//! words as they are is our numbering after half a turn. Scores are whole discs for the side to
//! move.

mod decode;
mod encode;
mod layout;
mod level;
mod reader;
mod writer;

pub(super) use encode::NOT_HELD;
pub use encode::{
    EgaroucidDeviation, EgaroucidLevels, MOST_LINES, Moves, RecordLevels, whole_discs,
};
pub use layout::{EgaroucidLeaf, EgaroucidRecord};
pub use level::{level_of, plan};
pub use reader::{EgaroucidReader, is_newest, is_oldest};
pub use writer::EgaroucidWriter;
