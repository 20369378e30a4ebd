//! The choice of a move.

use std::time::{Duration, Instant};

use crate::app::By;
use crate::app::live_search::Ticks;
use crate::openbook::Values;
use crate::othello::board::{Placed, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{Limits, Outcome, Progress, Stop};
use crate::store::StoreError;

use super::book_moves::book_moves;
use super::game_in_play::GameInPlay;
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

/// What is known while a move is chosen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thought<'a> {
    /// Positions visited so far.
    pub nodes: u64,
    /// How long it has gone on.
    pub time: Duration,
    /// What an iteration has just found; none where the same one still goes on.
    pub found: Option<&'a Outcome>,
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
    /// Chooses the next move of a game: of the book where the position is in it, else by a search. A draw is worth
    /// `draw_for_black` discs to Black, as much less to White. When `stop` is raised it is the best
    /// move so far. `watch` hears of each iteration of a search, and twice a second that it goes on.
    pub fn choose(
        &mut self,
        game: &GameInPlay,
        pace: &Pace,
        draw_for_black: Score,
        stop: &Stop,
        watch: &mut dyn FnMut(Thought<'_>),
    ) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        let Placed { position, side } = game.now();
        let chosen = |square, reason| Choice { square, reason, time: started.elapsed() };
        let mut legal = position.legal_moves();
        let Some(first) = legal.next() else { return Ok(chosen(None, Reason::Pass)) };
        if let Some((square, values)) = self.book_move(position, wish(draw_for_black, side))? {
            return Ok(chosen(Some(square), Reason::Book(values)));
        }
        if legal.next().is_none() {
            return Ok(chosen(Some(first), Reason::Only));
        }
        let limits = pace.limits(position.empties());
        // The look into the book counts, too.
        let time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let mut ticks = Ticks::start();
        let mut report = |progress: Progress<'_>| match progress {
            Progress::Nodes(nodes) => {
                if let Some(time) = ticks.due() {
                    watch(Thought { nodes, time, found: None });
                }
            }
            Progress::Iteration(found) => {
                let time = ticks.elapsed();
                watch(Thought { nodes: found.nodes, time, found: Some(found) });
            }
            Progress::Move(_) | Progress::Bounds(..) => {}
        };
        let limits = Limits { time, ..limits };
        self.searcher.follow(&game.line());
        let outcome = self.searcher.search_watched(position, 0, &limits, stop, Some(&mut report));
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
