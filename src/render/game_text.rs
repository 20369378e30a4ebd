//! Facts of a game in few words.

use crate::games::{Game, GameResult, Player, Stated};

/// What is shown of a name that is not known.
const UNKNOWN: &str = "?";

/// A player's name.
#[must_use]
pub fn name(player: &Player) -> &str {
    player.name.as_deref().unwrap_or(UNKNOWN)
}

/// How a game ended: `37-27`, by the board; `resigned` and the like by the header; `*` when nobody
/// says.
#[must_use]
pub fn result(game: &Game) -> String {
    match game.result() {
        GameResult::Board(black) => format!("{black}-{}", 64 - black),
        GameResult::Awarded(stated) => Stated::to_string(stated),
        GameResult::Unknown => "*".to_owned(),
    }
}

/// The day, as far as it is known.
#[must_use]
pub fn day(game: &Game) -> String {
    game.date.map(|date| date.to_string()).unwrap_or_default()
}

/// The moves in one word.
#[must_use]
pub fn moves(game: &Game) -> String {
    game.moves.iter().map(|square| square.to_string()).collect()
}
