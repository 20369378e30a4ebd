//! A player at the board.

use std::time::{Duration, Instant};

use super::engine::{Engine, Turn};
use super::fault::{Fault, MatchError, NoMove};
use super::game::{MoveMade, SideOfGame};
use super::player::{OwnPlayer, Player};
use crate::app::By;
use crate::app::player::{Clock, TimeControl, book_moves};
use crate::othello::board::{Line, Placed, Position};
use crate::othello::score::Score;
use crate::othello::search::{AnySearcher, Stop, ThreadTime};
use crate::store::{Reader, StoreError};

/// A player at the board, with all that is its own.
pub(super) struct Seat {
    kind: Kind,
    control: Option<TimeControl>,
    clock: Option<Clock>,
}

enum Kind {
    Own(Box<Own>),
    Engine(Box<Engine>),
}

/// A searcher with a table and an open book of its own.
struct Own {
    searcher: AnySearcher,
    player: OwnPlayer,
    book: Option<Reader>,
}

impl Seat {
    pub(super) fn new(player: &Player, table_megabytes: usize) -> Result<Self, MatchError> {
        let (kind, control) = match player {
            Player::Own(own) => {
                (Kind::Own(Box::new(Own::new(own, table_megabytes)?)), own.pace.control())
            }
            Player::Engine(engine) => {
                let control = engine.pace.and_then(super::Pace::control);
                (Kind::Engine(Box::new(Engine::new(engine))), control)
            }
        };
        Ok(Self { kind, control, clock: None })
    }

    /// Begins a game.
    pub(super) fn begin(&mut self, stop: &Stop) -> Result<(), NoMove> {
        self.clock = self.control.map(Clock::new);
        match &mut self.kind {
            Kind::Own(_) => Ok(()),
            Kind::Engine(engine) => engine.begin(stop),
        }
    }

    /// A legal move of the side that is to move.
    pub(super) fn choose(
        &mut self,
        line: &Line,
        placed: Placed,
        milliseconds: &[u32],
        side: &mut SideOfGame,
        stop: &Stop,
    ) -> Result<MoveMade, NoMove> {
        let chosen = match &mut self.kind {
            Kind::Own(own) => own.choose((line, placed.position), self.clock.as_ref(), side, stop),
            Kind::Engine(engine) => {
                let (control, clock) = (self.control, self.clock.as_ref());
                let turn = Turn { line, placed, milliseconds, control, clock };
                let answer = engine.choose(&turn, stop);
                side.seconds = engine.seconds();
                answer.and_then(|(answer, took)| {
                    side.nodes += answer.nodes;
                    let square = answer.text.parse().map_err(|_| Fault::Illegal(answer.text))?;
                    Ok((MoveMade::searched(square, answer.value), took))
                })
            }
        };
        let (made, took) = chosen?;
        if let Some(clock) = &mut self.clock {
            clock.spend(took);
            if clock.has_lost() {
                return Err(Fault::Clock.into());
            }
        }
        let milliseconds = u32::try_from(took.as_millis()).unwrap_or(u32::MAX);
        Ok(MoveMade { milliseconds, ..made })
    }

    /// The player lost by a fault: a program is started again for the next game.
    pub(super) fn end(&mut self) {
        if let Kind::Engine(engine) = &mut self.kind {
            engine.end();
        }
    }
}

impl Own {
    fn new(player: &OwnPlayer, table_megabytes: usize) -> Result<Self, StoreError> {
        let searcher = AnySearcher::new(player.evaluator.clone(), table_megabytes);
        Ok(Self {
            searcher: searcher.with_ordering(player.ordering),
            book: player.book.as_ref().map(Reader::open).transpose()?,
            player: player.clone(),
        })
    }

    fn choose(
        &mut self,
        (line, position): (&Line, Position),
        clock: Option<&Clock>,
        side: &mut SideOfGame,
        stop: &Stop,
    ) -> Result<(MoveMade, Duration), NoMove> {
        let begun = Instant::now();
        if let Some(book) = &self.book
            && let Some(&(square, values)) =
                book_moves(book, position, By::Guess, Score::ZERO)?.first()
        {
            side.book_moves += 1;
            let value = Some(values.guess);
            let made = MoveMade { from_book: true, ..MoveMade::searched(square, value) };
            return Ok((made, begun.elapsed()));
        }
        let share = clock.map(|clock| clock.budget(position.empties()));
        let limits = self.player.pace.limits(position.empties(), share);
        self.searcher.prepare_for(position, &limits);
        self.searcher.follow(line);
        let start = ThreadTime::now();
        let outcome = self.searcher.search(position, 0, &limits, stop);
        side.seconds += start.seconds();
        side.nodes += outcome.nodes;
        // A search that was stopped says nothing.
        let square = outcome.best.filter(|_| !stop.is_stopped()).ok_or(NoMove::Stopped)?;
        let made = MoveMade::searched(square, Some(outcome.value));
        Ok((made, begun.elapsed()))
    }
}
