//! Edax' own console. It gets each position as a board: a game on it would begin to move by itself.
//!
//! Edax breaks a search off as soon as another line comes in, so that nothing is said before it has moved.

use std::time::Duration;

use super::super::fault::NoMove;
use super::super::player::Pace;
use super::dialect::{Answer, Dialect, Talk, Turn};
use crate::othello::score::Score;

#[derive(Default)]
pub(super) struct Edax;

impl Dialect for Edax {
    fn hello(&mut self, talk: &mut Talk<'_>, pace: Option<Pace>) -> Result<(), NoMove> {
        // It moves only when it is asked.
        talk.send("mode 3")?;
        match pace {
            Some(Pace::Level(level)) => talk.send(&format!("level {level}"))?,
            Some(Pace::Time(time)) => talk.send(&move_time(time))?,
            _ => {}
        }
        Ok(())
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, talk: &mut Talk<'_>, turn: &Turn<'_>) -> Result<Answer, NoMove> {
        let position = turn.placed.position;
        if let Some(clock) = turn.clock {
            talk.send(&move_time(clock.budget(position.empties())))?;
        }
        talk.send(&format!("setboard {}", position.board_text(turn.placed.side)))?;
        talk.begin_move();
        talk.send("go")?;
        let mut found = Answer::default();
        loop {
            let line = talk.line()?;
            // The prompt has no end of line.
            if let Some((_, text)) = line.split_once("plays ") {
                let text = text.split_whitespace().next().unwrap_or_default();
                return Ok(Answer { text: text.to_ascii_lowercase(), ..found });
            }
            if let Some((value, nodes)) = of_search(&line) {
                found = Answer { value: Some(value), nodes, ..found };
            }
        }
    }
}

/// Its console has no clock that goes on between positions: it gets its share of the time, move by move.
fn move_time(time: Duration) -> String {
    format!("move-time {}", time.as_secs_f64())
}

/// Value and nodes of a line of its table: depth, score, time, nodes, speed, line of play. A score may be a bound.
fn of_search(line: &str) -> Option<(Score, u64)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (depth, score) = (words.first()?, words.get(1)?.trim_start_matches(['<', '>', '=']));
    let is_one = depth.starts_with(|c: char| c.is_ascii_digit()) && score.starts_with(['+', '-']);
    let score = score.parse::<i8>().ok().filter(|score| is_one && score.abs() <= 64)?;
    let nodes = words.get(3).and_then(|nodes| nodes.parse().ok()).unwrap_or_default();
    Some((Score::from_discs(score), nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_its_table_hold_a_value() {
        let line = "   10   +02        0:00.021        145934    6949238 d3 C5 e6 D2 c3";
        assert_eq!(of_search(line), Some((Score::from_discs(2), 145_934)));
        let line = "30@73% <-38   0:01.000   1234567 1234567 f5 d6";
        assert_eq!(of_search(line), Some((Score::from_discs(-38), 1_234_567)));
        for line in ["", ">", "  A B C D E F G H", "1 - - - X O - - - 1", "Edax plays D3"] {
            assert_eq!(of_search(line), None, "{line}");
        }
    }
}
