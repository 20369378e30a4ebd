//! The protocol of NBoard, version 2: whole games go to the engine as GGF.

use super::super::fault::NoMove;
use super::super::player::Pace;
use super::dialect::{Answer, Dialect, Talk, Turn};
use crate::app::player::TimeControl;
use crate::files::games::{Game, GameFormat, write};
use crate::othello::board::Line;
use crate::othello::score::Score;

#[derive(Default)]
pub(super) struct NBoard {
    pings: u32,
}

impl Dialect for NBoard {
    fn hello(&mut self, talk: &mut Talk<'_>, pace: Option<Pace>) -> Result<(), NoMove> {
        talk.send("nboard 2")?;
        match pace {
            Some(Pace::Level(level)) => talk.send(&format!("set depth {level}"))?,
            Some(Pace::Depth { depth, .. }) => talk.send(&format!("set depth {depth}"))?,
            _ => {}
        }
        self.ping(talk)
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, talk: &mut Talk<'_>, turn: &Turn<'_>) -> Result<Answer, NoMove> {
        talk.send(&format!("set game {}", ggf(turn.line, turn.milliseconds, turn.control)))?;
        // A game is written to its last move: a pass behind it is not in it.
        let last = turn.line.steps().last().map(|step| step.before.side);
        let due = last.map_or(turn.line.start().side, |side| side.other());
        if due != turn.placed.side {
            talk.send("move PA")?;
        }
        self.ping(talk)?;
        talk.begin_move();
        talk.send("go")?;
        loop {
            let line = talk.line()?;
            let Some(move_text) = line.strip_prefix("===") else { continue };
            let mut parts = move_text.trim().split(['/', ' ']);
            let text = parts.next().unwrap_or_default().to_ascii_lowercase();
            let value = parts.next().and_then(|value| value.parse::<f64>().ok());
            let value = value.filter(|value| value.abs() <= 64.0);
            let value = value.map(|value| Score::from_centidiscs((value * 100.0).round() as i16));
            return Ok(Answer { text, value, nodes: 0 });
        }
    }
}

impl NBoard {
    /// Waits until it has done all that it was told before.
    fn ping(&mut self, talk: &mut Talk<'_>) -> Result<(), NoMove> {
        self.pings += 1;
        talk.send(&format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        while talk.line()?.trim() != pong {}
        Ok(())
    }
}

/// The clock with all three parts: what is left out of it is two minutes of grace elsewhere.
fn ggf(line: &Line, milliseconds: &[u32], control: Option<TimeControl>) -> String {
    let time_control = control.map(|TimeControl { main, increment, grace, .. }| {
        let [main, increment, grace] = [main, increment, grace].map(|time| time.as_secs_f64());
        format!("{main}/{increment}/{grace}")
    });
    let milliseconds = milliseconds.to_vec();
    let game = Game { milliseconds, time_control, ..Game::of_line(line) };
    let mut text = Vec::new();
    // A list of bytes takes all that is written.
    let _ = write(GameFormat::Ggf, [&game], &mut text);
    String::from_utf8_lossy(&text).trim().to_owned()
}
