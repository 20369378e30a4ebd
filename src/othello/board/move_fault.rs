//! Why a move cannot be played.

use thiserror::Error;

use super::{Placed, Side, Square, Squares};

/// Why a move cannot have been played.
#[derive(Debug, Error, PartialEq, Eq, Clone, Copy)]
pub enum MoveFault {
    #[error("the square is occupied; expected one of {legal} ({side})")]
    Occupied { side: Side, legal: Squares },
    #[error("flips no disc; expected one of {legal} ({side})")]
    NothingTurned { side: Side, legal: Squares },
    #[error("a move of {stated}, but {} is to move; expected one of {legal}", stated.other())]
    OtherSide {
        /// Whose move the file says it is.
        stated: Side,
        legal: Squares,
    },
    #[error("a pass, but {side} can move; expected one of {legal}")]
    Pass { side: Side, legal: Squares },
    #[error("the game is already over")]
    Over,
    #[error("no such square; expected a column a-h and a row 1-8")]
    Unreadable,
    #[error("unexpected byte 0x{0:02x}")]
    Byte(u8),
    #[error("the text ends in the middle of a move")]
    Cut,
}

impl Placed {
    /// Why this move is none here, where the side to move has others.
    pub(crate) fn fault_of(self, square: Square) -> MoveFault {
        let Self { position, side } = self;
        let legal = position.legal_moves();
        match position.occupied() & square.bit() {
            0 => MoveFault::NothingTurned { side, legal },
            _ => MoveFault::Occupied { side, legal },
        }
    }
}
