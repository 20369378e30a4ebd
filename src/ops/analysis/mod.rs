//! What the moves of games are worth, and what they cost.

mod analysed_game;
mod analysed_move;
mod sums;

pub use analysed_game::{AnalysedGame, OtherGame};
pub use analysed_move::{AnalysedMove, Known, MoveValue, Turn, Winner};
pub use sums::{LossSum, Phase, SideSums};
