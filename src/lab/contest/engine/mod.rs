//! Other programs as players.

mod dialect;
mod edax;
mod gtp;
mod nboard;
mod process;

use std::time::{Duration, Instant};

use super::fault::{Fault, MatchError, NoMove};
use super::player::{EnginePlayer, Protocol};
use crate::app::player::Clock;
use crate::othello::one_line::one_line;
use crate::othello::search::Stop;
use crate::othello::system_error::in_words;
pub(super) use dialect::{Answer, Turn};
use dialect::{Dialect, Talk};
use process::Process;

/// What an engine may take beyond its clock before it is no longer waited for.
const BEYOND_THE_CLOCK: Duration = Duration::from_secs(1);

/// The most characters that are shown of what is no move.
const MOST_SHOWN: usize = 40;

/// A program at the board. It is started when it is needed, and again after it has lost a game by a fault.
pub(super) struct Engine {
    player: EnginePlayer,
    running: Option<Running>,
    /// Processor time of this game.
    spent: Duration,
}

struct Running {
    process: Process,
    dialect: Box<dyn Dialect>,
    /// Its processor time before the game.
    before: Option<Duration>,
}

impl Engine {
    pub(super) fn new(player: &EnginePlayer) -> Self {
        Self { player: player.clone(), running: None, spent: Duration::ZERO }
    }

    /// Begins a game. The time of it does not count.
    pub(super) fn begin(&mut self, stop: &Stop) -> Result<(), NoMove> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start(stop)?,
        };
        running.dialect.new_game();
        running.before = running.process.cpu_time();
        self.running = Some(running);
        self.spent = Duration::ZERO;
        Ok(())
    }

    fn start(&self, stop: &Stop) -> Result<Running, NoMove> {
        let EnginePlayer { protocol, command, pace, limit, .. } = &self.player;
        let failed =
            |why: String| NoMove::Failed(MatchError::Start { engine: command.join(" "), why });
        let mut process = Process::start(command).map_err(|error| failed(in_words(&error)))?;
        let mut dialect: Box<dyn Dialect> = match protocol {
            Protocol::Gtp => Box::<gtp::Gtp>::default(),
            Protocol::NBoard => Box::<nboard::NBoard>::default(),
            Protocol::Edax => Box::<edax::Edax>::default(),
        };
        let mut talk = Talk { process: &mut process, stop, limit: *limit, since: Instant::now() };
        dialect.hello(&mut talk, *pace).map_err(|error| match error {
            NoMove::Fault(fault) => failed(fault.to_string()),
            error => error,
        })?;
        Ok(Running { process, dialect, before: None })
    }

    /// Asks for a move, and returns how long that took. After a fault the program is ended.
    pub(super) fn choose(
        &mut self,
        turn: &Turn<'_>,
        stop: &Stop,
    ) -> Result<(Answer, Duration), NoMove> {
        let Some(running) = &mut self.running else {
            return Err(Fault::Ended { last_words: None }.into());
        };
        let limit = turn.clock.map_or(self.player.limit, |clock| {
            self.player.limit.min(clock.longest() + BEYOND_THE_CLOCK)
        });
        let process = &mut running.process;
        let mut talk = Talk { process, stop, limit, since: Instant::now() };
        let answer = running.dialect.choose(&mut talk, turn);
        let took = talk.since.elapsed();
        self.spent = match (running.before, running.process.cpu_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.spent + took,
        };
        let answer = answer.and_then(|answer| {
            let is_legal = answer
                .text
                .parse()
                .is_ok_and(|square| turn.placed.position.after(square).is_some());
            match is_legal {
                true => Ok((answer, took)),
                false => Err(Fault::Illegal(one_line(&answer.text, MOST_SHOWN)).into()),
            }
        });
        answer.map_err(|error| match error {
            NoMove::Fault(Fault::Silent(_))
                if turn.clock.is_some_and(|clock| overdue(clock, took)) =>
            {
                Fault::Clock.into()
            }
            error => error,
        })
    }

    /// Ends the program: it cannot be relied upon any more.
    pub(super) fn end(&mut self) {
        self.running = None;
    }

    /// Processor time of this game in seconds; where the system does not say, the time it was waited for.
    pub(super) const fn seconds(&self) -> f64 {
        self.spent.as_secs_f64()
    }
}

fn overdue(clock: &Clock, took: Duration) -> bool {
    let mut clock = *clock;
    clock.spend(took);
    clock.has_lost()
}
