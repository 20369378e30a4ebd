//! How deep the positions of a book are searched.

use super::{Level, Limits, Selectivity};

/// How deep searches go at each number of empties.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Depth {
    Level(Level),
    /// The same depth and selectivity everywhere.
    Fixed {
        /// Plies.
        depth: u8,
        selectivity: Selectivity,
    },
}

impl Depth {
    /// The limits of a search with so many empties.
    pub fn limits(self, empties: u8) -> Limits {
        match self {
            Self::Level(level) => Limits::level(level, empties),
            Self::Fixed { depth, selectivity } => Limits::depth(depth.min(empties), selectivity),
        }
    }

    /// This, or as deep as a search of so many plies with this selectivity where that is more.
    pub(crate) fn at_least(self, empties: u8, depth: u8, selectivity: Selectivity) -> Self {
        let limits = self.limits(empties);
        let depth = depth.min(empties);
        match (limits.depth.min(empties), limits.selectivity) < (depth, selectivity) {
            true => Self::Fixed { depth, selectivity },
            false => self,
        }
    }
}
