//! Games of Othello Quest: `players[0]` is Black, `position.moves[].m` a square, `-` a pass, and
//! nothing where a player resigned; `t` is the move's time in milliseconds.

use serde_json::Value;

use crate::files::fault::Place;
use crate::files::games::date::Date;
use crate::files::games::draft::{Draft, fact, possible_rating};
use crate::files::games::game::Player;
use crate::files::games::refused::Why;
use crate::files::games::replay::Entry;
use crate::files::games::start_board::start_board;
use crate::files::games::stated::{Stated, StatedScore};
use crate::othello::board::Played;
use crate::othello::board::Side;
use crate::othello::board::move_text::whole_move;
use crate::othello::one_line::one_line;

/// The game in an object: the object itself, or what a server's message wraps.
pub(super) fn find(value: &Value) -> Option<&Value> {
    let wrapped = value.get("args").and_then(|args| args.get(0));
    [Some(value), wrapped, value.get("game")]
        .into_iter()
        .flatten()
        .find(|value| value.get("position").is_some_and(|position| position.get("moves").is_some()))
}

pub(super) fn read(place: Place, value: &Value) -> Result<Draft, Why> {
    let mut draft = Draft::new(place);
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    if let Some(kind) =
        text("gtype").filter(|kind| !kind.to_ascii_lowercase().starts_with("reversi"))
    {
        return Err(Why::OtherGame(one_line(kind, 40)));
    }
    let game = &mut draft.game;
    let players = value.get("players");
    let player = |index: usize| players.and_then(|players| players.get(index));
    game.black = player(0).map(read_player).unwrap_or_default();
    game.white = player(1).map(read_player).unwrap_or_default();
    match value.get("created") {
        Some(Value::Number(number)) => game.date = number.as_i64().and_then(Date::of_seconds),
        Some(Value::String(created)) => game.set_date(created),
        _ => {}
    }
    game.set_extra("Site", "Othello Quest");
    for (name, key) in [("Id", "id"), ("FinalStatus", "finalStatus"), ("Type", "gtype")] {
        game.set_extra(name, text(key).unwrap_or_default());
    }
    game.stated = text("finalStatus").and_then(stated);
    if let Some(milliseconds) = value.get("tcb").and_then(Value::as_f64) {
        game.time_control = Some((milliseconds / 1000.0).to_string());
    }
    let position = value.get("position").unwrap_or(&Value::Null);
    if let Some(start) =
        position.get("startPos").and_then(Value::as_str).filter(|text| !text.is_empty())
    {
        game.start = start_board(start, Some(Side::Black))?;
    }
    let moves = position.get("moves").and_then(Value::as_array);
    let mut is_resigned = false;
    for item in moves.into_iter().flatten() {
        // A move without a square is none: the side to move resigned.
        let square = item.get("m").and_then(Value::as_str);
        is_resigned = square.is_none();
        let Some(text) = square else { continue };
        let played = match text.trim() {
            "" => Played::Unreadable(text.to_owned()),
            text => whole_move(text).unwrap_or_else(|| Played::Unreadable(text.to_owned())),
        };
        let milliseconds = item.get("t").and_then(Value::as_u64);
        let milliseconds = milliseconds.and_then(|time| u32::try_from(time).ok());
        draft.push(Entry { milliseconds, ..played.into() });
    }
    if is_resigned {
        draft.resign_to_move();
    }
    Ok(draft)
}

fn read_player(value: &Value) -> Player {
    let name = ["name", "userName", "id"].iter().find_map(|key| value.get(key)?.as_str());
    let rating = ["oldR", "rating", "r"].iter().find_map(|key| value.get(key)?.as_f64());
    Player {
        name: name.or_else(|| value.as_str()).and_then(fact),
        rating: rating.and_then(possible_rating),
    }
}

/// Text about the end in words such as `BLACK_WIN:RESIGN`.
fn stated(status: &str) -> Option<Stated> {
    let words = status.to_ascii_lowercase();
    let winner = |side: Side| Some(StatedScore::Winner(Some(side)));
    let score = match () {
        () if words.contains("black") && words.contains("win") => winner(Side::Black),
        () if words.contains("white") && words.contains("win") => winner(Side::White),
        () if words.contains("draw") => Some(StatedScore::Winner(None)),
        () => None,
    };
    let how = [("resign", "resigned"), ("time", "time"), ("disconnect", "left")];
    let how = how.into_iter().find(|(word, _)| words.contains(word)).map(|(_, how)| how.to_owned());
    (score.is_some() || how.is_some()).then_some(Stated { score, how })
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_text, refused};

    const GAME: &str = r#"{"id":"x1","gtype":"reversi","created":"2021-03-11T20:13:30.123Z","tcb":300000,
        "players":[{"name":"one","oldR":1530.5},{"name":"two","oldR":1490}],"finalStatus":"BLACK_WIN:RESIGN",
        "position":{"startPos":"","moves":[{"m":"f5","t":900,"s":1},{"m":"d6","t":1200},{"t":5}]}}"#;

    #[test]
    fn a_rating_that_nobody_has_is_none() {
        let game = read_text(&GAME.replace("1530.5", "1e300").replace("1490", "-1")).remove(0).game;
        assert_eq!((game.black.rating, game.white.rating), (None, None));
    }

    #[test]
    fn reads_a_game() {
        for text in
            [GAME.to_owned(), format!("{{\"name\":\"x\",\"args\":[{GAME}]}}"), format!("[{GAME}]")]
        {
            let game = read_text(&text).remove(0).game;
            assert_eq!(
                (game.line().to_string(), &game.milliseconds[..]),
                ("f5d6".into(), &[900, 1200][..])
            );
            assert_eq!(
                (game.black.name.as_deref(), game.black.rating),
                (Some("one"), Some(1530.5))
            );
            assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2021-03-11"));
            assert_eq!(game.stated.unwrap().to_string(), "1-0 (resigned)");
            assert_eq!(game.time_control.as_deref(), Some("300"));
            assert_eq!(game.extra["FinalStatus"], "BLACK_WIN:RESIGN");
        }
    }

    /// The last entry without a square is the resignation of the side to move.
    #[test]
    fn who_resigns_has_lost() {
        let moves = |text: &str| {
            let moves: Vec<String> =
                text.split(' ').map(|m| format!("{{\"m\":\"{m}\"}}")).collect();
            moves.join(",")
        };
        let stated = |moves: &str, status: &str| {
            let text =
                format!("{{\"finalStatus\":\"{status}\",\"position\":{{\"moves\":[{moves}]}}}}");
            read_text(&text).remove(0).game.stated.map(|stated| stated.to_string())
        };
        let resigned = |text: &str| stated(&format!("{},{{\"t\":5}}", moves(text)), "");
        // Black has no move behind the last of these: whose turn it is the board says.
        let forced = "c4 c3 e6 b4 a4 a5 b2 a3";
        for (line, expected) in [
            ("f5", "1-0 (resigned)"),
            ("f5 d6", "0-1 (resigned)"),
            ("f4", "1-0 (resigned)"),
            (forced, "1-0 (resigned)"),
            (&format!("{forced} -"), "1-0 (resigned)"),
        ] {
            assert_eq!(resigned(line).as_deref(), Some(expected), "{line}");
        }
        // What the status says stays, and adds to it.
        let entries = format!("{},{{\"t\":5}}", moves("f5 d6"));
        assert_eq!(stated(&entries, "WHITE_WIN:TIME").as_deref(), Some("0-1 (time)"));
        assert_eq!(stated(&entries, "RESIGN").as_deref(), Some("0-1 (resigned)"));
        assert_eq!(stated(&moves("f5 d6"), ""), None);
        let early = format!("{{\"t\":5}},{}", moves("f5 d6"));
        assert_eq!(stated(&early, ""), None);
    }

    #[test]
    fn reads_passes_and_says_what_is_wrong() {
        let moves = |text: &str| {
            let moves: Vec<String> =
                text.split(' ').map(|m| format!("{{\"m\":\"{m}\"}}")).collect();
            format!("{{\"position\":{{\"moves\":[{}]}}}}", moves.join(","))
        };
        assert_eq!(read_text(&moves("c4 c3 e6 b4 a4 a5 b2 a3 - f4"))[0].game.moves.len(), 9);
        assert!(refused(&moves("f5 -")).contains("white can move"));
        assert!(refused(&moves("f5 x")).contains("move 2 \"x\": no such square"));
        assert!(refused(&GAME.replace("reversi", "go9")).contains("not Othello: go9"));
        assert!(
            refused(&GAME.replace("\"startPos\":\"\"", "\"startPos\":\"XO\""))
                .contains("2 squares")
        );
    }
}
