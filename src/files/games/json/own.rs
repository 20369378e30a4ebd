//! Our own JSON Lines: an object a line that holds all of a game. What others write alike is read, too.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::fields::{Fields, as_text};
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, fact};
use crate::files::games::game::{Game, Player, Theoretical};
use crate::files::games::refused::{Note, Why};
use crate::files::games::start_board::start_board;
use crate::files::games::stated::{Stated, StatedScore};
use crate::files::games::writing::glued;
use crate::othello::board::Played;
use crate::othello::board::move_text::{read_moves, whole_move};
use crate::othello::one_line::one_line;

/// Names of the field of moves, ours first.
const MOVES: [&str; 5] = ["moves", "transcript", "kifu", "record", "game_moves"];

/// The other fields. What is in none of them is kept by its own name.
const FIELDS: [&str; 17] = [
    "source",
    "event",
    "round",
    "date",
    "black",
    "white",
    "black_rating",
    "white_rating",
    "start",
    "black_discs",
    "result",
    "theoretical",
    "theoretical_empties",
    "time_control",
    "milliseconds",
    "xot",
    "extra",
];

/// What our lists of games say besides, and a reader of the games finds out alone.
const OF_LISTS: [&str; 5] = ["id", "line", "name", "sources", "winner"];

/// Characters of the names of fields that are left out that are shown.
const MOST_TOLD: usize = 60;

/// A game as an object. Only the moves are needed.
#[derive(Serialize)]
struct Object {
    #[serde(skip_serializing_if = "String::is_empty")]
    source: String,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    theoretical: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theoretical_empties: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_control: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    milliseconds: Vec<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    xot: bool,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extra: BTreeMap<String, String>,
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

/// Whether an object holds moves in a field of their own.
pub(super) fn has_moves(value: &Value) -> bool {
    MOVES.iter().any(|name| value.get(name).is_some())
}

pub(super) fn read(place: Place, value: &Value) -> Result<Draft, Why> {
    let fields = Fields::of(value)?;
    let mut draft = Draft::new(place);
    let game = &mut draft.game;
    if let Some(start) = fields.text("start")? {
        game.start = start_board(&start, None)?;
    }
    game.source = fields.fact("source")?.unwrap_or_default();
    game.event = fields.fact("event")?;
    game.round = fields.fact("round")?;
    let date = fields.read("date", "a date as text, or seconds since 1970", date)?;
    game.black = player(&fields, "black", "black_rating")?;
    game.white = player(&fields, "white", "white_rating")?;
    game.stated = result(&fields)?;
    game.time_control = fields.fact("time_control")?;
    game.xot = fields.read("xot", "true or false", Value::as_bool)?.unwrap_or_default();
    // What the board says is found on the board.
    fields.small("black_discs")?;
    let theory = fields.small("theoretical")?.filter(|&discs| discs <= 64);
    game.theoretical = theory
        .zip(fields.small("theoretical_empties")?.filter(|&empties| empties <= 60))
        .map(|(black_discs, empties)| Theoretical { black_discs, empties });
    if let Some(date) = date {
        draft.set_date("date", &date);
    }
    let is_listed = fields.get("sources").is_some_and(Value::is_array);
    let is_other = |name: &str| {
        let is_own = FIELDS.contains(&name) || MOVES.contains(&name);
        !is_own && (!is_listed || !OF_LISTS.contains(&name))
    };
    let others = fields.others(is_other, &mut draft);
    let inside = fields.within("extra")?.map(|extra| extra.others(|_| true, &mut draft));
    let left_out = [others, inside.unwrap_or_default()].concat();
    if !left_out.is_empty() {
        let names = one_line(&left_out.join(", "), MOST_TOLD);
        draft.notes.push(Note::Tag(names));
    }
    moves(&fields)?.into_iter().for_each(|played| draft.push(played));
    // Times are of moves; passes are not written.
    let times = fields.read("milliseconds", "an array of whole numbers", milliseconds)?;
    for (entry, milliseconds) in draft.entries.iter_mut().zip(times.unwrap_or_default()) {
        entry.milliseconds = Some(milliseconds);
    }
    Ok(draft)
}

/// A player: the name, or an object that may hold the rating, too.
fn player(fields: &Fields<'_>, name: &str, rating: &str) -> Result<Player, Why> {
    let mut player = Player { name: None, rating: fields.rating(rating)? };
    if fields.get(name).is_some_and(Value::is_object) {
        let inside = fields.within(name)?;
        if let Some(inside) = inside {
            player.name = inside.fact("name")?;
            player.rating = player.rating.or(inside.rating("rating")?);
        }
    } else {
        let text = fields.read(name, "a name, or an object with one", as_text)?;
        player.name = text.as_deref().and_then(fact);
    }
    Ok(player)
}

/// The result: a number is how many discs more Black has, where it has a sign.
fn result(fields: &Fields<'_>) -> Result<Option<Stated>, Why> {
    let text = fields.fact("result")?;
    let is_number = fields.get("result").is_some_and(Value::is_number);
    let number = text.as_deref().filter(|_| is_number).and_then(|text| text.parse::<f64>().ok());
    Ok(match number.filter(|number| (-64.0..0.0).contains(number)) {
        Some(number) => Some(Stated::score(StatedScore::Difference(number))),
        None => text.and_then(|result| Stated::read_told(&result)),
    })
}

fn date(value: &Value) -> Option<String> {
    let digits = || value.as_i64().map(|number| number.to_string());
    value.as_str().map(str::to_owned).or_else(digits)
}

fn milliseconds(value: &Value) -> Option<Vec<u32>> {
    value.as_array()?.iter().map(|time| u32::try_from(time.as_u64()?).ok()).collect()
}

/// The moves: a text, or an array with a text for each.
fn moves(fields: &Fields<'_>) -> Result<Vec<Played>, Why> {
    let name = MOVES.into_iter().find(|name| fields.get(name).is_some()).unwrap_or(MOVES[0]);
    let moves = fields.read(name, "moves as a text, or as an array of texts", |value| {
        if let Some(text) = value.as_str() {
            return Some(read_moves(text).collect());
        }
        let texts: Option<Vec<&str>> = value.as_array()?.iter().map(Value::as_str).collect();
        Some(texts?.into_iter().flat_map(one_move).collect())
    })?;
    moves.ok_or_else(|| fields.wrong(name, "moves as a text, or as an array of texts"))
}

/// What a text in an array of moves holds: mostly one.
fn one_move(text: &str) -> Vec<Played> {
    let text = text.trim();
    let one = Some(text).filter(|text| !text.is_empty()).and_then(whole_move);
    one.map_or_else(|| read_moves(text).collect(), |played| vec![played])
}

#[cfg(test)]
mod tests {
    use crate::files::games::Date;
    use crate::files::games::testing::{read_text, refused};

    #[test]
    fn reads_what_others_write_alike() {
        for moves in [
            r#""moves":"f5d6c3""#,
            r#""transcript":"F5 D6 C3""#,
            r#""kifu":"f5d6c3","moves":null"#,
            r#""record":"1. f5 d6 2. c3""#,
            r#""game_moves":"f5d6c3""#,
            r#""moves":["f5","D6","c3"]"#,
            r#""moves":["f5"," d6 ","","c3"],"kifu":5"#,
        ] {
            let game = read_text(&format!("{{{moves}}}")).remove(0).game;
            assert_eq!(game.line().to_string(), "f5d6c3", "{moves}");
        }
        // After these moves Black has none.
        for pass in ["--", "pass", "PA", "-"] {
            let moves = format!("c4 c3 e6 b4 a4 a5 b2 a3 {pass} f4").replace(' ', "\",\"");
            let game = read_text(&format!("{{\"moves\":[\"{moves}\"]}}")).remove(0).game;
            assert_eq!(game.moves.len(), 9, "{pass}");
        }
    }

    #[test]
    fn reads_players_and_dates_of_others() {
        for (facts, name, rating, date) in [
            (
                r#""black":"one","black_rating":1500,"date":"2006-05-28""#,
                "one",
                1500.0,
                "2006-05-28",
            ),
            (
                r#""black":{"name":"one","rating":1500.5},"date":940607137"#,
                "one",
                1500.5,
                "1999-10-22",
            ),
            (
                r#""black":{"name":" one","x":[]},"black_rating":9,"date":1615493610123"#,
                "one",
                9.0,
                "2021-03-11",
            ),
        ] {
            let game = read_text(&format!("{{{facts},\"moves\":\"f5\"}}")).remove(0).game;
            assert_eq!((game.black.name.as_deref(), game.black.rating), (Some(name), Some(rating)));
            assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some(date), "{facts}");
        }
    }

    #[test]
    fn texts_may_be_numbers_and_other_fields_are_kept() {
        let text = r#"{"round":3,"event":12,"time_control":300,"black":7,"black_rating":"1500",
            "white_rating":"?","rated":true,"white":"two","moves":"f5d6","tags":["x"],"meta":{"y":1},
            "extra":{"a":1,"b":[2]},"site":null}"#;
        let read = read_text(text).remove(0);
        let game = &read.game;
        let texts = [&game.round, &game.event, &game.time_control, &game.black.name];
        assert_eq!(texts.map(Option::as_deref), ["3", "12", "300", "7"].map(Some));
        assert_eq!((game.black.rating, game.white.rating), (Some(1500.0), None));
        let extra: Vec<_> =
            game.extra.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(extra, ["a=1", "rated=true"]);
        let told: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        for name in ["tags", "meta", "extra.b"] {
            assert!(told[0].contains(name), "{told:?}");
        }
    }

    #[test]
    fn a_game_of_our_lists_comes_back_as_it_was() {
        let text = r#"{"black":"Ann","extra":{"Site":"x"},"id":3,"moves":"f5d6","name":"Perpendicular",
            "result":"40-24","line":"f5d6","source":"a.pgn","sources":["a.pgn","b.pgn"],"winner":"black"}"#;
        let read = read_text(text).remove(0);
        let extra: Vec<_> = read.game.extra.keys().map(String::as_str).collect();
        assert_eq!((extra, read.notes.len()), (vec!["Site"], 0));
        // The meaning of others is not known.
        let read = read_text(r#"{"moves":"f5d6","id":3,"winner":"Ann"}"#).remove(0);
        assert_eq!(read.game.extra.len(), 2);
    }

    #[test]
    fn a_result_may_be_a_number() {
        for (result, stated) in [("-12", Some("-12")), ("\"+12\"", Some("+12"))] {
            let text = format!("{{\"result\":{result},\"moves\":\"f5\"}}");
            let game = read_text(&text).remove(0).game;
            assert_eq!(game.stated.map(|stated| stated.to_string()).as_deref(), stated, "{text}");
        }
        // Discs, or how many more they are: not known for a game that was broken off.
        let read = read_text("{\"result\":26,\"moves\":\"f5\"}").remove(0);
        assert_eq!((read.game.stated, read.notes.len()), (None, 1));
    }

    #[test]
    fn a_date_that_is_none_is_told() {
        let read =
            |date: &str| read_text(&format!("{{\"date\":{date},\"moves\":\"f5\"}}")).remove(0);
        for date in ["2006-13-40", "2006-02-30"] {
            let game = read(&format!("\"{date}\""));
            assert_eq!(game.game.date.and_then(Date::day), None, "{date}");
            let told: Vec<String> = game.notes.iter().map(ToString::to_string).collect();
            assert_eq!(told, [format!("an unreadable tag is left out: date \"{date}\"")]);
        }
        for date in ["\"?\"", "\"2004-02-29 20:52:27\"", "\"\"", "940607137"] {
            assert!(read(date).notes.is_empty(), "{date}");
        }
        assert_eq!(read("\"last summer\"").game.extra["Date"], "last summer");
    }

    #[test]
    fn a_rating_that_nobody_has_is_none_however_it_is_written() {
        for rating in ["1e300", "-5", "1000000", "\"?\""] {
            let text =
                format!("{{\"moves\":\"f5\",\"black_rating\":{rating},\"white_rating\":999.5}}");
            let game = read_text(&text).remove(0).game;
            assert_eq!((game.black.rating, game.white.rating), (None, Some(999.5)), "{rating}");
        }
    }

    #[test]
    fn a_field_of_another_type_is_named() {
        for (field, expected) in [
            ("moves: null", "moves as a text, or as an array of texts"),
            ("moves: [\"f5\",5]", "moves as a text, or as an array of texts"),
            ("kifu: 5", "moves as a text, or as an array of texts"),
            ("black: [5]", "a name, or an object with one"),
            ("black: {\"name\":[]}", "a text"),
            ("white: {\"rating\":\"high\"}", "a number"),
            ("white_rating: \"high\"", "a number"),
            ("date: 1.5", "a date as text, or seconds since 1970"),
            ("event: [\"x\"]", "a text"),
            ("xot: 1", "true or false"),
            ("theoretical: -1", "a whole number 0..=255"),
            ("milliseconds: [1,-1]", "an array of whole numbers"),
            ("extra: \"x\"", "an object"),
        ] {
            let (name, value) = field.split_once(": ").unwrap();
            let moves = if name == "moves" || name == "kifu" { "" } else { ",\"moves\":\"f5\"" };
            let found = refused(&format!("{{\"{name}\":{value}{moves}}}"));
            let inside = value.strip_prefix('{').and_then(|value| value.strip_suffix('}'));
            let told = inside.map_or_else(
                || field.to_owned(),
                |inside| format!("{name}.{}", inside.replacen("\":", ": ", 1).replacen('"', "", 1)),
            );
            assert_eq!(found, format!("test:1 (game 1): found \"{told}\", expected {expected}"));
        }
    }
}
