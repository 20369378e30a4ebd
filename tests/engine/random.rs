//! Positions of random games, the same at each run.

use rosebill::othello::board::{After, Position};

/// The position after so many random moves, or the last one in which somebody could move.
pub fn position_after(seed: u64, plies: usize) -> Position {
    let mut state = seed;
    let mut position = Position::START;
    for _ in 0..plies {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let moves: Vec<_> = position.legal_moves().collect();
        let square = moves[(state >> 33) as usize % moves.len()];
        match position.after(square).and_then(After::position) {
            Some(next) => position = next,
            None => break,
        }
    }
    position
}
