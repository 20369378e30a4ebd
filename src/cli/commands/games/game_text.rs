//! Facts of a game in few words.

use crate::games::{Game, GameResult, Player, Stated};
use crate::ops::games::ListedGame;

/// What is shown of a name that is not known.
const UNKNOWN: &str = "?";

/// A player's name.
pub(in crate::cli::commands) fn name(player: &Player) -> &str {
    player.name.as_deref().unwrap_or(UNKNOWN)
}

/// How a game ended: `37-27`, by the board; `resigned` and the like by the header; `*` when nobody
/// says.
pub(in crate::cli::commands) fn result(game: &Game) -> String {
    match game.result() {
        GameResult::Board(black) => format!("{black}-{}", 64 - black),
        GameResult::Awarded(stated) => Stated::to_string(stated),
        GameResult::Unknown => "*".to_owned(),
    }
}

/// The day, as far as it is known.
pub(in crate::cli::commands) fn day(game: &Game) -> String {
    game.date.map(|date| date.to_string()).unwrap_or_default()
}

/// The moves in one word.
pub(in crate::cli::commands) fn moves(game: &Game) -> String {
    game.moves.iter().map(|square| square.to_string()).collect()
}

/// A game as our JSON has it, with its number and its sources.
pub(in crate::cli::commands) fn json(listed: &ListedGame) -> anyhow::Result<serde_json::Value> {
    let mut text = Vec::new();
    crate::games::write(crate::games::GameFormat::Json, [&listed.game], &mut text)?;
    let mut value: serde_json::Value = serde_json::from_slice(&text)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("id".to_owned(), listed.id.0.into());
        object.insert("sources".to_owned(), listed.sources.clone().into());
        object.insert("result".to_owned(), result(&listed.game).into());
    }
    Ok(value)
}
