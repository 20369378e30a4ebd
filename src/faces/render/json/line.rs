//! Lines of a book and of games. `index` is which of several positions they start from; `line` begins at the start,
//! or with the board that was asked about, and `continuation` at the position that was asked about.

use serde::Serialize;

use crate::app::games::PopularLine;
use crate::app::json::{moves_text, object, thousandths};
use crate::app::{BookLine, DrawPosition, MoveKind};
use crate::files::games::{Asked, opening_of_line};

/// One of the best lines from a position.
pub fn line_json(asked: &Asked, index: Option<usize>, line: &BookLine) -> impl Serialize + use<> {
    let whole = asked.line.then(&line.moves);
    object! {
        index?: index,
        line: whole.whole_text(),
        continuation: moves_text(&line.moves),
        name: opening_of_line(&whole),
        regret: line.regret(),
        own_regret: line.own_regret,
        other_regret: line.other_regret,
        values: line.values,
        searched_values?: line.searched_values,
        // Whether the last move leads to a position of the book, too.
        in_book: line.end == MoveKind::Link,
        over: line.end == MoveKind::Terminal,
    }
}

/// One of the lines that are played most.
pub fn popular_line_json(
    asked: &Asked,
    index: Option<usize>,
    popular: &PopularLine,
) -> impl Serialize + use<> {
    let line = asked.line.then(&popular.moves);
    object! {
        index?: index,
        line: line.whole_text(),
        continuation: moves_text(&popular.moves),
        name: opening_of_line(&line),
        games: popular.games,
        fashion: thousandths(popular.fashion),
    }
}

/// A position of the draw tree, which is reached from what was asked for.
pub fn draw_json(
    asked: &Asked,
    index: Option<usize>,
    draw: &DrawPosition,
) -> impl Serialize + use<> {
    let whole = asked.line.then(&draw.moves);
    object! {
        index?: index,
        line: whole.whole_text(),
        continuation: moves_text(&draw.moves),
        name: opening_of_line(&whole),
        side: draw.side,
        values: draw.values,
        searched_values?: draw.searched_values,
        proven: (draw.values.lower, draw.values.upper) == (0, 0),
    }
}
