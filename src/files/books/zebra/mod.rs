//! Zebra's book: `book.bin`, its text form, and the packed `book.cmp` (also gzip'd, `.cmp.z`).
//!
//! Nodes hold hashes or nothing, never boards: positions come back by walking the game from the
//! start. Scores are Black's, in 1/128 disc; 30000 more or less means a winner.

mod encode;
mod facts;
mod hash;
mod hashed;
mod layout;
mod losses;
mod packed;
mod reader;
mod start;
mod write;

pub use encode::ZebraLink;
pub use hash::{Orientation, ZebraHash, zebra_hash};
pub use layout::{GZIP, ZebraEntry, ZebraNode, ZebraShape};
pub(super) use losses::NOT_HELD;
pub use losses::ZebraLosses;
pub use packed::may_be_packed;
pub use reader::ZebraReader;
pub use write::{ZebraBinWriter, write_zebra};
