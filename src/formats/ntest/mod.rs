//! NTest's book, formats 2 (a forest, about 10 bytes a node) and 1 (raw records).
//!
//! Positions after a pass instead of before; scores in centidiscs for the side to move. A branch
//! stores the bound on its unlisted moves (the cutoff), not its value.

mod checksum;
mod encode;
mod layout;
mod reader;
mod writer;

pub(super) use encode::NOT_HELD;
pub use encode::{Encoded, FEWEST_EMPTIES};
pub use layout::{NtestKind, NtestNode, canonical};
pub use reader::{NtestReader, looks_like_ntest};
pub use writer::{NtestValues, NtestVersion, ntest_values, write_ntest};
