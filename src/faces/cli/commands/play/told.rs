//! The messages at a table as JSON, each an object whose `kind` says what it is.

use serde::Serialize;

use crate::app::Values;
use crate::app::json::{hundredths, object};
use crate::app::player::{BookHint, Choice, Clock, GameInPlay, Reason};
use crate::faces::render::play;
use crate::files::games::opening_of_line;
use crate::othello::board::{Line, Side, Square};
use crate::othello::score::Score;
use crate::othello::search::{MoveScore, Proof, Selectivity};

/// The board when the user has to type, and when the game is over, with the players of Black and White and their
/// clocks.
pub(super) fn position_json(
    game: &GameInPlay,
    [black, white]: [String; 2],
    clocks: [Option<Clock>; 2],
) -> impl Serialize + use<> {
    let line = game.line();
    let left = match clocks.map(|clock| Some(hundredths(clock?.left().as_secs_f64()))) {
        [Some(black), Some(white)] => Some(object! { black, white }),
        _ => None,
    };
    object! {
        kind: "position",
        line: line.whole_text(),
        name: opening_of_line(&line),
        position: game.now(),
        over: game.is_over(),
        players: object! { black, white },
        // On the clocks; none where there are none.
        seconds_left: left,
    }
}

/// The last move of a line; `choice` is rosebill's, with the games in which the move was played.
pub(super) fn move_json(
    line: &Line,
    side: Side,
    choice: Option<(&Choice, Option<u64>)>,
) -> impl Serialize + use<> {
    let worth = choice.map(|(choice, games)| Worth { games, ..Worth::of(&choice.reason) });
    object! {
        kind: "move",
        ply: line.len(),
        side,
        r#move: line.squares().last(),
        line: line.whole_text(),
        name: opening_of_line(line),
        by: if choice.is_some() { "rosebill" } else { "you" },
        ..worth: worth.unwrap_or_default(),
    }
}

/// A move that was asked for as a hint, with what is expected behind it: those of the book first, then searched ones.
pub(super) fn hint_json(square: Square, line: &[Square], worth: Worth) -> impl Serialize {
    object! { kind: "hint", r#move: square, best_line: play(line), ..worth: worth }
}

/// What is known of a move, for the side that makes it.
#[derive(Serialize, Default, Debug)]
pub(super) struct Worth {
    /// Where from: "book", "search", or "only" where there is no other move.
    known_by: Option<&'static str>,
    values: Option<Values>,
    depth: Option<u8>,
    selectivity: Option<Selectivity>,
    /// In how many games the move of the book was played.
    games: Option<u64>,
}

impl Worth {
    fn of(reason: &Reason) -> Self {
        match reason {
            Reason::Pass => Self::default(),
            Reason::Only => Self { known_by: Some("only"), ..Self::default() },
            Reason::Book(values) => {
                Self { known_by: Some("book"), values: Some(*values), ..Self::default() }
            }
            Reason::Searched(found) => {
                Self::searched(found.value, found.proof, found.depth, found.selectivity)
            }
        }
    }

    fn searched(value: Score, proof: Proof, depth: u8, selectivity: Selectivity) -> Self {
        Self {
            known_by: Some("search"),
            values: Some(Values::of_search(value, proof)),
            depth: Some(depth),
            selectivity: Some(selectivity),
            games: None,
        }
    }
}

impl From<&MoveScore> for Worth {
    fn from(found: &MoveScore) -> Self {
        Self::searched(found.value, found.proof, found.depth, found.selectivity)
    }
}

impl From<&BookHint> for Worth {
    fn from(BookHint { found, values, games, .. }: &BookHint) -> Self {
        Self {
            known_by: Some("book"),
            values: Some(*values),
            depth: found.searched.map(|searched| searched.depth),
            selectivity: found.searched.map(|searched| searched.selectivity),
            games: Some(*games),
        }
    }
}
