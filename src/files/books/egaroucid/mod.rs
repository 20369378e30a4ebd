//! Egaroucid's books: `.egbk3` both ways, the older `.egbk2` and `.egbk` read.
//!
//! No links: records a legal move apart are linked. Squares count from h8 = 0, which on the board
//! words as they are is our numbering after half a turn. Scores are whole discs for the side to
//! move.

mod book;
mod decode;
mod encode;
mod files;
mod layout;
mod level;
mod reader;
mod writer;

pub(super) use book::EgaroucidBook;
pub(crate) use book::FIX_CHANGES;
use encode::{EgaroucidDeviation, EgaroucidLevels, MOST_LINES, whole_discs};
pub use encode::{Moves, RecordLevels};
pub use layout::{EgaroucidLeaf, EgaroucidRecord};
pub(crate) use level::level_of;
pub use level::plan;
pub use reader::EgaroucidReader;
pub use writer::EgaroucidWriter;
