//! A game of the database, and a player.

use std::io;

use serde::Serialize;
use serde_json::Value;

use crate::app::games::{GamePlayer, ListedGame};
use crate::app::json::object;
use crate::faces::render::game_text::{result, winner};
use crate::files::games::{Game, GameFormat, opening_of_line, remarked_moves, write};
use crate::othello::board::Side;

/// A game as our JSON Lines have it, with its result in words.
///
/// # Errors
/// It cannot be written as JSON: never for a game that was read.
pub fn game_json(game: &Game) -> Result<Value, io::Error> {
    let mut text = Vec::new();
    write(GameFormat::Json, [game], &mut text)?;
    let mut value: Value = serde_json::from_slice(&text)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("result".to_owned(), result(game).into());
    }
    Ok(value)
}

/// A game of the database, with its number, its sources, its line to be given back, the name of its opening and the
/// winner.
pub fn listed_json(listed: &ListedGame) -> Result<Value, io::Error> {
    let mut value = game_json(&listed.game)?;
    if let Some(object) = value.as_object_mut() {
        object.insert("id".to_owned(), listed.id.0.into());
        object.insert("sources".to_owned(), listed.game.sources().cloned().collect());
        object.insert("line".to_owned(), listed.game.line().whole_text().into());
        object.insert("name".to_owned(), opening_of_line(&listed.game.line()).into());
        let winner = winner(&listed.game).map(|side| match side {
            Some(Side::Black) => "black",
            Some(Side::White) => "white",
            None => "draw",
        });
        object.insert("winner".to_owned(), winner.into());
        // What is said of its moves, to be read.
        let said = remarked_moves(&listed.game);
        if !said.is_empty() {
            object.insert("remarked".to_owned(), said.into());
        }
    }
    Ok(value)
}

/// A player that was found by the name, and in how many games.
pub(crate) fn found_player_json((player, games): &(GamePlayer, u64)) -> impl Serialize + use<> {
    object! { name: player.name.clone(), games: *games, program: player.program }
}
