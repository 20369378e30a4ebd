//! Who won a game.

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameOutcome {
    /// Black.
    Black,
    /// Nobody.
    Draw,
    /// White.
    White,
}
