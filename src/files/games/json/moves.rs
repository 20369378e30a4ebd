//! Moves in JSON: a text, or an array with a text, a number or an object for each.

use serde_json::{Map, Value};

use super::fields::as_text;
use crate::files::games::draft::MIRRORED;
use crate::files::games::remarks::{self, glyph, said};
use crate::files::games::replay::{Entry, replay};
use crate::othello::board::move_text::{read_moves, whole_move};
use crate::othello::board::{Placed, Played, Square, side_to_move};

/// Names of a move, of its time in milliseconds and of its side in an object, and of its two coordinates.
const MOVE: [&str; 12] = [
    "move",
    "m",
    "square",
    "sq",
    "coord",
    "coordinate",
    "coordinates",
    "pos",
    "position",
    "notation",
    "san",
    "at",
];
const TIME: [&str; 4] = ["milliseconds", "ms", "t", "time"];
const SIDE: [&str; 4] = ["color", "colour", "side", "player"];
const PAIRS: [(&str, &str); 5] =
    [("x", "y"), ("column", "row"), ("col", "row"), ("c", "r"), ("file", "rank")];

/// Names of what is said of a move in its object: words, a sign, and a value, of which it is not known for whom it is.
const WORDS: [&str; 5] = ["comment", "comments", "note", "remark", "text"];
const GLYPH: [&str; 5] = ["glyph", "glyphs", "nag", "nags", "symbol"];
const WORTH: [&str; 6] = ["eval", "evaluation", "value", "score", "disc_diff", "v"];

/// Names of other moves that are given.
const VARIATIONS: [&str; 4] = ["variations", "variation", "alternatives", "ravs"];

/// Names of the time that is left to a side.
const CLOCK: [&str; 3] = ["clock", "clk", "remaining"];

/// What the objects of moves say of them, each with the number of the object.
pub(super) fn remarks_in(value: &Value) -> Vec<(usize, remarks::Item)> {
    let objects = value.as_array().into_iter().flatten().filter(|item| !item.is_null()).zip(1..);
    let mut all = Vec::new();
    for (object, at) in objects {
        let texts = |names: &[&str]| -> Vec<String> {
            let values = names.iter().filter_map(|name| object.get(name));
            let each = values.flat_map(|value| match value {
                Value::Array(values) => values.iter().collect(),
                value => vec![value],
            });
            each.filter_map(as_text).map(Into::into).collect()
        };
        let glyphs = texts(&GLYPH).into_iter().map(|text| match text.parse::<u8>() {
            Ok(number) => glyph(&format!("${number}")),
            Err(_) => glyph(&text),
        });
        let worth = texts(&WORTH).into_iter().map(|worth| format!("eval {worth}"));
        let told = |name: &'static str, names: &[&str]| {
            texts(names).into_iter().map(move |text| format!("{name} {text}"))
        };
        let more = told("clock", &CLOCK).chain(told("depth", &["depth"]));
        let words = texts(&WORDS).into_iter().chain(worth).chain(more);
        let words = words.filter_map(|text| said(&text)).map(remarks::Item::Comment);
        let given = VARIATIONS.iter().filter_map(|name| object.get(name)).flat_map(variations);
        all.extend(glyphs.chain(words).chain(given).map(|item| (at, item)));
    }
    all
}

/// Lines of moves beside those of a game: a text or a list for each.
fn variations(value: &Value) -> Vec<remarks::Item> {
    let is_line = |item: &Value| item.as_str().is_some_and(is_move);
    let lines = match value {
        Value::Array(items) if !items.iter().all(is_line) => items.iter().collect(),
        line => vec![line],
    };
    let items = |line: &Value| -> Vec<remarks::Item> {
        let words: Vec<&str> = match line {
            Value::Array(moves) => moves.iter().filter_map(Value::as_str).collect(),
            line => line.as_str().unwrap_or_default().split_whitespace().collect(),
        };
        words.into_iter().flat_map(remarks::moves_of).collect()
    };
    let lines = lines.into_iter().map(items).filter(|items| !items.is_empty());
    lines.map(remarks::Item::Variation).collect()
}

/// A move as far as one alone can be read.
enum Item {
    Played(Vec<Entry>),
    /// The number of a square, in one of several ways of counting.
    Number(i64),
    /// A column and a row, from 0 or from 1 on.
    Pair(i64, i64),
}

/// Reads the value of a field of moves; none where it is something else.
pub(super) fn moves_in(value: &Value) -> Option<Vec<Entry>> {
    let items = match value {
        Value::String(text) => return Some(read_moves(text).map(Entry::from).collect()),
        Value::Array(items) => items,
        _ => return None,
    };
    let is_of = |is: fn(&Value) -> bool| items.iter().all(|item| is(item) || item.is_null());
    // Of a text and a number it is unknown what they mean.
    let are_alike = is_of(Value::is_string)
        || is_of(Value::is_number)
        || is_of(Value::is_object)
        || is_of(Value::is_array);
    let items = items.iter().filter(|_| are_alike).map(item).collect::<Option<Vec<Item>>>()?;
    let numbered = |one: fn(&Item) -> Option<Entry>| -> Option<Vec<Entry>> {
        let mut entries = Vec::new();
        for item in &items {
            match item {
                Item::Played(played) => entries.extend(played.iter().cloned()),
                other => entries.push(one(other)?),
            }
        }
        Some(entries)
    };
    let ways = [from_zero, in_tens, from_one];
    let mut read = ways.into_iter().filter_map(numbered).peekable();
    let first = read.peek().cloned().filter(|_| are_alike);
    // Which way of counting is meant shows when the moves are played.
    let can_be_played = |entries: &Vec<Entry>| {
        [Placed::START, MIRRORED].into_iter().any(|start| replay(start, entries).is_ok())
    };
    read.find(can_be_played).filter(|_| are_alike).or(first)
}

fn item(value: &Value) -> Option<Item> {
    match value {
        Value::Null => Some(Item::Played(Vec::new())),
        Value::String(text) => {
            Some(Item::Played(one_move(text).into_iter().map(Entry::from).collect()))
        }
        Value::Number(number) => number.as_i64().map(Item::Number),
        Value::Array(pair) => match &pair[..] {
            [Value::Number(column), Value::Number(row)] => {
                Some(Item::Pair(column.as_i64()?, row.as_i64()?))
            }
            // A move of each side.
            both if !both.is_empty()
                && both.iter().all(|text| text.as_str().is_some_and(is_move)) =>
            {
                let played = both.iter().filter_map(Value::as_str).flat_map(one_move);
                Some(Item::Played(played.map(Entry::from).collect()))
            }
            // `[move, time]` and the like: the move comes first.
            [first, ..] => item(first),
            [] => None,
        },
        Value::Object(object) => item_of(object),
        Value::Bool(_) => None,
    }
}

fn item_of(object: &Map<String, Value>) -> Option<Item> {
    let named = |names: &[&str]| names.iter().find_map(|name| object.get(*name));
    let numbers = || {
        PAIRS.iter().find_map(|(column, row)| {
            let number = |name: &str| object.get(name)?.as_i64();
            number(column).zip(number(row))
        })
    };
    let side = |name: &str| object.get(name).and_then(Value::as_str).filter(|text| is_move(text));
    if let Some(black) = side("black") {
        let played =
            one_move(black).into_iter().chain(side("white").into_iter().flat_map(one_move));
        return Some(Item::Played(played.map(Entry::from).collect()));
    }
    if object.get("pass").and_then(Value::as_bool) == Some(true) {
        return Some(Item::Played(vec![Played::Pass.into()]));
    }
    let Some(value) = named(&MOVE) else {
        return numbers().map(|(column, row)| Item::Pair(column, row));
    };
    // A fraction is of seconds.
    let time = named(&TIME).and_then(|time| match time.as_u64() {
        None => time.as_f64().filter(|time| *time >= 0.0).map(|time| (time * 1000.0) as u64),
        whole => whole,
    });
    let milliseconds = time.and_then(|time| u32::try_from(time).ok());
    let side = named(&SIDE).and_then(Value::as_str).and_then(side_to_move);
    Some(match item(value)? {
        Item::Played(mut played) => {
            if let [entry] = &mut played[..] {
                (entry.milliseconds, entry.side) = (milliseconds, side);
            }
            Item::Played(played)
        }
        other => other,
    })
}

fn is_move(text: &str) -> bool {
    !text.trim().is_empty() && whole_move(text).is_some()
}

/// What a text in an array of moves holds: mostly one.
fn one_move(text: &str) -> Vec<Played> {
    let text = text.trim();
    let one = Some(text).filter(|text| !text.is_empty()).and_then(whole_move);
    one.map_or_else(|| read_moves(text).collect(), |played| vec![played])
}

/// A square in its column and row, both from 0 on.
fn square_at(column: i64, row: i64) -> Option<Entry> {
    let inside = |number: i64| u8::try_from(number).ok().filter(|&number| number < 8);
    Square::try_new(inside(row)? * 8 + inside(column)?).map(Entry::from)
}

/// Squares from 0 on, row by row; no square is a pass.
fn from_zero(item: &Item) -> Option<Entry> {
    match *item {
        Item::Number(-1 | 64) => Some(Played::Pass.into()),
        Item::Number(number) => square_at(number.rem_euclid(8), number.div_euclid(8)),
        Item::Pair(-1, -1) => Some(Played::Pass.into()),
        Item::Pair(column, row) => square_at(column, row),
        Item::Played(_) => None,
    }
}

/// Squares from 1 on.
fn from_one(item: &Item) -> Option<Entry> {
    match *item {
        Item::Number(0) => Some(Played::Pass.into()),
        Item::Number(number) => from_zero(&Item::Number(number - 1)),
        Item::Pair(-1, -1) => Some(Played::Pass.into()),
        Item::Pair(column, row) => square_at(column - 1, row - 1),
        Item::Played(_) => None,
    }
}

/// Ten times the row and the column, as WTHOR has them.
fn in_tens(item: &Item) -> Option<Entry> {
    match *item {
        Item::Number(0 | -1) => Some(Played::Pass.into()),
        Item::Number(number) => square_at(number % 10 - 1, number / 10 - 1),
        Item::Pair(..) | Item::Played(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_text, refused};

    #[test]
    fn moves_are_texts_numbers_or_objects() {
        for moves in [
            r#"[{"move":"F5"},{"move":"D6","comment":"x"},{"move":"C3"}]"#,
            r#"[{"m":"f5","t":1200},{"m":"d6","t":900},{"m":"c3"}]"#,
            r#"[{"color":"black","square":"f5"},{"color":"white","square":"d6"},{"square":"c3"}]"#,
            "[37,43,18]",
            "[56,64,33]",
            "[38,44,19]",
            "[[5,4],[3,5],[2,2]]",
            "[[6,5],[4,6],[3,3]]",
            r#"[{"x":5,"y":4},{"x":3,"y":5},{"x":2,"y":2}]"#,
            r#"[{"row":5,"col":6},{"row":6,"col":4},{"row":3,"col":3}]"#,
            r#"[["f5",1200],["d6",900],["c3",1]]"#,
            r#"[["f5","d6"],["c3"]]"#,
            r#"[{"black":"f5","white":"d6"},{"black":"c3"}]"#,
        ] {
            let game = read_text(&format!("{{\"moves\":{moves}}}")).remove(0).game;
            assert_eq!(game.line().to_string(), "f5d6c3", "{moves}");
        }
        let game =
            read_text(r#"{"moves":[{"m":"f5","t":1200},{"m":"d6","t":900}]}"#).remove(0).game;
        assert_eq!(game.milliseconds, [1200, 900]);
        for moves in ["[37,\"d6\"]", "[true]", "[{\"what\":1}]", "[[]]"] {
            assert!(
                refused(&format!("{{\"moves\":{moves}}}")).contains("expected moves as a text")
            );
        }
    }
}
