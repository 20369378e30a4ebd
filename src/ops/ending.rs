//! Moves that end the game: they are never links, and their scores follow from the board.

use crate::board::{After, Position};
use crate::book::Rest;
use crate::score::Score;
use crate::search::Proof;

/// The best move that ends the game with its final score.
pub(super) fn best_ending(position: Position) -> Option<Rest> {
    let mut best: Option<Rest> = None;
    for square in position.legal_moves() {
        if let Some(After::Over(discs)) = position.after(square) {
            let score = Score::from_discs(discs);
            if best.is_none_or(|best| best.score < score) {
                best = Some(Rest { square: Some(square), score, proof: Proof::Exact });
            }
        }
    }
    best
}

/// The rest is the best move that is not a link, so also better than any end of the game.
pub(super) fn rest_with_ending(rest: Option<Rest>, position: Position) -> Option<Rest> {
    match (rest, best_ending(position)) {
        (Some(rest), Some(ending)) if ending.score > rest.score => Some(ending),
        (rest, _) => rest,
    }
}
