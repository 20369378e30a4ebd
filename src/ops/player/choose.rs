//! The choice of a move.

use std::time::{Duration, Instant};

use crate::board::{Placed, Position, Square};
use crate::book::{BookMove, NodeView, Values, WithFacts};
use crate::ops::By;
use crate::score::Score;
use crate::search::{Limits, Outcome, Stop};
use crate::store::StoreError;

use super::pace::Pace;
use super::person::{Player, PlayerError, wish};

/// A move that was chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move; none is a pass.
    pub square: Option<Square>,
    /// Why this one.
    pub reason: Reason,
    /// How long the choice took.
    pub time: Duration,
}

/// Why a move was chosen.
#[derive(Clone, PartialEq, Debug)]
pub enum Reason {
    /// There is no move.
    Pass,
    /// There is no other.
    Only,
    /// It stands in the book, and is worth so much to the side that makes it.
    Book(Values),
    /// It was found by a search.
    Searched(Outcome),
}

impl Choice {
    /// What the move is worth to the side that makes it, as far as that is known.
    #[must_use]
    pub const fn score(&self) -> Option<Score> {
        match &self.reason {
            Reason::Pass | Reason::Only => None,
            Reason::Book(values) => Some(values.guess),
            Reason::Searched(outcome) => Some(outcome.value),
        }
    }

    /// Positions that were visited for it.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        match &self.reason {
            Reason::Searched(outcome) => outcome.nodes,
            _ => 0,
        }
    }
}

impl Player {
    /// Chooses a move: of the book where the position is in it, else by a search. A draw is worth
    /// `draw_for_black` discs to Black, as much less to White. When `stop` is raised it is the best
    /// move so far.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn choose(
        &mut self,
        placed: Placed,
        pace: &Pace,
        draw_for_black: Score,
        stop: &Stop,
    ) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        let position = placed.position;
        let chosen = |square, reason| Choice { square, reason, time: started.elapsed() };
        let mut legal = position.legal_moves();
        let Some(first) = legal.next() else { return Ok(chosen(None, Reason::Pass)) };
        if let Some((square, values)) =
            self.book_move(position, wish(draw_for_black, placed.side))?
        {
            return Ok(chosen(Some(square), Reason::Book(values)));
        }
        if legal.next().is_none() {
            return Ok(chosen(Some(first), Reason::Only));
        }
        let limits = pace.limits(position.empties());
        // The look into the book counts, too.
        let time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let outcome = self.searcher.search(position, 0, &Limits { time, ..limits }, stop);
        Ok(chosen(outcome.best.or(Some(first)), Reason::Searched(outcome)))
    }

    /// A move of the book, unless a search is due there: the best by a wish, or one that is drawn
    /// among those that are nearly as good.
    fn book_move(
        &mut self,
        position: Position,
        by: By,
    ) -> Result<Option<(Square, Values)>, StoreError> {
        let Some(book) = &self.book else { return Ok(None) };
        let book = book.snapshot()?;
        let view = NodeView::of(&WithFacts::of(&*book)?, position)?;
        if view.node.is_none_or(|node| node.is_incomplete()) {
            return Ok(None);
        }
        let near = near_best(&view.moves, by, self.options.variety);
        Ok(near.get(self.random.below(near.len())).copied())
    }
}

/// The moves that are worth at most `variety` less than the best, the best first; without any variety
/// only that.
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
    use crate::book::MoveKind;
    use crate::search::Proof;

    fn moves(values: &[(&str, i16, Proof)]) -> Vec<BookMove> {
        let position = Position::START;
        let known = |&(square, score, proof): &(&str, i16, Proof)| BookMove {
            square: square.parse().unwrap(),
            after: position.after("f5".parse().unwrap()).unwrap(),
            kind: MoveKind::Rest,
            values: Some(Values::of_search(Score::from_centidiscs(score), proof)),
            searched: None,
            child: None,
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
