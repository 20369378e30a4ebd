//! What was played at a position.

use serde::Serialize;

use super::values::hundredths;
use crate::app::Shown;
use crate::app::games::{GameStats, GamesAt, MoveStats, PlayerHere, Tally};
use crate::files::games::{Asked, opening_of_line};
use crate::othello::board::{Square, same_move};
use crate::othello::score::Score;

/// What was played at a position; scores are discs from Black's side, a guess is that of the side that
/// makes the move.
#[derive(Serialize, Debug)]
pub struct PlayedJson {
    games: u64,
    this_order: Option<u64>,
    black: u64,
    draw: u64,
    white: u64,
    mean_score: Option<f64>,
    mean_theoretical: Option<f64>,
    moves: Vec<PlayedMoveJson>,
}

#[derive(Serialize, Debug)]
struct PlayedMoveJson {
    #[serde(rename = "move")]
    square: String,
    games: u64,
    black: u64,
    draw: u64,
    white: u64,
    mean_score: Option<f64>,
    mean_theoretical: Option<f64>,
    guess: Option<f64>,
    first_year: Option<u16>,
    last_year: Option<u16>,
    name: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    players: Vec<PlayerHereJson>,
}

/// A player that was at a position, or chose a move.
#[derive(Serialize, Debug)]
struct PlayerHereJson {
    name: String,
    games: u64,
    percent: Option<f64>,
}

/// What was played at a position, the players, and the games that are worth a look.
#[derive(Serialize, Debug)]
pub struct GamesHereJson {
    #[serde(flatten)]
    played: PlayedJson,
    players: Vec<PlayerHereJson>,
    different_players: usize,
    latest: Vec<u32>,
    highest_rated: Vec<u32>,
}

impl PlayedJson {
    /// Of the games at a position, of which there may be none; `shown` is what the book says of the
    /// moves.
    pub fn of(asked: &Asked, stats: Option<&GameStats>, shown: Option<&Shown>) -> Self {
        let tally = stats.map_or_else(Tally::default, |stats| stats.tally);
        let moves = stats.map_or(&[][..], |stats| &stats.moves);
        Self {
            games: tally.games,
            this_order: stats.and_then(|stats| stats.this_order),
            black: tally.black,
            draw: tally.draw,
            white: tally.white,
            mean_score: tally.mean_score().map(hundredths),
            mean_theoretical: tally.mean_theoretical().map(hundredths),
            moves: moves.iter().map(|played| PlayedMoveJson::of(asked, played, shown)).collect(),
        }
    }
}

impl GamesHereJson {
    /// As [`PlayedJson::of`], with more of the games.
    pub fn of(
        asked: &Asked,
        stats: Option<&GameStats>,
        here: &GamesAt,
        shown: Option<&Shown>,
    ) -> Self {
        let mut played = PlayedJson::of(asked, stats, shown);
        let moves = stats.map_or(&[][..], |stats| &stats.moves);
        for (json, played) in played.moves.iter_mut().zip(moves) {
            json.players = players_json(here.who.chose(played.square));
        }
        Self {
            played,
            players: players_json(&here.who.players),
            different_players: here.who.different,
            latest: here.latest.iter().map(|id| id.0).collect(),
            highest_rated: here.highest_rated.iter().map(|id| id.0).collect(),
        }
    }
}

impl PlayedMoveJson {
    fn of(asked: &Asked, played: &MoveStats, shown: Option<&Shown>) -> Self {
        let MoveStats { square, tally, years } = played;
        Self {
            square: square.to_string(),
            games: tally.games,
            black: tally.black,
            draw: tally.draw,
            white: tally.white,
            mean_score: tally.mean_score().map(hundredths),
            mean_theoretical: tally.mean_theoretical().map(hundredths),
            guess: shown.and_then(|shown| guess_of(shown, *square)).map(Score::discs),
            first_year: years.map(|(first, _)| first),
            last_year: years.map(|(_, last)| last),
            name: opening_of_line(&asked.line.then(&[*square])).map(str::to_owned),
            players: Vec::new(),
        }
    }
}

fn players_json(players: &[PlayerHere]) -> Vec<PlayerHereJson> {
    let player = |player: &PlayerHere| PlayerHereJson {
        name: player.name.clone(),
        games: player.score.games,
        percent: player.score.percent().map(hundredths),
    };
    players.iter().map(player).collect()
}

/// What the book says of a move that was played, in discs for the side that makes it.
pub fn guess_of(shown: &Shown, square: Square) -> Option<Score> {
    let position = shown.placed.position;
    let found = shown.moves.iter().find(|known| same_move(position, known.found.square, square))?;
    Some(found.found.values?.guess)
}
