//! Edax's book: the binary `.dat` and the portable text.
//!
//! Layout and meaning were derived from real files; an own reader and writer reproduce them
//! byte for byte. All numbers are little-endian; scores are whole discs for the side to move of
//! the record.

mod aside;
mod book;
mod encode;
mod layout;
mod level;
mod negamax;
mod reader;
mod text;
mod writer;

pub(super) use book::{EdaxBook, EdaxText};
use encode::leaf_of;
pub use layout::{EdaxHeader, EdaxLink, EdaxMove, EdaxRecord};
pub(crate) use layout::{EdaxLeaf, HEADER_BYTES};
use level::EdaxLevels;
pub use negamax::{EdaxChild, Errors, negamax};
pub use reader::EdaxReader;
pub use text::{EdaxTextReader, text_line};
pub use writer::EdaxWriter;
