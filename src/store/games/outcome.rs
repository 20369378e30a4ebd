//! The winner of a game.

/// The winner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum GameOutcome {
    Black,
    // Neither side.
    Draw,
    White,
}
