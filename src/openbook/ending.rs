//! Moves that end the game: they are never links, and their scores follow from the board.

use super::{Node, Rest};
use crate::othello::board::{After, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::Proof;

/// The best move that ends the game with its final score.
pub(crate) fn best_ending(position: Position) -> Option<Rest> {
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
/// proven of the others. What is said to be worth more than the board says, of a move that ends the game, or as a
/// proof of moves that all do, says nothing: then nothing is known of the others either.
pub(crate) fn rest_with_ending(rest: Option<Rest>, node: &Node) -> Option<Rest> {
    let position = node.key.position();
    let ending = best_ending(position);
    let is_end = |at: Square| matches!(position.after(at), Some(After::Over(_)));
    let is_beyond_the_board = |rest: &Rest| match rest.square.map(|square| position.after(square)) {
        Some(Some(After::Over(discs))) => Score::from_discs(discs) < rest.score,
        Some(_) => false,
        None => {
            let is_less = ending.is_some_and(|end| end.score < rest.score);
            rest.proof == Proof::Exact && is_less && node.unlinked().all(is_end)
        }
    };
    match (rest.filter(|rest| !is_beyond_the_board(rest)), ending) {
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
    use crate::openbook::{MoveMask, Searched, SourceId, Values};
    use crate::othello::board::{Key, parse_board};
    use crate::othello::search::Selectivity;

    /// One move ends the game, the other does not: an estimate of it is none of the end.
    #[test]
    fn the_end_of_the_game_proves_nothing_of_other_moves() {
        // After d4 neither side can move, after c2 the other side can.
        let board = "X------- XO------ --O----- -------- -------- -------- -------- -------O X";
        let position = parse_board(board).unwrap().position;
        assert_eq!(position.legal_moves().len(), 2);
        let ending = best_ending(position).unwrap();
        assert_eq!(ending.score, Score::from_discs(62));
        let (key, symmetry) = Key::with_symmetry(position);
        let searched = Searched { depth: 1, selectivity: Selectivity::FULL, source: SourceId(0) };
        let (links, values) = (MoveMask::NONE, Values::NONE);
        let mut node = Node { links, values, ..Node::new(key, None, searched) };
        let ending = Rest { square: ending.square.map(|at| symmetry.square(at)), ..ending };
        let rest = |discs, proof| Rest { square: None, score: Score::from_discs(discs), proof };
        let with = |rest| rest_with_ending(Some(rest), &node).map(|rest| rest.proof);
        assert_eq!(with(rest(60, Proof::Exact)), Some(Proof::Exact));
        assert_eq!(with(rest(60, Proof::None)), Some(Proof::Win), "64 is possible");
        assert_eq!(with(rest(64, Proof::None)), Some(Proof::None));
        let of_ending = |discs| {
            let rest = Rest { square: ending.square, ..rest(discs, Proof::Exact) };
            rest_with_ending(Some(rest), &node)
        };
        assert_eq!(of_ending(64), None, "the board says 62, and nothing is known of c2");
        assert_eq!(of_ending(62), Some(ending));
        // Where all other moves are links the board alone counts.
        let c2 = key.position().legal_moves().find(|&at| Some(at) != ending.square).unwrap();
        node.links = MoveMask::of_squares(key, c2.bit());
        assert_eq!(rest_with_ending(Some(rest(64, Proof::Exact)), &node), None);
    }
}
