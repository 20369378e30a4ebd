//! Zebra's book: `book.bin`, its text form, and the packed `book.cmp` (also gzip'd, `.cmp.z`).
//!
//! Nodes hold hashes or nothing, never boards: positions come back by walking the game from the
//! start. Scores are Black's, in 1/128 disc; 30000 more or less means a winner.

mod book;
mod encode;
mod facts;
mod hash;
mod hashed;
mod layout;
mod losses;
mod packed;
mod reach;
mod reader;
mod start;
mod write;

pub(super) use book::ZebraBook;
pub use encode::ZebraLink;
pub(crate) use hash::ZebraHash;
pub use hash::{Orientation, zebra_hash};
pub use layout::{ZebraEntry, ZebraNode, ZebraShape};
pub use losses::ZebraLosses;
pub(crate) use packed::may_be_packed;
pub use reader::ZebraReader;
pub(crate) use write::ZebraBinWriter;
pub use write::write_zebra;
