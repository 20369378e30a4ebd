//! Facts: what others have proven of positions, and what nodes are known to be worth from that.

mod check;
mod read;
mod write;

pub use check::ContradictedFact;

use crate::openbook::{Bounds, SourceId};
use crate::othello::board::Key;

/// What a source says that has been proven of a position, whether it is a node or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    pub key: Key,
    /// Its result, for the side to move.
    pub bounds: Bounds,
    /// The source that states it.
    pub source: SourceId,
}
