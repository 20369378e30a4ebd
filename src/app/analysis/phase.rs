//! Parts of a game.

use crate::othello::board::Position;

/// The parts of a game, by the empties before a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// 41 empties or more: the first 20 moves.
    Opening,
    /// 21 to 40 empties.
    Midgame,
    /// 20 empties or fewer.
    Endgame,
}

impl Phase {
    /// All of them, in order.
    pub(crate) const ALL: [Self; 3] = [Self::Opening, Self::Midgame, Self::Endgame];

    pub const fn of(position: Position) -> Self {
        match position.empties() {
            41.. => Self::Opening,
            21..=40 => Self::Midgame,
            ..=20 => Self::Endgame,
        }
    }

    /// "opening", "midgame" or "endgame".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Midgame => "midgame",
            Self::Endgame => "endgame",
        }
    }
}
