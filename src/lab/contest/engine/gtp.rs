//! The Go Text Protocol, version 2, as engines of Othello speak it.

use std::time::Duration;

use super::super::fault::{Fault, MatchError, NoMove};
use super::super::player::Pace;
use super::MOST_SHOWN;
use super::dialect::{Answer, Dialect, Talk, Turn};
use crate::othello::board::{Placed, Side};
use crate::othello::one_line::one_line;

#[derive(Default)]
pub(super) struct Gtp {
    known: Vec<String>,
    /// Moves of the game that it has on its board; none before the game.
    told: Option<usize>,
}

impl Dialect for Gtp {
    fn hello(&mut self, talk: &mut Talk<'_>, pace: Option<Pace>) -> Result<(), NoMove> {
        self.known =
            ask(talk, "list_commands")?.lines().map(|line| line.trim().to_owned()).collect();
        // Some play several games on one board.
        if self.knows("set_game") {
            ask(talk, "set_game Othello")?;
        }
        if let (Some(Pace::Time(time)), true) = (pace, self.knows("time_settings")) {
            ask(talk, &format!("time_settings 0 {} 1", whole_seconds(time)))?;
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.told = None;
    }

    fn choose(&mut self, talk: &mut Talk<'_>, turn: &Turn<'_>) -> Result<Answer, NoMove> {
        if turn.line.start() != Placed::START {
            return Err(NoMove::Failed(MatchError::Board));
        }
        let told = match self.told {
            Some(told) => told,
            None => {
                ask(talk, "clear_board")?;
                if let (Some(control), true) = (turn.control, self.knows("time_settings")) {
                    ask(talk, &format!("time_settings {} 0 0", control.main.as_secs()))?;
                }
                0
            }
        };
        let steps = turn.line.steps();
        let last = told.checked_sub(1).and_then(|last| steps.get(last));
        let mut side = last.map_or(Side::Black, |step| step.before.side.other());
        for step in steps.iter().skip(told) {
            pass(talk, side, step.before.side)?;
            let by = step.before.side;
            ask(talk, &format!("play {} {}", colour(by), step.square))?;
            side = by.other();
        }
        pass(talk, side, turn.placed.side)?;
        let own = colour(turn.placed.side);
        if let (Some(clock), true) = (turn.clock, self.knows("time_left")) {
            ask(talk, &format!("time_left {own} {} 0", clock.left().as_secs()))?;
        }
        talk.begin_move();
        let text = ask(talk, &format!("genmove {own}"))?.to_ascii_lowercase();
        if text == "resign" {
            return Err(Fault::Resigned.into());
        }
        // Its own move is on its board already.
        self.told = Some(steps.len() + 1);
        Ok(Answer { text, ..Answer::default() })
    }
}

impl Gtp {
    fn knows(&self, command: &str) -> bool {
        self.known.iter().any(|known| known == command)
    }
}

/// Passes for a side that was to move where the other one did. There are engines that pass by themselves, and refuse.
fn pass(talk: &mut Talk<'_>, due: Side, moves: Side) -> Result<(), NoMove> {
    if due != moves {
        talk.send(&format!("play {} pass", colour(due)))?;
        answer(talk)?.ok();
    }
    Ok(())
}

const fn colour(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// GTP knows only these.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs_f64().ceil() as u64
}

fn ask(talk: &mut Talk<'_>, command: &str) -> Result<String, NoMove> {
    talk.send(command)?;
    answer(talk)?.map_err(|answer| {
        let answer = one_line(&answer, MOST_SHOWN);
        Fault::Refused { command: command.to_owned(), answer }.into()
    })
}

/// What follows the mark of an answer, which ends with an empty line; an error is one of the engine's own.
fn answer(talk: &mut Talk<'_>) -> Result<Result<String, String>, NoMove> {
    let (mark, mut text) = loop {
        let line = talk.line()?;
        // Before it there may be noise.
        if let Some(mark @ ('=' | '?')) = line.chars().next() {
            break (mark, line[1..].trim().to_owned());
        }
    };
    loop {
        let line = talk.line()?;
        if line.trim().is_empty() {
            break;
        }
        text = format!("{text}\n{line}").trim().to_owned();
    }
    Ok(if mark == '=' { Ok(text) } else { Err(text) })
}
