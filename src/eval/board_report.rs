//! What can be counted on a board without judging it.

use serde::Serialize;

use crate::board::{Bitboard, Position, legal_moves, stable_discs};

/// Counts of both sides (the board report of "Othello AI Heuristics Overview").
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BoardReport {
    /// Discs.
    pub discs: Both,
    /// Legal moves; for the opponent those it would have if it were to move.
    pub mobility: Both,
    /// Discs that can never be turned again, as far as they are found.
    pub stable_discs: Both,
}

/// A count for the side to move and for the other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Both {
    /// Of the side to move.
    pub mover: u32,
    /// Of the other side.
    pub opponent: u32,
    /// The first less the second.
    pub difference: i32,
}

impl Both {
    const fn of(mover: Bitboard, opponent: Bitboard) -> Self {
        let (mover, opponent) = (mover.count_ones(), opponent.count_ones());
        Self { mover, opponent, difference: mover as i32 - opponent as i32 }
    }
}

impl BoardReport {
    /// The report on a position.
    #[must_use]
    pub fn of(position: Position) -> Self {
        let Position { mover, opponent } = position;
        Self {
            discs: Both::of(mover, opponent),
            mobility: Both::of(legal_moves(mover, opponent), legal_moves(opponent, mover)),
            stable_discs: Both::of(stable_discs(mover, opponent), stable_discs(opponent, mover)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_both_sides() {
        let report = BoardReport::of(Position { mover: 0xff, opponent: 0xff00 });
        assert_eq!(report.discs, Both { mover: 8, opponent: 8, difference: 0 });
        assert_eq!(report.mobility, Both { mover: 8, opponent: 0, difference: 8 });
        assert_eq!(report.stable_discs.mover, 8);
    }
}
