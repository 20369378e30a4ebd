//! The messages at a table as JSON, each an object.

use serde::Serialize;

use crate::app::Values;
use crate::app::player::{BookHint, Choice, Clock, GameInPlay, Reason};
use crate::faces::render::json::{PositionJson, ValuesJson, hundredths};
use crate::files::games::opening_of_line;
use crate::othello::board::{Line, Side};
use crate::othello::score::Score;
use crate::othello::search::{MoveScore, Proof, Selectivity};

/// One of the messages; `kind` says which.
#[derive(Serialize, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Told {
    /// The board when the user has to type, and when the game is over.
    Position(At),
    /// A move of either side.
    Move(Played),
    /// A side that has no move passes, by itself.
    Pass { side: char },
    /// A move that was asked for as a hint: those of the book first, then searched ones.
    Hint(Hinted),
    /// How a game ended.
    Result {
        result: String,
        /// Black's discs, with the empty squares to the winner.
        black_discs: i16,
        line: String,
    },
    /// Games were kept.
    Saved { file: String, games: u64 },
    /// A new game begins.
    New,
    /// Something else that a player may want to know.
    Note { note: String },
    /// What was typed cannot be done, and why.
    Refused { what: String },
}

/// A board, and the players at it.
#[derive(Serialize, Debug)]
pub(super) struct At {
    line: String,
    name: Option<&'static str>,
    position: PositionJson,
    over: bool,
    players: Players,
    /// On the clocks; none where there are none.
    seconds_left: Option<SecondsLeft>,
}

#[derive(Serialize, Debug)]
struct Players {
    black: String,
    white: String,
}

#[derive(Serialize, Debug)]
struct SecondsLeft {
    black: f64,
    white: f64,
}

impl At {
    /// A game, with the players of Black and White and their clocks.
    pub(super) fn of(game: &GameInPlay, who: [String; 2], clocks: [Option<Clock>; 2]) -> Self {
        let line = game.line();
        let ([black, white], seconds) =
            (who, clocks.map(|clock| Some(hundredths(clock?.left().as_secs_f64()))));
        Self {
            line: line.whole_text(),
            name: opening_of_line(&line),
            position: game.now().into(),
            over: game.is_over(),
            players: Players { black, white },
            seconds_left: match seconds {
                [Some(black), Some(white)] => Some(SecondsLeft { black, white }),
                _ => None,
            },
        }
    }
}

/// A move that was played.
#[derive(Serialize, Debug)]
pub(super) struct Played {
    /// The number of the move in the game.
    ply: usize,
    side: char,
    #[serde(rename = "move")]
    square: Option<String>,
    line: String,
    name: Option<&'static str>,
    /// The player: "you" or "rosebill".
    by: &'static str,
    #[serde(flatten)]
    worth: Worth,
}

impl Played {
    /// The last move of a line; `choice` is rosebill's, with the games in which the move was played.
    pub(super) fn last_of(line: &Line, side: Side, choice: Option<(&Choice, Option<u64>)>) -> Self {
        let worth = choice.map(|(choice, games)| Worth { games, ..Worth::of(&choice.reason) });
        Self {
            ply: line.len(),
            side: side.letter(),
            square: line.squares().last().map(|square| square.to_string()),
            line: line.whole_text(),
            name: opening_of_line(line),
            by: if choice.is_some() { "rosebill" } else { "you" },
            worth: worth.unwrap_or_default(),
        }
    }
}

/// A move that may be played.
#[derive(Serialize, Debug)]
pub(super) struct Hinted {
    #[serde(rename = "move")]
    square: String,
    #[serde(flatten)]
    worth: Worth,
}

impl From<&BookHint> for Hinted {
    fn from(hint: &BookHint) -> Self {
        let BookHint { found, values, games, .. } = hint;
        Self {
            square: found.square.to_string(),
            worth: Worth {
                known: Some("book"),
                values: Some((*values).into()),
                depth: found.searched.map(|searched| searched.depth),
                selectivity: found.searched.map(|searched| searched.selectivity.percent()),
                games: Some(*games),
            },
        }
    }
}

impl From<&MoveScore> for Hinted {
    fn from(found: &MoveScore) -> Self {
        let MoveScore { square, value, proof, depth, selectivity, .. } = *found;
        Self {
            square: square.to_string(),
            worth: Worth::searched(value, proof, depth, selectivity),
        }
    }
}

/// What is known of a move, for the side that makes it.
#[derive(Serialize, Default, Debug)]
struct Worth {
    /// Where from: "book", "search", or "only" where there is no other move.
    known: Option<&'static str>,
    values: Option<ValuesJson>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    /// In how many games the move of the book was played.
    games: Option<u64>,
}

impl Worth {
    fn of(reason: &Reason) -> Self {
        match reason {
            Reason::Pass => Self::default(),
            Reason::Only => Self { known: Some("only"), ..Self::default() },
            Reason::Book(values) => {
                Self { known: Some("book"), values: Some((*values).into()), ..Self::default() }
            }
            Reason::Searched(found) => {
                Self::searched(found.value, found.proof, found.depth, found.selectivity)
            }
        }
    }

    fn searched(value: Score, proof: Proof, depth: u8, selectivity: Selectivity) -> Self {
        Self {
            known: Some("search"),
            values: Some(Values::of_search(value, proof).into()),
            depth: Some(depth),
            selectivity: Some(selectivity.percent()),
            games: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_says_what_it_is() {
        let told = [
            (Told::Pass { side: 'X' }, r#"{"kind":"pass","side":"X"}"#),
            (Told::Refused { what: "no".to_owned() }, r#"{"kind":"refused","what":"no"}"#),
            (Told::New, r#"{"kind":"new"}"#),
        ];
        for (told, json) in told {
            assert_eq!(serde_json::to_string(&told).unwrap(), json);
        }
    }
}
