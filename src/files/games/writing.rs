//! What several writers need.

use super::game::Game;
use crate::othello::board::Step;

/// The moves with the boards that they were played on, and whether the other side passed just
/// before.
pub(super) fn steps(game: &Game) -> impl Iterator<Item = (Step, bool)> {
    let mut side = game.start.side;
    let line = game.line();
    let steps: Vec<Step> = line.steps().to_vec();
    steps.into_iter().map(move |step| {
        let has_passed = step.before.side != side;
        side = step.before.side.other();
        (step, has_passed)
    })
}

/// The moves glued together, as `f5d6c3`.
pub(super) fn glued(game: &Game) -> String {
    game.moves.iter().map(|square| square.to_string()).collect()
}
