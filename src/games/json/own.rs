//! Our own JSON Lines: an object a line that holds all of a game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::board::parse_board;
use crate::games::date::Date;
use crate::games::defect::{Place, Why};
use crate::games::draft::{Draft, fact};
use crate::games::game::{Game, Player, Theoretical};
use crate::games::move_text::read_moves;
use crate::games::stated::Stated;
use crate::games::writing::glued;

/// A game as an object. Only the moves are needed.
#[derive(Serialize, Deserialize)]
struct Object {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    round: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black_rating: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    white_rating: Option<f64>,
    /// 64 squares and the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: String,
    /// What the board says; found from the moves when it is read again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black_discs: Option<u8>,
    /// What the header says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    theoretical: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    theoretical_empties: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_control: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    milliseconds: Vec<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    xot: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    extra: BTreeMap<String, String>,
}

/// A game as an object on a line.
pub(in crate::games) fn write_json(game: &Game, text: &mut String) -> serde_json::Result<()> {
    let start =
        (!game.is_from_the_start()).then(|| game.start.position.board_text(game.start.side));
    let object = Object {
        source: game.source.clone(),
        event: game.event.clone(),
        round: game.round.clone(),
        date: game.date.map(|date| date.to_string()),
        black: game.black.name.clone(),
        white: game.white.name.clone(),
        black_rating: game.black.rating,
        white_rating: game.white.rating,
        start,
        moves: glued(game),
        black_discs: game.black_discs,
        result: game.stated.as_ref().map(ToString::to_string),
        theoretical: game.theoretical.map(|theory| theory.black_discs),
        theoretical_empties: game.theoretical.map(|theory| theory.empties),
        time_control: game.time_control.clone(),
        milliseconds: game.milliseconds.clone(),
        xot: game.xot,
        extra: game.extra.clone(),
    };
    text.push_str(&serde_json::to_string(&object)?);
    text.push('\n');
    Ok(())
}

/// Reads an object.
pub(super) fn read(place: Place, value: Value) -> Result<Draft, Why> {
    let object: Object = serde_json::from_value(value)
        .map_err(|error| Why::content(&error.to_string(), "a game of our own"))?;
    let mut draft = Draft::new(place);
    let text = |value: Option<String>| value.and_then(|value| fact(&value));
    let rating = |value: Option<f64>| value.filter(|value| value.is_finite());
    let game = &mut draft.game;
    if let Some(start) = object.start {
        game.start = parse_board(&start).map_err(|error| Why::start(&error.to_string()))?;
    }
    game.source = fact(&object.source).unwrap_or_default();
    game.event = text(object.event);
    game.round = text(object.round);
    game.date = object.date.and_then(|date| Some(Date::read(&date)?.0));
    game.black = Player { name: text(object.black), rating: rating(object.black_rating) };
    game.white = Player { name: text(object.white), rating: rating(object.white_rating) };
    game.stated = text(object.result).and_then(|result| Stated::read_shown(&result));
    game.time_control = text(object.time_control);
    game.xot = object.xot;
    let theory = object.theoretical.filter(|&discs| discs <= 64);
    game.theoretical = theory
        .zip(object.theoretical_empties.filter(|&empties| empties <= 60))
        .map(|(black_discs, empties)| Theoretical { black_discs, empties });
    object.extra.iter().for_each(|(name, value)| game.set_extra(name, value));
    read_moves(&object.moves).for_each(|played| draft.push(played));
    // Times are of moves; passes are not written.
    for (entry, milliseconds) in draft.entries.iter_mut().zip(object.milliseconds) {
        entry.milliseconds = Some(milliseconds);
    }
    Ok(draft)
}
