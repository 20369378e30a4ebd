//! What can be counted on a board without judging it.

use serde::Serialize;

use crate::othello::board::{
    Bitboard, Position, Squares, flips, legal_moves, stable_discs, with_neighbours,
};

/// Counts of both sides: the board report of "Othello AI Heuristics Overview", and the unstable discs
/// of "Othello Heuristics for Evaluation Functions".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct BoardReport {
    /// Discs.
    pub discs: Both,
    /// Legal moves; for the opponent those it would have if it were to move.
    pub mobility: Both,
    /// Discs that can never be turned again, as far as they are found.
    pub stable_discs: Both,
    /// Discs that the other side could turn with its next move; for the mover's discs as if the
    /// opponent were to move.
    pub unstable_discs: Both,
    /// Discs beside an empty square.
    pub frontier_discs: Both,
    /// Discs of both sides together.
    pub total_discs: u8,
}

/// A count for the side to move and for the other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Both {
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
    pub(crate) fn of(position: Position) -> Self {
        let Position { mover, opponent } = position;
        let frontier = with_neighbours(position.empty_squares());
        Self {
            discs: Both::of(mover, opponent),
            mobility: Both::of(legal_moves(mover, opponent), legal_moves(opponent, mover)),
            stable_discs: Both::of(stable_discs(mover, opponent), stable_discs(opponent, mover)),
            unstable_discs: Both::of(turnable(opponent, mover), turnable(mover, opponent)),
            frontier_discs: Both::of(mover & frontier, opponent & frontier),
            total_discs: position.discs(),
        }
    }
}

/// The discs of the other side that a move of `mover` would turn, all moves together.
fn turnable(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let moves = Squares(legal_moves(mover, opponent));
    moves.fold(0, |discs, square| discs | flips(square, mover, opponent))
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
        assert_eq!(report.total_discs, 16);
        // Black (X) can turn every disc of the second row, and White none of the first.
        assert_eq!(report.unstable_discs, Both { mover: 0, opponent: 8, difference: -8 });
        let start = BoardReport::of(Position::START);
        assert_eq!(start.unstable_discs, Both { mover: 2, opponent: 2, difference: 0 });
        assert_eq!(start.frontier_discs, Both { mover: 2, opponent: 2, difference: 0 });
        assert_eq!(report.frontier_discs, Both { mover: 0, opponent: 8, difference: -8 });
    }
}
