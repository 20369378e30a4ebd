//! The two games of an opening.

use super::game::Played;

/// The two games of an opening, with colours changed between them, seen by the first player.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pair {
    /// The number of the opening among those of the match, from 0.
    pub opening: usize,
    /// The first player has Black.
    pub as_black: Played,
    /// The first player has White.
    pub as_white: Played,
}

impl Pair {
    pub(crate) const fn games(&self) -> [&Played; 2] {
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
