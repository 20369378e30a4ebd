//! NTest's book, formats 2 (a forest, about 10 bytes a node) and 1 (raw records).
//!
//! Positions after a pass instead of before; scores in centidiscs for the side to move. A branch
//! stores the bound on its unlisted moves (the cutoff), not its value.

mod book;
mod book_level;
mod checksum;
mod encode;
mod layer;
mod layout;
mod level;
mod losses;
mod originals;
mod part;
mod reader;
mod values;
mod writer;

pub(super) use book::NtestBook;
use encode::{Deviation, NtestRole, thoroughness};
pub(crate) use layout::canonical_of;
pub use layout::{NtestKind, NtestNode, canonical};
pub(crate) use level::FEWEST_EMPTIES;
pub use level::{NtestLevel, NtestLevelError, Thoroughness};
pub use losses::{NtestDifferences, NtestLosses};
pub use reader::NtestReader;
pub(crate) use values::{BranchValues, NtestValues, ntest_values, solved_values};
pub use writer::{NtestVersion, write_ntest};
