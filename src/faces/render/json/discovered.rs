//! What book and games show together.

use serde::Serialize;

use super::values::hundredths;
use crate::app::discover::{Mistake, Novelty, Trap};
use crate::files::games::opening_of_line;
use crate::othello::board::{Line, Square};

/// A novelty: a good move that hardly anybody plays.
#[derive(Serialize, Debug)]
pub struct NoveltyJson {
    line: String,
    #[serde(rename = "move")]
    square: Option<String>,
    name: Option<&'static str>,
    games: u64,
    last_year: Option<u16>,
    move_games: u64,
    guess: f64,
    loss: f64,
    error: f64,
    behind: usize,
    usual: Option<String>,
    usual_games: Option<u64>,
    usual_loss: Option<f64>,
}

impl From<&Novelty> for NoveltyJson {
    fn from(novelty: &Novelty) -> Self {
        Self {
            line: novelty.line.whole_text(),
            square: last_move(&novelty.line).map(|square| square.to_string()),
            name: opening_of_line(&novelty.line),
            games: novelty.games,
            last_year: novelty.last_year,
            move_games: novelty.played,
            guess: novelty.guess.discs(),
            loss: novelty.loss.loss.discs(),
            error: hundredths(novelty.error),
            behind: novelty.behind,
            usual: novelty.usual.map(|(square, _)| square.to_string()),
            usual_games: novelty.usual.map(|(_, games)| games),
            usual_loss: novelty.usual_loss.map(|loss| loss.loss.discs()),
        }
    }
}

/// A trap: where many go wrong, on a line that costs little.
#[derive(Serialize, Debug)]
pub struct TrapJson {
    line: String,
    name: Option<&'static str>,
    side: char,
    cost: f64,
    games: u64,
    wrong: u64,
    gain: f64,
    reply: String,
    reply_games: u64,
    loss: f64,
    at_least: bool,
    error: f64,
    best: String,
    best_games: u64,
    guess: f64,
}

impl From<&Trap> for TrapJson {
    fn from(trap: &Trap) -> Self {
        Self {
            line: trap.line.whole_text(),
            name: opening_of_line(&trap.line),
            side: trap.side.letter(),
            cost: trap.cost.discs(),
            games: trap.games,
            wrong: trap.wrong,
            gain: trap.gain.discs(),
            reply: trap.reply.0.to_string(),
            reply_games: trap.reply.1,
            loss: trap.loss.loss.discs(),
            at_least: trap.loss.at_least,
            error: hundredths(trap.error),
            best: trap.right.0.to_string(),
            best_games: trap.right.1,
            guess: trap.guess.discs(),
        }
    }
}

/// A mistake that is made again and again.
#[derive(Serialize, Debug)]
pub struct MistakeJson {
    line: String,
    #[serde(rename = "move")]
    square: Option<String>,
    name: Option<&'static str>,
    games: u64,
    move_games: u64,
    last_year: Option<u16>,
    guess: f64,
    loss: f64,
    at_least: bool,
    error: f64,
    best_line: String,
    right_line: String,
    different_players: u64,
    by: Vec<MistakenJson>,
}

#[derive(Serialize, Debug)]
struct MistakenJson {
    name: String,
    games: u64,
    last_year: Option<u16>,
}

impl From<&Mistake> for MistakeJson {
    fn from(mistake: &Mistake) -> Self {
        let (players, by) = &mistake.players;
        let by = by.iter().map(|player| MistakenJson {
            name: player.name.clone(),
            games: player.games,
            last_year: player.last_year,
        });
        Self {
            line: mistake.line.whole_text(),
            square: last_move(&mistake.line).map(|square| square.to_string()),
            name: opening_of_line(&mistake.line),
            games: mistake.games,
            move_games: mistake.played,
            last_year: mistake.last_year,
            guess: mistake.guess.discs(),
            loss: mistake.loss.loss.discs(),
            at_least: mistake.loss.at_least,
            error: hundredths(mistake.error),
            best_line: mistake.right_moves(),
            right_line: mistake.right.whole_text(),
            different_players: *players,
            by: by.collect(),
        }
    }
}

fn last_move(line: &Line) -> Option<Square> {
    line.squares().last()
}
