//! What the protocols of engines have in common.

use std::time::{Duration, Instant};

use super::super::fault::{Fault, NoMove};
use super::super::player::Pace;
use super::process::Process;
use crate::app::player::{Clock, TimeControl};
use crate::othello::board::{Line, Placed};
use crate::othello::score::Score;
use crate::othello::search::Stop;

/// A protocol, with what it has to remember of an engine.
pub(super) trait Dialect: Send {
    /// Begins to talk; the pace is what the engine is to be told.
    fn hello(&mut self, talk: &mut Talk<'_>, pace: Option<Pace>) -> Result<(), NoMove>;

    /// Another game begins.
    fn new_game(&mut self);

    /// Asks for a move of the side that is to move.
    fn choose(&mut self, talk: &mut Talk<'_>, turn: &Turn<'_>) -> Result<Answer, NoMove>;
}

/// What is to be played on.
pub(in crate::lab::contest) struct Turn<'a> {
    pub line: &'a Line,
    /// The end of the line.
    pub placed: Placed,
    /// What each move of the line took.
    pub milliseconds: &'a [u32],
    /// The clock of both sides.
    pub control: Option<TimeControl>,
    /// That of the engine, as it stands.
    pub clock: Option<&'a Clock>,
}

/// What an engine answers.
#[derive(Default, Debug)]
pub(in crate::lab::contest) struct Answer {
    /// Its move in small letters, not checked in any way.
    pub text: String,
    /// What it says that the move is worth to it.
    pub value: Option<Score>,
    /// Nodes that it says it visited; 0 where it does not.
    pub nodes: u64,
}

/// A talk with an engine up to a moment.
pub(super) struct Talk<'a> {
    pub process: &'a mut Process,
    pub stop: &'a Stop,
    /// The most that it may take to answer.
    pub limit: Duration,
    /// Since when it is waited for.
    pub since: Instant,
}

impl Talk<'_> {
    /// From now on its time runs: what came before is not its move.
    pub(super) fn begin_move(&mut self) {
        self.since = Instant::now();
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), NoMove> {
        Ok(self.process.send(line)?)
    }

    pub(super) fn line(&mut self) -> Result<String, NoMove> {
        self.process.line(self.since + self.limit, self.stop).map_err(|error| match error {
            NoMove::Fault(Fault::Silent(_)) => Fault::Silent(self.limit).into(),
            error => error,
        })
    }
}
