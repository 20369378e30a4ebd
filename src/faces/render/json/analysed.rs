//! An analysed game as JSON. Values are discs for the side that moves.

use serde::Serialize;

use super::values::{hundredths, thousandths};
use crate::app::analysis::{AnalysedGame, AnalysedMove, Known, LossSum, SideSums};
use crate::faces::render::game_text::{day, result};
use crate::files::games::opening_of_line;
use crate::othello::board::{Placed, Side};

#[derive(Serialize)]
pub struct AnalysedGameJson<'a> {
    id: Option<u32>,
    source: &'a str,
    event: Option<&'a str>,
    date: Option<String>,
    players: PlayersJson<'a>,
    result: String,
    start: Option<String>,
    line: String,
    name: Option<&'static str>,
    moves: Vec<AnalysedMoveJson>,
    black: SumsJson,
    white: SumsJson,
    worst: Vec<usize>,
    left_book_at: Option<usize>,
    last_game_at: Option<OtherJson<'a>>,
    exact_from: Option<usize>,
    complete: bool,
}

#[derive(Serialize)]
struct PlayersJson<'a> {
    black: Option<&'a str>,
    white: Option<&'a str>,
}

#[derive(Serialize)]
pub struct AnalysedMoveJson {
    ply: usize,
    #[serde(rename = "move")]
    square: String,
    side: char,
    name: Option<&'static str>,
    before: Option<f64>,
    best: Option<String>,
    played: Option<f64>,
    loss: Option<f64>,
    known: Option<&'static str>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    error: Option<f64>,
    turn: Option<TurnJson>,
    choices: u8,
}

/// The winner before and after, for the side that moves.
#[derive(Serialize)]
struct TurnJson {
    from: &'static str,
    to: &'static str,
    proven: bool,
}

#[derive(Serialize)]
struct SumsJson {
    moves: u64,
    loss: f64,
    mean: Option<f64>,
    exact_loss: f64,
    opening: f64,
    midgame: f64,
    endgame: f64,
    turns: u32,
}

#[derive(Serialize)]
struct OtherJson<'a> {
    ply: usize,
    games: u64,
    game: u32,
    title: &'a str,
}

impl<'a> AnalysedGameJson<'a> {
    pub fn of(analysed: &'a AnalysedGame) -> Self {
        let AnalysedGame { game, id, moves, left_book_at, last_game_at } = analysed;
        let line = game.line();
        let Placed { position, side } = game.start;
        let is_from_the_start = game.is_from_the_start();
        Self {
            id: id.map(|id| id.0),
            source: &game.source,
            event: game.event.as_deref(),
            date: Some(day(game)).filter(|day| !day.is_empty()),
            players: PlayersJson {
                black: game.black.name.as_deref(),
                white: game.white.name.as_deref(),
            },
            result: result(game),
            start: (!is_from_the_start).then(|| position.board_text(side)),
            line: line.to_string(),
            name: opening_of_line(&line),
            moves: moves.iter().map(AnalysedMoveJson::of).collect(),
            black: SumsJson::of(analysed.sums(Side::Black)),
            white: SumsJson::of(analysed.sums(Side::White)),
            worst: analysed.worst(3).iter().map(|played| played.ply).collect(),
            left_book_at: *left_book_at,
            last_game_at: last_game_at.as_ref().map(|other| OtherJson {
                ply: other.ply,
                games: other.games,
                game: other.game.0,
                title: &other.title,
            }),
            exact_from: analysed.exact_from(),
            complete: analysed.is_complete(),
        }
    }
}

impl AnalysedMoveJson {
    /// Of a move, as far as it is known.
    pub fn of(played: &AnalysedMove) -> Self {
        let value = played.value;
        let (depth, selectivity, error) = match value.map(|value| value.known) {
            Some(Known::Searched { depth, selectivity }) => {
                (Some(depth), Some(selectivity.percent()), None)
            }
            Some(Known::Book { error }) => (None, None, Some(hundredths(error))),
            _ => (None, None, None),
        };
        Self {
            ply: played.ply,
            square: played.square.to_string(),
            side: played.side().letter(),
            name: played.name,
            before: value.map(|value| value.before.discs()),
            best: value.map(|value| value.best.to_string()),
            played: value.map(|value| value.played.discs()),
            loss: value.map(|value| value.loss().discs()),
            known: value.map(|value| value.known.name()),
            depth,
            selectivity,
            error,
            turn: value.and_then(|value| value.turn()).map(|turn| TurnJson {
                from: turn.from.word(),
                to: turn.to.word(),
                proven: turn.proven,
            }),
            choices: played.choices,
        }
    }
}

impl SumsJson {
    fn of(sums: SideSums) -> Self {
        let SideSums { all, exact, phases, turns } = sums;
        let [opening, midgame, endgame] = phases.map(LossSum::discs);
        Self {
            moves: all.moves,
            loss: all.discs(),
            mean: all.mean().map(thousandths),
            exact_loss: exact.discs(),
            opening,
            midgame,
            endgame,
            turns,
        }
    }
}
