//! An analysed game as JSON. Values are discs for the side that moves.

use serde::Serialize;

use crate::app::analysis::AnalysedGame;
use crate::app::json::object;
use crate::faces::render::game_text::{day, result};
use crate::files::games::opening_of_line;
use crate::othello::board::{Placed, Side};

pub fn analysed_json(analysed: &AnalysedGame) -> impl Serialize + '_ {
    let AnalysedGame { game, id, moves, left_book_at, last_game_at } = analysed;
    let line = game.line();
    let Placed { position, side } = game.start;
    let is_from_the_start = game.is_from_the_start();
    object! {
        id,
        source: &game.source,
        event: &game.event,
        date: Some(day(game)).filter(|day| !day.is_empty()),
        players: object! { black: &game.black.name, white: &game.white.name },
        result: result(game),
        start: (!is_from_the_start).then(|| position.board_text(side)),
        line: line.to_string(),
        name: opening_of_line(&line),
        moves,
        black: analysed.sums(Side::Black),
        white: analysed.sums(Side::White),
        worst: analysed.worst(3).iter().map(|played| played.ply).collect::<Vec<_>>(),
        left_book_at,
        last_game_at,
        exact_from: analysed.exact_from(),
        complete: analysed.is_complete(),
    }
}
