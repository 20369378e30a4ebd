//! Lines of a book and of games.

use serde::Serialize;

use super::values::{ValuesJson, thousandths};
use crate::app::games::PopularLine;
use crate::app::{BookLine, DrawPosition, MoveKind};
use crate::files::games::{Asked, opening_of_line};
use crate::othello::board::Square;

/// One of the best lines from a position.
#[derive(Serialize, Debug)]
pub struct LineJson {
    /// Which of several positions it starts from.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// From the start, or from the board that was asked about, which then comes before it.
    line: String,
    /// From the position that was asked about.
    moves: String,
    name: Option<&'static str>,
    regret: f64,
    own_regret: f64,
    other_regret: f64,
    values: ValuesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_values: Option<ValuesJson>,
    /// Whether the last move leads to a position of the book, too.
    in_book: bool,
    over: bool,
}

impl LineJson {
    pub fn of(asked: &Asked, index: Option<usize>, line: &BookLine) -> Self {
        let whole = asked.line.then(&line.moves);
        Self {
            index,
            line: whole.whole_text(),
            moves: moves_text(&line.moves),
            name: opening_of_line(&whole),
            regret: line.regret().discs(),
            own_regret: line.own_regret.discs(),
            other_regret: line.other_regret.discs(),
            values: line.values.into(),
            searched_values: line.searched_values.map(ValuesJson::from),
            in_book: line.end == MoveKind::Link,
            over: line.end == MoveKind::Terminal,
        }
    }
}

/// One of the lines that are played most.
#[derive(Serialize, Debug)]
pub struct PopularLineJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    line: String,
    moves: String,
    name: Option<&'static str>,
    games: u64,
    fashion: f64,
}

impl PopularLineJson {
    pub fn of(asked: &Asked, index: Option<usize>, popular: &PopularLine) -> Self {
        let line = asked.line.then(&popular.moves);
        Self {
            index,
            line: line.whole_text(),
            moves: moves_text(&popular.moves),
            name: opening_of_line(&line),
            games: popular.games,
            fashion: thousandths(popular.fashion),
        }
    }
}

/// A position of the draw tree.
#[derive(Serialize, Debug)]
pub struct DrawJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    line: String,
    moves: String,
    name: Option<&'static str>,
    side: char,
    values: ValuesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_values: Option<ValuesJson>,
    proven: bool,
}

impl DrawJson {
    /// Of a position that is reached from what was asked for.
    pub fn of(asked: &Asked, index: Option<usize>, draw: &DrawPosition) -> Self {
        let whole = asked.line.then(&draw.moves);
        Self {
            index,
            line: whole.whole_text(),
            moves: moves_text(&draw.moves),
            name: opening_of_line(&whole),
            side: draw.side.letter(),
            values: draw.values.into(),
            searched_values: draw.searched_values.map(ValuesJson::from),
            proven: (draw.values.lower, draw.values.upper) == (0, 0),
        }
    }
}

/// Moves in one word.
pub fn moves_text(moves: &[Square]) -> String {
    moves.iter().map(Square::to_string).collect()
}
