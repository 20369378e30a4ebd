//! The winner of a game.

/// The winner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameOutcome {
    Black,
    /// Neither side.
    Draw,
    White,
}
