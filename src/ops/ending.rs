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

/// The rest is the best move that is not a link, so also better than any end of the game. What it proves
/// bounds every move that is not a link: the end of the game does so from below only, and from above what was
/// proven of the others. A rest that is itself the end of the game, and said to be worth more than that, says
/// nothing: then nothing is known of the others.
pub(super) fn rest_with_ending(rest: Option<Rest>, position: Position) -> Option<Rest> {
    let says_too_much = |rest: &Rest| {
        let after = rest.square.and_then(|square| position.after(square));
        matches!(after, Some(After::Over(discs)) if Score::from_discs(discs) < rest.score)
    };
    match (rest.filter(|rest| !says_too_much(rest)), best_ending(position)) {
        (Some(rest), Some(ending)) if ending.score > rest.score => {
            let lower = ending.values().lower;
            let proof = Proof::of_bounds(lower, rest.values().upper.max(lower));
            Some(Rest { proof, ..ending })
        }
        (rest, _) => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_board;

    /// One move ends the game, the other does not: an estimate of it is none of the end.
    #[test]
    fn the_end_of_the_game_proves_nothing_of_other_moves() {
        // After d4 nobody can move, after c2 the other side can.
        let board = "X------- XO------ --O----- -------- -------- -------- -------- -------O X";
        let position = parse_board(board).unwrap().position;
        assert_eq!(position.legal_moves().len(), 2);
        let ending = best_ending(position).unwrap();
        assert_eq!(ending.score, Score::from_discs(62));
        let rest = |discs, proof| Rest { square: None, score: Score::from_discs(discs), proof };
        let with = |rest| rest_with_ending(Some(rest), position).map(|rest| rest.proof);
        assert_eq!(with(rest(60, Proof::Exact)), Some(Proof::Exact));
        assert_eq!(with(rest(60, Proof::None)), Some(Proof::Win), "64 is possible");
        assert_eq!(with(rest(64, Proof::None)), Some(Proof::None));
        let of_ending = |discs| {
            let rest = Rest { square: ending.square, ..rest(discs, Proof::Exact) };
            rest_with_ending(Some(rest), position)
        };
        assert_eq!(of_ending(64), None, "the board says 62");
        assert_eq!(of_ending(62), Some(ending));
    }
}
