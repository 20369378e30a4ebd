//! Our own JSON Lines: an object a line that holds all of a game.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::files::games::game::Game;
use crate::files::games::remarks::Remarks;
use crate::files::games::stated::Stated;
use crate::files::games::writing::glued;
use crate::othello::board::Side;

/// A game as an object. Only the moves are needed.
#[derive(Serialize)]
struct Object {
    #[serde(skip_serializing_if = "String::is_empty")]
    source: String,
    /// That one and all others that have the game, where there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black_rating: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_rating: Option<f64>,
    /// 64 squares and the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: String,
    /// What the board says; found from the moves when it is read again.
    #[serde(skip_serializing_if = "Option::is_none")]
    black_discs: Option<u8>,
    /// What the header says.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// The same in one way for all games, by the board or else by the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Ended>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theoretical: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theoretical_empties: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_control: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    milliseconds: Vec<u32>,
    #[serde(skip_serializing_if = "Remarks::is_empty")]
    remarks: Remarks,
    #[serde(skip_serializing_if = "Option::is_none")]
    xot: Option<bool>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extra: BTreeMap<String, String>,
}

/// How a game ended. It follows from the rest of an object, and a reader passes it over.
#[derive(Serialize)]
struct Ended {
    /// `black`, `draw` or `white`.
    winner: &'static str,
    /// Discs, with the empties to the winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<u8>,
}

impl Ended {
    fn of(game: &Game) -> Option<Self> {
        let stated = game.stated.as_ref();
        let black = game.black_discs.or_else(|| stated.and_then(Stated::black_discs));
        let winner = match (black, stated.and_then(Stated::winner)) {
            (Some(33..), _) | (None, Some(Some(Side::Black))) => Some("black"),
            (Some(32), _) | (None, Some(None)) => Some("draw"),
            (Some(_), _) | (None, Some(Some(Side::White))) => Some("white"),
            (None, None) => None,
        };
        let white = black.map(|black| 64 - black);
        winner.map(|winner| Self { winner, black, white })
    }
}

/// A game as an object on a line.
pub(in crate::files::games) fn write_json(
    game: &Game,
    text: &mut String,
) -> serde_json::Result<()> {
    let start =
        (!game.is_from_the_start()).then(|| game.start.position.board_text(game.start.side));
    let object = Object {
        source: game.source.clone(),
        sources: if game.also_in.is_empty() {
            Vec::new()
        } else {
            game.sources().cloned().collect()
        },
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
        ended: Ended::of(game),
        theoretical: game.theoretical.map(|theory| theory.black_discs),
        theoretical_empties: game.theoretical.map(|theory| theory.empties),
        time_control: game.time_control.clone(),
        milliseconds: game.milliseconds.clone(),
        remarks: game.remarks.clone(),
        xot: game.told_xot(),
        extra: game.extra.clone(),
    };
    text.push_str(&serde_json::to_string(&object)?);
    text.push('\n');
    Ok(())
}
