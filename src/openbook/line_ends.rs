//! How far the values of a position can be trusted by how its lines end, and how much there is to learn.

use super::Record;
use crate::othello::search::Proof;

/// What is kept of a position beside its evidence, folded over the moves that are nearly as good as the best.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LineEnds {
    /// How lines of nearly best moves end: bits of [`Self::PROVEN`], [`Self::READ_OUT`] and [`Self::OPEN`];
    /// none is not known.
    pub ends: u8,
    /// In how many positions the side to move must know its way to stay on best lines, whatever best moves
    /// the other side chooses; 0 and the largest number are not known.
    pub own: u16,
    /// The same for the other side.
    pub other: u16,
}

impl LineEnds {
    /// A line ends in a result that is proven: exact, or the winner.
    pub const PROVEN: u8 = 1;
    /// A line ends in a search to the end with less than certainty.
    pub const READ_OUT: u8 = 2;
    /// A line ends in a search that did not come to the end.
    pub const OPEN: u8 = 4;

    /// Moves that give away less than this follow the best ones, in centidiscs.
    pub(crate) const NEAR: i32 = 200;
    /// Moves that give away less than this count as best, as they do in a book of whole discs.
    pub(crate) const BEST: i32 = 50;

    /// Of a result that is known.
    pub(crate) const EXACT: Self = Self { ends: Self::PROVEN, own: 1, other: 1 };

    /// Of most positions: no line comes to an end, and there is nothing to learn but the position itself.
    pub(crate) const USUAL: Self = Self { ends: Self::OPEN, own: 1, other: 1 };

    /// Nothing is known of it, as in a book of an older program.
    pub(crate) const NOT_KNOWN: Self = Self { ends: 0, own: 0, other: 0 };

    /// Of a move that a record answers for.
    pub(crate) fn of_record(record: &Record, empties: u8) -> Self {
        let ends = match record.rest.proof {
            Proof::Exact | Proof::Win | Proof::Loss => Self::PROVEN,
            _ if record.searched.depth >= empties => Self::READ_OUT,
            _ => Self::OPEN,
        };
        Self { ends, own: 1, other: 1 }
    }

    /// That of a move which leads here, for the side that makes it.
    pub const fn seen_by_parent(self, same_side: bool) -> Self {
        match same_side {
            true => self,
            false => Self { own: self.other, other: self.own, ..self },
        }
    }

    /// A number of positions to learn, where it is known.
    pub const fn number(stored: u16) -> Option<u64> {
        match stored {
            0 | u16::MAX => None,
            number => Some(number as u64),
        }
    }
}
