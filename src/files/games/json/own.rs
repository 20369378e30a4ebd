//! Reads objects that hold all of a game: our own, and what others write alike.

use serde::Deserialize;
use serde_json::Value;

use super::fields::{Fields, as_text, parts};
use super::moves::{moves_in, remarks_in};
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, fact};
use crate::files::games::refused::{Note, Why};
use crate::files::games::remarks::Remarks;
use crate::files::games::replay::Entry;
use crate::files::games::said::side_of;
use crate::files::games::stated::{Stated, StatedScore};
use crate::files::games::vocabulary::{Key, Label, label_key, place_among_moves};
use crate::othello::board::move_text::squares_in;
use crate::othello::board::{Side, read_board};
use crate::othello::one_line::one_line;

/// What our lists of games say besides, and a reader of the games finds out alone.
const OF_LISTS: [&str; 5] = ["id", "line", "name", "remarked", "winner"];

/// Characters of the names of fields that are left out that are shown.
const MOST_TOLD: usize = 60;

/// The field of moves; of several the one whose name is likeliest that of moves.
fn field_of_moves<'a>(fields: &Fields<'a>) -> Option<&'a str> {
    let named = fields.names().filter(|name| fields.get(name).is_some());
    let named = named.filter_map(|name| Some((place_among_moves(name)?, name)));
    named.min().map(|(_, name)| name)
}

/// Whether an object holds moves in a field of their own.
pub(super) fn has_moves(value: &Value) -> bool {
    Fields::of(value).is_ok_and(|fields| {
        fields.get("moves").is_some()
            || fields.names().any(|name| place_among_moves(name).is_some())
    })
}

/// What an object around games may say for all of them.
const OF_ALL: [Label; 6] =
    [Label::Event, Label::Round, Label::Date, Label::Year, Label::Site, Label::TimeControl];

/// Gives a game what the object around it says of all its games, but for what it says itself.
pub(super) fn complete(game: &mut Value, outer: &Value) {
    let (Some(game), Some(outer)) = (game.as_object_mut(), outer.as_object()) else { return };
    let known: Vec<Label> = game.keys().filter_map(|name| Key::of(name).label()).collect();
    for (name, value) in outer {
        let is_of_all = |label| OF_ALL.contains(&label) && !known.contains(&label);
        if Key::of(name).label().is_some_and(is_of_all) && as_text(value).is_some() {
            game.insert(name.clone(), value.clone());
        }
    }
}

pub(super) fn read(place: Place, value: &Value) -> Result<Draft, Why> {
    let fields = Fields::of(value)?;
    let mut draft = Draft::new(place);
    let moves = field_of_moves(&fields);
    let is_listed = fields.get("sources").is_some_and(Value::is_array);
    let (mut left_out, mut also_in) = (Vec::new(), Vec::new());
    for name in fields.names().filter(|name| fields.get(name).is_some() && Some(*name) != moves) {
        let key = Key::of(name);
        match (name, key.label()) {
            ("source", _) => draft.game.source = fields.fact(name)?.unwrap_or_default(),
            // Times are of moves, which come last.
            ("milliseconds", _) => {}
            ("extra", _) => {
                let inside = fields.within(name)?;
                left_out.extend(inside.map(|extra| extra.others(&mut draft)).unwrap_or_default());
            }
            ("remarks", _) if let Some(remarks) = fields.get(name).and_then(remarks) => {
                draft.game.remarks = remarks;
            }
            ("ended", _) if fields.get(name).is_some_and(Value::is_object) => {}
            ("sources", _) if is_listed => {
                let sources = fields.get(name).and_then(Value::as_array).into_iter().flatten();
                also_in.extend(sources.filter_map(|name| fact(name.as_str()?)));
            }
            (name, _) if is_listed && OF_LISTS.contains(&name) => {}
            (_, Some(label)) => {
                if !take(&fields, &key, name, label, &mut draft)?
                    && !keep_parts(&fields, name, &mut draft)
                {
                    left_out.push(name.to_owned());
                }
            }
            (_, None) => match fields.get(name).and_then(as_text) {
                Some(text) => draft.say_as(&key, name, &text),
                None if HEADERS.contains(&name.to_lowercase().as_str())
                    && let Some(Ok(inside)) = fields.get(name).map(Fields::of) =>
                {
                    left_out.extend(header(&inside, &mut draft)?);
                }
                None => match fields.get(name).filter(|value| is_of_squares(value)).and_then(board)
                {
                    Some(text) if read_board(&text).is_ok() => draft.say_as(&key, name, &text),
                    _ if keep_parts(&fields, name, &mut draft) => {}
                    _ => left_out.push(name.to_owned()),
                },
            },
        }
    }
    also_in.retain(|name| *name != draft.game.source);
    draft.game.also_in = also_in;
    if !left_out.is_empty() {
        let names = one_line(&left_out.join(", "), MOST_TOLD);
        draft.notes.push(Note::Tag(names));
    }
    entries(&fields, moves.unwrap_or("moves"))?.into_iter().for_each(|entry| draft.push(entry));
    if let Some(value) = moves.and_then(|name| fields.get(name)) {
        draft.say_of_moves(remarks_in(value));
    }
    // Passes are not written.
    let times = fields.read("milliseconds", "an array of whole numbers", milliseconds)?;
    for (entry, milliseconds) in draft.entries.iter_mut().zip(times.unwrap_or_default()) {
        entry.milliseconds = Some(milliseconds);
    }
    Ok(draft)
}

/// Keeps a value in parts, each under the name of the field; returns whether it has such parts.
fn keep_parts(fields: &Fields<'_>, name: &str, draft: &mut Draft) -> bool {
    let parts = fields.get(name).and_then(|value| parts(name, value));
    let is_kept = parts.is_some();
    for (part, text) in parts.into_iter().flatten() {
        match part == name {
            true => draft.say(name, &text),
            false => draft.game.set_extra(&part, &text),
        }
    }
    is_kept
}

/// The time that each side has, and what a move adds to it.
fn time_control(inside: &Fields<'_>) -> Option<String> {
    let of = |names: &[&str]| {
        let name = inside.names().find(|name| names.contains(&label_key(name).as_str()))?;
        inside.get(name).and_then(as_text)
    };
    let time = of(&["initial", "base", "limit", "main", "time", "total"])?;
    Some(match of(&["increment", "inc", "bonus"]) {
        Some(increment) => format!("{time}+{increment}"),
        None => time.into(),
    })
}

/// Fields whose objects hold facts of the game.
const HEADERS: [&str; 6] = ["headers", "header", "tags", "info", "metadata", "gameinfo"];

/// Takes the facts of such an object; gives the names of those that hold more than a text.
fn header(inside: &Fields<'_>, draft: &mut Draft) -> Result<Vec<String>, Why> {
    let mut left_out = Vec::new();
    for name in inside.names().filter(|name| inside.get(name).is_some()) {
        let key = Key::of(name);
        let is_taken = match (key.label(), inside.get(name).and_then(as_text)) {
            (Some(label), _) => take(inside, &key, name, label, draft)?,
            (None, Some(text)) => {
                draft.say_as(&key, name, &text);
                true
            }
            (None, None) => false,
        };
        left_out.extend((!is_taken).then(|| name.to_owned()));
    }
    Ok(left_out)
}

/// Takes a field whose name is known; returns whether its value is of a type that can be kept.
fn take(
    fields: &Fields<'_>,
    key: &Key,
    name: &str,
    label: Label,
    draft: &mut Draft,
) -> Result<bool, Why> {
    let text = match label {
        Label::Black | Label::White => return player(fields, name, label, draft),
        Label::Players => return players(fields, name, draft),
        Label::Result | Label::Score
            if let Some([black, white]) = fields.get(name).and_then(discs) =>
        {
            draft.say("blackdiscs", &black.to_string());
            draft.say("whitediscs", &white.to_string());
            return Ok(true);
        }
        // Its name says what it is; what else is known of it is kept beside.
        Label::Event | Label::Winner | Label::Site
            if let Some(inside) =
                fields.get(name).and_then(|value| Fields::inside(name, value))
                && let Some(named) = name_in(&inside) =>
        {
            for field in inside.names().filter(|field| *field != named) {
                let Some(text) = inside.get(field).and_then(as_text) else { continue };
                let key = Key::of(field);
                let is_own = |other: &str| Key::of(other) == key;
                match key.label().is_some_and(|label| OF_ALL.contains(&label))
                    && !fields.names().any(is_own)
                {
                    true => draft.say_as(&key, field, &text),
                    false => draft.game.set_extra(&format!("{name}_{field}"), &text),
                }
            }
            inside.fact(named)?
        }
        Label::TimeControl
            if let Some(inside) =
                fields.get(name).and_then(|value| Fields::inside(name, value)) =>
        {
            time_control(&inside)
        }
        // What is said of the game in parts is kept as it is.
        Label::Event | Label::Round | Label::Result
            if fields.get(name).is_some_and(Value::is_object) =>
        {
            return Ok(false);
        }
        // A number has no marks of thousands.
        Label::BlackRating | Label::WhiteRating => {
            let game = &mut draft.game;
            let player =
                if label == Label::BlackRating { &mut game.black } else { &mut game.white };
            player.rating = fields.rating(name)?;
            return Ok(true);
        }
        Label::Date | Label::UtcDate => {
            fields.read(name, "a date as text, or seconds since 1970", date)?
        }
        Label::Event | Label::Round | Label::TimeControl => fields.text(name)?.map(Into::into),
        Label::BlackDiscs | Label::WhiteDiscs | Label::Theory | Label::TheoryEmpties => {
            fields.small(name)?.map(|number| number.to_string())
        }
        Label::Result => {
            if let Some(number) = negative(fields, name) {
                draft.game.stated = Some(Stated::score(StatedScore::Difference(number)));
                return Ok(true);
            }
            fields.text(name)?.map(Into::into)
        }
        Label::Start => Some(fields.read(name, "a board", board)?.unwrap_or_default()),
        // Of an object that names something, such as an opening, it is no board.
        Label::MaybeStart => match fields.get(name) {
            Some(value) if is_of_squares(value) => {
                let text = board(value).filter(|text| read_board(text).is_ok());
                Some(text.ok_or_else(|| fields.wrong(name, "a board"))?)
            }
            value => value.and_then(board),
        },
        _ => fields.get(name).and_then(as_text).map(Into::into),
    };
    if let Some(text) = &text {
        draft.say_as(key, name, text);
    }
    Ok(text.is_some())
}

/// What names a player, an event or a winner in an object.
const NAMES: [&str; 11] = [
    "name",
    "username",
    "user",
    "nick",
    "nickname",
    "login",
    "displayname",
    "fullname",
    "playername",
    "handle",
    "title",
];

/// What says in an object which side a player has.
const SIDES: [&str; 6] = ["color", "colour", "side", "disc", "disk", "piece"];

/// What counts a player's discs in an object.
const DISCS: [&str; 7] = ["score", "discs", "disks", "points", "count", "result", "stones"];

/// The name of the field that names what an object is.
fn name_in<'a>(inside: &Fields<'a>) -> Option<&'a str> {
    let of = |wanted: &&str| inside.names().find(|name| label_key(name) == *wanted);
    NAMES.iter().find_map(of)
}

/// A player: the name, or an object that may hold the rating and more.
fn player(fields: &Fields<'_>, name: &str, label: Label, draft: &mut Draft) -> Result<bool, Why> {
    match fields.within(name) {
        Ok(Some(inside)) => person(&inside, name, label, draft)?,
        _ => {
            let text = fields.read(name, "a name, or an object with one", as_text)?;
            draft.say(name, &text.unwrap_or_default());
        }
    }
    Ok(true)
}

/// Takes what an object says of a player; `name` is that of the side.
fn person(inside: &Fields<'_>, name: &str, label: Label, draft: &mut Draft) -> Result<(), Why> {
    let named = name_in(inside);
    draft
        .say(name, &named.map(|name| inside.fact(name)).transpose()?.flatten().unwrap_or_default());
    let is_black = label == Label::Black;
    for field in inside.names().filter(|field| Some(*field) != named) {
        match label_key(field).as_str() {
            "rating" | "elo" => {
                let found = inside.rating(field)?;
                let player = if is_black { &mut draft.game.black } else { &mut draft.game.white };
                player.rating = player.rating.or(found);
            }
            key if DISCS.contains(&key) && inside.get(field).is_some_and(Value::is_u64) => {
                let discs = if is_black { "blackdiscs" } else { "whitediscs" };
                draft.say(discs, &inside.text(field)?.unwrap_or_default());
            }
            key if SIDES.contains(&key) => {}
            _ => match inside.get(field).map(|value| (value, as_text(value))) {
                Some((_, Some(text))) => draft.game.set_extra(&format!("{name}_{field}"), &text),
                Some((value, None)) => {
                    draft.leave_out(&format!("{name}.{field}"), &value.to_string())
                }
                None => {}
            },
        }
    }
    Ok(())
}

/// What is said of both sides, Black first: by their names in an object, or in an array, whose objects may say which
/// side they are of.
fn both_sides(value: &Value) -> Option<[&Value; 2]> {
    match value {
        Value::Object(inside) => {
            let of = |side| inside.iter().find(|(name, _)| Key::of(name).label() == Some(side));
            Some([of(Label::Black)?.1, of(Label::White)?.1])
        }
        Value::Array(both) => {
            let [one, other] = &both[..] else { return None };
            let side =
                |value: &Value| SIDES.iter().find_map(|name| side_of(value.get(*name)?.as_str()?));
            let first = side(one).or_else(|| side(other).map(Side::other));
            Some(if first == Some(Side::White) { [other, one] } else { [one, other] })
        }
        _ => None,
    }
}

/// Both players in an array or in an object, or as they are said together.
fn players(fields: &Fields<'_>, name: &str, draft: &mut Draft) -> Result<bool, Why> {
    let Some([black, white]) = fields.get(name).and_then(both_sides) else {
        let text = fields.get(name).and_then(as_text);
        text.iter().for_each(|text| draft.say(name, text));
        return Ok(text.is_some());
    };
    for (side, label, value) in [("black", Label::Black, black), ("white", Label::White, white)] {
        match Fields::inside(side, value) {
            Some(inside) => person(&inside, side, label, draft)?,
            None => draft.say(side, &as_text(value).unwrap_or_default()),
        }
    }
    Ok(true)
}

/// The discs of both sides.
fn discs(value: &Value) -> Option<[u64; 2]> {
    let [black, white] = both_sides(value)?.map(Value::as_u64);
    black.zip(white).map(|(black, white)| [black, white])
}

/// A result that is a number of discs less than none: a difference.
fn negative(fields: &Fields<'_>, name: &str) -> Option<f64> {
    fields.get(name)?.as_f64().filter(|number| (-64.0..0.0).contains(number))
}

/// Whether a value in parts holds as many as a board has squares or rows, or an object has squares, or lists of discs.
/// Moves are none of these: an opening may have eight.
fn is_of_squares(value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            let parts = |item: &Value| item.as_array().map_or(1, Vec::len);
            let is_move = |item: &Value| item.as_str().is_some_and(|text| squares_in(text) > 0);
            [8, 64].contains(&items.iter().map(parts).sum::<usize>()) && !items.iter().any(is_move)
        }
        Value::Object(fields) => {
            fields.iter().any(|(name, value)| squares_in(name) == 1 || value.is_array())
        }
        _ => false,
    }
}

/// A board: a text, or an array of its rows or squares.
fn board(value: &Value) -> Option<String> {
    let part = |item: &Value| match item.as_str().map(label_key).as_deref() {
        Some("black") => Some("X".to_owned()),
        Some("white") => Some("O".to_owned()),
        Some("empty" | "none") => Some("-".to_owned()),
        // Beside 1 for Black.
        None if item.as_i64() == Some(-1) => Some("2".to_owned()),
        _ => board(item),
    };
    match value {
        Value::Array(items) => {
            items.iter().map(part).collect::<Option<Vec<_>>>().map(|all| all.join(" "))
        }
        Value::Null => Some("-".to_owned()),
        Value::String(text) if text.trim().is_empty() => Some("-".to_owned()),
        value => as_text(value).map(Into::into),
    }
}

fn date(value: &Value) -> Option<String> {
    let digits = || value.as_i64().map(|number| number.to_string());
    let in_parts = || {
        let part = |name: &str| value.get(name)?.as_u64();
        let more = part("month").map(|month| match part("day") {
            Some(day) => format!("-{month:02}-{day:02}"),
            None => format!("-{month:02}"),
        });
        Some(format!("{:04}{}", part("year")?, more.unwrap_or_default()))
    };
    value.as_str().map(str::to_owned).or_else(digits).or_else(in_parts)
}

/// What is said of the moves, as we write it.
fn remarks(value: &Value) -> Option<Remarks> {
    Remarks::deserialize(value).ok()
}

fn milliseconds(value: &Value) -> Option<Vec<u32>> {
    value.as_array()?.iter().map(|time| u32::try_from(time.as_u64()?).ok()).collect()
}

fn entries(fields: &Fields<'_>, name: &str) -> Result<Vec<Entry>, Why> {
    const EXPECTED: &str = "moves as a text, or as an array of texts";
    let moves = fields.read(name, EXPECTED, moves_in)?;
    moves.ok_or_else(|| fields.wrong(name, EXPECTED))
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
    fn players_results_and_dates_may_be_in_parts() {
        for facts in [
            r#""players":[{"color":"white","name":"Bob"},{"color":"black","name":"Ann"}],"score":[40,24]"#,
            r#""players":[{"name":"Ann","side":"B"},{"displayName":"Bob"}],"result":{"white":24,"black":40}"#,
            r#""players":{"white":"Bob","black":{"user":"Ann"}},"score":{"black":40,"white":24}"#,
            r#""black":{"name":"Ann","score":40},"white":{"full_name":"Bob","discs":24}"#,
            r#""headers":{"Black":"Ann","White":"Bob","Result":"40-24"}"#,
        ] {
            let read = read_text(&format!("{{{facts},\"moves\":\"f5d6c3\"}}")).remove(0);
            let names = [&read.game.black, &read.game.white].map(|one| one.name.as_deref());
            assert_eq!(names, [Some("Ann"), Some("Bob")], "{facts}");
            let stated = read.game.stated.map(|stated| stated.to_string());
            assert_eq!((stated.as_deref(), read.notes.len()), (Some("40-24"), 0), "{facts}");
        }
        let text = r#"{"moves":"f5d6c3","date":{"year":2019,"month":5,"day":3},"black_discs":12,
            "black":{"name":"Ann","country":"FR"},"event":{"name":"Cup","city":"Rome"}}"#;
        let game = read_text(text).remove(0).game;
        assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2019-05-03"));
        assert_eq!(game.event.as_deref(), Some("Cup"));
        let extra: Vec<_> =
            game.extra.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(extra, ["BlackDiscs=12", "black_country=FR", "event_city=Rome"]);
    }

    #[test]
    fn texts_may_be_numbers_and_other_fields_are_kept() {
        let text = r#"{"round":3,"event":12,"time_control":300,"black":7,"black_rating":"1500",
            "white_rating":"?","rated":true,"white":"two","moves":"f5d6","tags":["x","y"],"meta":{"y":1},
            "deep":{"x":{"y":1}},"extra":{"a":1,"b":[2],"c":[[3]]},"site":null}"#;
        let read = read_text(text).remove(0);
        let game = &read.game;
        let texts = [&game.round, &game.event, &game.time_control, &game.black.name];
        assert_eq!(texts.map(Option::as_deref), ["3", "12", "300", "7"].map(Some));
        assert_eq!((game.black.rating, game.white.rating), (Some(1500.0), None));
        let extra: Vec<_> =
            game.extra.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(extra, ["a=1", "b=2", "meta_y=1", "rated=true", "tags=x, y"]);
        let told: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        for name in ["deep", "extra.c"] {
            assert!(told[0].contains(name), "{told:?}");
        }
    }

    #[test]
    fn facts_in_parts_are_put_together() {
        let text = r#"{"timeControl":{"initial":300,"increment":5},"tournament":{"name":"Cup","round":3,
            "city":"Rome"},"notes":["x","y"],"moves":[{"move":"f5"},{"move":"d6","variations":[["f6","e6"],
            "f4 g3"]}]}"#;
        let read = read_text(text).remove(0);
        let game = &read.game;
        let texts = [&game.time_control, &game.event, &game.round].map(Option::as_deref);
        assert_eq!((texts, &read.notes[..]), (["300+5", "Cup", "3"].map(Some), &[][..]));
        let extra: Vec<_> =
            game.extra.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(extra, ["Comment=x, y", "tournament_city=Rome"]);
        let variations = &game.remarks.of(2).unwrap().variations;
        let of = |index: usize| variations[index].moves.iter().map(|step| step.square.to_string());
        assert_eq!([0, 1].map(|index| of(index).collect::<String>()), ["f6e6", "f4g3"]);
    }

    #[test]
    fn boards_may_be_matrices() {
        // The board after f5.
        let rows = [
            "........", "........", "........", "...OX...", "...XXX..", "........", "........",
            "........",
        ];
        let matrix = |signs: [&str; 3]| {
            let sign = |c: char| signs[".XO".find(c).unwrap()];
            let row =
                |row: &&str| format!("[{}]", row.chars().map(sign).collect::<Vec<_>>().join(","));
            format!("[{}]", rows.iter().map(row).collect::<Vec<_>>().join(","))
        };
        for board in [
            matrix(["0", "1", "2"]),
            matrix(["0", "1", "-1"]),
            matrix(["\"\"", "\"B\"", "\"W\""]),
            matrix(["null", "\"black\"", "\"white\""]),
            matrix(["0", "1", "2"]).replace("],[", ",").replace("[[", "[").replace("]]", "]"),
            format!("{rows:?}"),
        ] {
            for name in ["board", "friendlyCells", "startPosition"] {
                let text = format!("{{\"{name}\":{board},\"moves\":\"d6c3\"}}");
                let game = read_text(&text).remove(0).game;
                assert_eq!((game.start.position.discs(), game.moves.len()), (5, 2), "{text}");
            }
            let text = format!("{{\"finalBoard\":{board},\"moves\":\"f5d6\"}}");
            assert!(read_text(&text).remove(0).game.is_from_the_start(), "{text}");
        }
    }

    #[test]
    fn an_opening_in_parts_is_no_board() {
        for opening in [
            r#"["f5","d6","c3","d3","c4","f4","f6","f3"]"#,
            r#"{"eco":"x"}"#,
            r#"{"name":"Tiger","line":"f5d6c3d3c4"}"#,
        ] {
            let text = format!(r#"{{"opening":{opening},"moves":"f5d6"}}"#);
            let game = read_text(&text).remove(0).game;
            assert!(game.is_from_the_start() && game.moves.len() == 2, "{text}");
        }
    }

    #[test]
    fn a_game_of_our_lists_comes_back_as_it_was() {
        let text = r#"{"black":"Ann","extra":{"Site":"x"},"id":3,"moves":"f5d6","name":"Perpendicular",
            "result":"40-24","line":"f5d6","source":"a.pgn","sources":["a.pgn","b.pgn"],"winner":"black"}"#;
        let read = read_text(text).remove(0);
        let extra: Vec<_> = read.game.extra.keys().map(String::as_str).collect();
        assert_eq!((extra, read.notes.len()), (vec!["Site"], 0));
        assert_eq!(read.game.also_in, ["b.pgn"]);
        let mut written = String::new();
        super::super::writer::write_json(&read.game, &mut written).unwrap();
        assert_eq!(read_text(&written)[0].game, read.game);
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
