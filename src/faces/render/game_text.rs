//! Facts of a game in few words.

use std::cmp::Ordering;

use crate::files::games::{Game, GameResult, Player, Stated, StatedScore};
use crate::othello::board::Side;

/// What is shown of a name that is not known.
const UNKNOWN: &str = "?";

pub fn name(player: &Player) -> &str {
    player.name.as_deref().unwrap_or(UNKNOWN)
}

/// What is shown of an unknown result.
const NO_RESULT: &str = "*";

/// How a game ended: `37-27`, by the board; `resigned` and the like by the header; `*` when
/// unknown.
pub fn result(game: &Game) -> String {
    stated_result(game).unwrap_or_else(|| NO_RESULT.to_owned())
}

/// The same; none when unknown.
pub fn stated_result(game: &Game) -> Option<String> {
    match game.result() {
        GameResult::Board(black) => Some(format!("{black}-{}", 64 - black)),
        GameResult::Awarded(stated) if is_of_nobody(stated) => stated.how.clone(),
        GameResult::Awarded(stated) => Some(Stated::to_string(stated)),
        GameResult::Unknown => None,
    }
}

/// The side that won, none of a draw; none at all when unknown.
pub fn winner(game: &Game) -> Option<Option<Side>> {
    match game.result() {
        GameResult::Board(black) => Some(match black.cmp(&32) {
            Ordering::Greater => Some(Side::Black),
            Ordering::Less => Some(Side::White),
            Ordering::Equal => None,
        }),
        GameResult::Awarded(stated) if is_of_nobody(stated) => None,
        GameResult::Awarded(stated) => stated.winner(),
        GameResult::Unknown => None,
    }
}

/// Whether neither side has a disc: so some write what they do not know.
fn is_of_nobody(stated: &Stated) -> bool {
    stated.score == Some(StatedScore::Discs { black: 0, white: 0 })
}

/// The day, as far as it is known.
pub fn day(game: &Game) -> String {
    game.date.map(|date| date.to_string()).unwrap_or_default()
}

/// The moves in one word.
pub fn moves(game: &Game) -> String {
    game.moves.iter().map(|square| square.to_string()).collect()
}
