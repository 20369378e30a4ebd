//! A board as written in a text, with the side to move if the text says it.

use super::error::BoardError;
use super::squares::Signs;
use super::turn::leading_side;
use crate::othello::board::{Placed, Position, Side};
use crate::othello::one_line::one_line;

/// The most characters that a message shows of what should be something else.
const MOST_SHOWN: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardText<'t> {
    pub(super) black: u64,
    pub(super) white: u64,
    /// The side to move by the text.
    pub said: Option<Side>,
    /// What follows the board and the side to move: moves, scores, or nothing.
    pub behind: &'t str,
}

impl BoardText<'_> {
    /// The board with this side to move.
    pub(crate) const fn with_side(&self, side: Side) -> Placed {
        let (black, white) = (self.black, self.white);
        let position = match side {
            Side::Black => Position { mover: black, opponent: white },
            Side::White => Position { mover: white, opponent: black },
        };
        Placed { position, side }
    }

    /// Whether the text leaves the side to move open: it does not name it, and both sides could
    /// move.
    pub(crate) const fn leaves_turn_open(&self) -> bool {
        self.said.is_none() && self.can_move(Side::Black) && self.can_move(Side::White)
    }

    pub(crate) const fn discs(&self) -> u32 {
        (self.black | self.white).count_ones()
    }

    const fn can_move(&self, side: Side) -> bool {
        self.with_side(side).position.can_move()
    }

    /// The board with the side that the text says is to move.
    pub(crate) fn placed_as_said(&self) -> Result<Placed, BoardError> {
        let found = || {
            let behind = self.behind.split(';').next().unwrap_or_default();
            one_line(behind.trim(), MOST_SHOWN)
        };
        let side = self.said.ok_or_else(|| BoardError::Side { found: found() })?;
        Ok(self.with_side(side))
    }

    /// Checks that nothing follows the board and its side to move.
    pub(crate) fn check_end(&self) -> Result<(), BoardError> {
        let behind = self.behind.trim();
        if behind.is_empty() {
            return Ok(());
        }
        self.placed_as_said()?;
        Err(BoardError::Behind { found: one_line(behind, MOST_SHOWN) })
    }

    /// The board with the side that the text says is to move, else the only one that can, else Black
    /// where the number of discs is even, as it is at Black's turns of games without passes.
    pub(crate) fn placed(&self) -> Result<Placed, BoardError> {
        let discs = self.discs();
        let side = match self.said {
            Some(side) => side,
            None if self.leaves_turn_open() && discs % 2 == 1 => {
                return Err(BoardError::Turn { discs });
            }
            None if self.can_move(Side::White) && !self.can_move(Side::Black) => Side::White,
            None => Side::Black,
        };
        Ok(self.with_side(side))
    }
}

impl BoardText<'_> {
    /// Takes the side to move from the text that follows.
    pub(super) fn take_side(&mut self, signs: Signs) {
        if let Some((side, behind)) = leading_side(self.behind, signs) {
            (self.said, self.behind) = (Some(side), behind);
        }
    }
}
