//! The two games of an opening.

use crate::othello::board::Square;

use super::game::Played;

/// The two games of an opening, with colours changed between them, seen by the first player.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pair {
    /// The number of the opening among those of the match, from 0.
    pub opening: usize,
    /// The first player has Black.
    pub as_black: PairGame,
    /// The first player has White.
    pub as_white: PairGame,
    pub(super) sides: [[super::game::SideOfGame; 2]; 2],
}

/// One of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PairGame {
    /// The moves behind the opening; passes follow from the rules.
    pub moves: Vec<Square>,
    /// The first player's discs less the second's, the empties given to the winner.
    pub discs: i32,
}

impl PairGame {
    /// Half points of the first player: 2 for a win, 1 for a draw.
    pub(crate) const fn half_points(&self) -> i32 {
        self.discs.signum() + 1
    }
}

impl Pair {
    pub(super) fn new(opening: usize, as_black: Played, as_white: Played) -> Self {
        let sides = [as_black.sides, as_white.sides];
        let game = |Played { moves, discs, .. }| PairGame { moves, discs };
        Self { opening, as_black: game(as_black), as_white: game(as_white), sides }
    }

    pub(crate) fn games(&self) -> [&PairGame; 2] {
        [&self.as_black, &self.as_white]
    }

    /// Half points of the first player: a pair is won with more than two of the four.
    pub(crate) const fn half_points(&self) -> i32 {
        self.as_black.half_points() + self.as_white.half_points()
    }

    /// The first player's discs less the second's of both games together.
    pub(crate) const fn discs(&self) -> i32 {
        self.as_black.discs + self.as_white.discs
    }
}
