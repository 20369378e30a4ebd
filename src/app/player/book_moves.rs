//! Which moves are played by the book: one rule for all that play by it.

use crate::app::By;
use crate::openbook::{BookMove, NodeSource, NodeView, Values, WithFacts};
use crate::othello::board::{Key, Position, Square};
use crate::othello::score::Score;
use crate::store::{Reader, StoreError};

/// The moves of a position to choose from by the book, with facts: those that are worth at most `variety` less
/// than the best, the best first; without any variety only that. None where the position is not in the book, or
/// a search is due on it.
pub(crate) fn book_moves(
    book: &Reader,
    position: Position,
    by: By,
    variety: Score,
) -> Result<Vec<(Square, Values)>, StoreError> {
    let book = book.snapshot()?;
    let known = WithFacts::of(&*book)?;
    if known.node(&Key::of(position))?.is_none_or(|node| node.is_incomplete()) {
        return Ok(Vec::new());
    }
    Ok(near_best(&NodeView::of(&known, position)?.moves, by, variety))
}

fn near_best(moves: &[BookMove], by: By, variety: Score) -> Vec<(Square, Values)> {
    let valued = moves.iter().filter_map(|found| Some((found.square, found.values?)));
    let mut valued: Vec<(Square, Values)> = valued.collect();
    valued.sort_by_key(|(_, values)| std::cmp::Reverse(by.value(*values)));
    let Some(&(_, best)) = valued.first() else { return valued };
    let worth = |values| i32::from(by.value(values).centidiscs());
    let least = worth(best) - i32::from(variety.centidiscs());
    valued.retain(|&(_, values)| worth(values) >= least);
    if variety == Score::ZERO {
        valued.truncate(1);
    }
    valued
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::MoveKind;
    use crate::othello::search::Proof;

    fn moves(values: &[(&str, i16, Proof)]) -> Vec<BookMove> {
        let position = Position::START;
        let known = |&(square, score, proof): &(&str, i16, Proof)| BookMove {
            square: square.parse().unwrap(),
            after: position.after("f5".parse().unwrap()).unwrap(),
            kind: MoveKind::Rest,
            values: Some(Values::of_search(Score::from_centidiscs(score), proof)),
            searched: None,
            child: None,
            held_by: None,
        };
        values.iter().map(known).collect()
    }

    fn near(moves: &[BookMove], by: By, variety: i16) -> String {
        let near = near_best(moves, by, Score::from_centidiscs(variety));
        near.iter().map(|(square, _)| square.to_string()).collect()
    }

    #[test]
    fn variety_takes_what_is_nearly_as_good() {
        let moves = moves(&[
            ("d3", 30, Proof::None),
            ("c4", 30, Proof::None),
            ("f5", -70, Proof::None),
            ("e6", -71, Proof::None),
        ]);
        assert_eq!(near(&moves, By::Guess, 0), "d3");
        assert_eq!(near(&moves, By::Guess, 1), "d3c4");
        assert_eq!(near(&moves, By::Guess, 100), "d3c4f5");
        assert_eq!(near(&moves, By::Guess, 3000), "d3c4f5e6");
        assert_eq!(near(&[], By::Guess, 100), "");
    }

    #[test]
    fn contempt_takes_a_draw_or_leaves_it() {
        let moves = moves(&[("d3", 150, Proof::None), ("c4", 0, Proof::Exact)]);
        let draw = |discs| By::Contempt(Score::from_discs(discs));
        assert_eq!(near(&moves, draw(100), 0), "c4");
        assert_eq!(near(&moves, draw(-100), 0), "d3");
        assert_eq!(near(&moves, draw(1), 0), "d3");
        assert_eq!(near(&moves, draw(2), 0), "c4");
    }
}
