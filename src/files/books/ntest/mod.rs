//! NTest's book, formats 2 (a forest, about 10 bytes a node) and 1 (raw records).
//!
//! Positions after a pass instead of before; scores in centidiscs for the side to move. A branch
//! stores the bound on its unlisted moves (the cutoff), not its value.

mod checksum;
mod encode;
mod layout;
mod level;
mod losses;
mod reader;
mod values;
mod writer;

pub(super) use encode::NOT_HELD;
pub use encode::{Deviation, NtestRole, thoroughness};
pub use layout::{NtestKind, NtestNode, canonical, canonical_of};
pub use level::{FEWEST_EMPTIES, NtestLevel, NtestLevelError, Thoroughness};
pub use losses::{NtestDifferences, NtestLosses};
pub use reader::{NtestReader, looks_like_ntest};
pub use values::{BranchValues, NtestValues, ntest_values, solved_values};
pub use writer::{NtestVersion, write_ntest};
