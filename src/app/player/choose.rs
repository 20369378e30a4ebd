//! The choice of a move.

use std::time::{Duration, Instant};

use crate::app::By;
use crate::openbook::Values;
use crate::othello::board::{Placed, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{Limits, Outcome, Stop};
use crate::store::StoreError;

use super::book_moves::book_moves;
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
    /// It is in the book, and is worth so much to the side that makes it.
    Book(Values),
    /// It was found by a search.
    Searched(Outcome),
}

impl Choice {
    /// What the move is worth to the side that makes it, as far as that is known.
    pub const fn score(&self) -> Option<Score> {
        match &self.reason {
            Reason::Pass | Reason::Only => None,
            Reason::Book(values) => Some(values.guess),
            Reason::Searched(outcome) => Some(outcome.value),
        }
    }

    /// Positions that were visited for it.
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

    /// A move of the book, by lot where several are nearly as good.
    fn book_move(
        &mut self,
        position: Position,
        by: By,
    ) -> Result<Option<(Square, Values)>, StoreError> {
        let Some(book) = &self.book else { return Ok(None) };
        let near = book_moves(book, position, by, self.options.variety)?;
        Ok(near.get(self.random.below(near.len())).copied())
    }
}
