//! Games that Egaroucid's window has saved: an object for each board, its key the number of discs on
//! it. `policy` is the move that led to the board, `next_policy` the one that was made there; squares
//! and bits are counted from h8 to a1, and `player` 0 is Black.

use serde_json::Value;

use super::fields::Fields;
use crate::files::fault::Place;
use crate::files::games::draft::Draft;
use crate::files::games::refused::Why;
use crate::files::games::stated::{Stated, StatedScore};
use crate::othello::board::{Placed, Position, Side, Square};

/// What an object may be.
pub(super) const EXPECTED: &str =
    "an object with \"moves\", or a game of Othello Quest or Egaroucid";

/// The number of a1, the last of the squares.
const LAST: u8 = 63;

/// Whether an object holds boards.
pub(super) fn has_boards(value: &Value) -> bool {
    keys().any(|(_, key)| value.get(key).is_some_and(|board| board.get("board_player").is_some()))
}

/// The keys that boards may have, with their discs.
fn keys() -> impl Iterator<Item = (u8, String)> {
    (4..=64).map(|discs: u8| (discs, discs.to_string()))
}

pub(super) fn read(place: Place, value: &Value) -> Result<Draft, Why> {
    let fields = Fields::of(value)?;
    let mut draft = Draft::new(place);
    let game = &mut draft.game;
    game.black.name = fields.fact("black_player")?;
    game.white.name = fields.fact("white_player")?;
    game.set_date(&date(&fields.text("date")?.unwrap_or_default()));
    game.set_extra("Comment", &fields.text("memo")?.unwrap_or_default());
    game.stated = result(&fields)?;
    let mut last: Option<(u8, Fields<'_>)> = None;
    for (discs, key) in keys() {
        let Some(board) = fields.within(&key)? else { continue };
        match last {
            None => draft.game.start = start(&board)?,
            Some((before, _)) if before + 1 < discs => {
                let found = format!("a board of {discs} discs behind one of {before}");
                return Err(Why::content(&found, "one disc more"));
            }
            Some((_, before)) => {
                // Where a game left another one, the board before it still has the other's move.
                let square = match square(&board, "policy")? {
                    Some(square) => Some(square),
                    None => self::square(&before, "next_policy")?,
                };
                let unknown = || board.wrong("policy", "the square that led to this board");
                draft.push(square.ok_or_else(unknown)?);
            }
        }
        last = Some((discs, board));
    }
    Ok(draft)
}

/// `2021_03_11_20_13_30` with marks that others write, too.
fn date(text: &str) -> String {
    text.replacen('_', "-", 2).replacen('_', " ", 1).replace('_', ":")
}

/// The discs of both sides, -1 where the game was not played to its end.
fn result(fields: &Fields<'_>) -> Result<Option<Stated>, Why> {
    let discs = |name: &str| fields.read(name, "a whole number", Value::as_i64);
    let known = |discs: Option<i64>| u8::try_from(discs?).ok().filter(|&discs| discs <= 64);
    let (black, white) = (known(discs("black_discs")?), known(discs("white_discs")?));
    let both = black.zip(white).filter(|(black, white)| black + white <= 64);
    Ok(both.map(|(black, white)| Stated::score(StatedScore::Discs { black, white })))
}

fn start(board: &Fields<'_>) -> Result<Placed, Why> {
    let missing = |name: &str| board.wrong(name, "a whole number");
    let squares = |name: &str| {
        let bits = board.read(name, "a whole number", Value::as_u64)?;
        bits.map(u64::reverse_bits).ok_or_else(|| missing(name))
    };
    let position =
        Position { mover: squares("board_player")?, opponent: squares("board_opponent")? };
    if position.mover & position.opponent != 0 {
        return Err(Why::start("a square is set up in both colors"));
    }
    let side = match board.small("player")? {
        Some(0) => Side::Black,
        Some(1) => Side::White,
        _ => return Err(board.wrong("player", "0 (black) or 1 (white)")),
    };
    Ok(Placed { position, side })
}

/// A square, none for -1 and in files of old versions that do not have it.
fn square(board: &Fields<'_>, name: &str) -> Result<Option<Square>, Why> {
    let read = |value: &Value| match value.as_i64()? {
        -1 => Some(None),
        number => LAST.checked_sub(u8::try_from(number).ok()?).and_then(Square::try_new).map(Some),
    };
    Ok(board.read(name, "a square 0..=63, or -1", read)?.flatten())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::files::games::testing::{read_text, refused};
    use crate::othello::board::{Line, Side};

    fn saved(line: &Line) -> Value {
        let mut game = json!({
            "date": "2021_03_11_20_13_30", "black_player": "one", "white_player": "two",
            "memo": "of our\nclub", "black_discs": -1, "white_discs": -1,
        });
        let number = |square: crate::othello::board::Square| i64::from(63 - square.number());
        let squares: Vec<i64> = line.squares().map(number).collect();
        let boards = line.steps().iter().map(|step| step.before).chain(line.end());
        for (at, board) in boards.enumerate() {
            let next = squares.get(at).copied().unwrap_or(-1);
            game[board.position.discs().to_string()] = json!({
                "board_player": board.position.mover.reverse_bits(),
                "board_opponent": board.position.opponent.reverse_bits(),
                "player": if board.side == Side::Black { 0 } else { 1 },
                "value": 10_000_000, "level": -1, "next_policy": next,
                "policy": if at == 0 { -1 } else { squares[at - 1] },
            });
        }
        game
    }

    fn read(game: &Value) -> crate::files::games::Game {
        read_text(&serde_json::to_string_pretty(game).unwrap()).remove(0).game
    }

    #[test]
    fn reads_a_game() {
        // Black passes before the last move.
        let line: Line = "c4c3e6b4a4a5b2a3f4".parse().unwrap();
        let mut game = saved(&line);
        assert_eq!(game["4"]["board_player"], json!(34_628_173_824_u64));
        let found = read(&game);
        assert_eq!(found.line().to_string(), line.to_string());
        assert!(found.is_from_the_start());
        assert_eq!(
            (found.black.name.as_deref(), found.white.name.as_deref()),
            (Some("one"), Some("two"))
        );
        assert_eq!(found.date.map(|date| date.to_string()).as_deref(), Some("2021-03-11"));
        assert_eq!(
            (found.extra["Time"].as_str(), found.extra["Comment"].as_str()),
            ("20:13:30", "of our club")
        );
        assert_eq!(found.stated, None);
        // Some versions write one of both moves only, a day without its time, and discs at the end.
        for board in 4..=13 {
            game[board.to_string()].as_object_mut().unwrap().remove("next_policy");
        }
        game["date"] = json!("2021-03-11");
        (game["black_discs"], game["white_discs"]) = (json!(40), json!(24));
        let found = read(&game);
        assert_eq!((found.moves.len(), found.extra.get("Time")), (9, None));
        assert_eq!(found.stated.unwrap().to_string(), "40-24");
        // Where both are there, what led to a board counts.
        let mut game = saved(&line);
        game["5"]["next_policy"] = json!(0);
        assert_eq!(read(&game).moves.len(), 9);
        game["6"]["policy"] = json!(-1);
        game["5"]["next_policy"] = json!(63 - 18);
        assert_eq!(read(&game).moves.len(), 9);
    }

    #[test]
    fn reads_other_starts() {
        let line: Line = "f5d6c3".parse().unwrap();
        let mut game = saved(&line);
        game.as_object_mut().unwrap().remove("4");
        let found = read(&game);
        assert_eq!((found.start.side, found.moves.len()), (Side::White, 2));
        assert_eq!(found.start, line.steps()[1].before);
    }

    #[test]
    fn says_what_is_wrong() {
        let line: Line = "f5d6c3".parse().unwrap();
        for (board, field, value, part) in [
            (
                "4",
                "board_player",
                json!("x"),
                "found \"4.board_player: \"x\"\", expected a whole number",
            ),
            ("4", "board_player", json!(-1.5), "found \"4.board_player: -1.5\""),
            (
                "4",
                "board_opponent",
                Value::Null,
                "found \"4.board_opponent: null\", expected a whole number",
            ),
            ("4", "board_opponent", json!(34_628_173_824_u64), "both colors"),
            ("4", "player", json!(2), "found \"4.player: 2\", expected 0 (black) or 1 (white)"),
            ("6", "policy", json!(64), "found \"6.policy: 64\", expected a square 0..=63, or -1"),
            ("6", "policy", json!(0), "move 2 \"h8\": flips no disc"),
        ] {
            let mut game = saved(&line);
            game[board][field] = value;
            let found = refused(&game.to_string());
            assert!(found.contains(part), "{found}");
        }
        let mut game = saved(&line);
        (game["5"]["next_policy"], game["6"]["policy"]) = (json!(-1), json!(-1));
        assert!(refused(&game.to_string()).contains("6.policy: -1"));
        game.as_object_mut().unwrap().remove("6");
        assert!(refused(&game.to_string()).contains("a board of 7 discs behind one of 5"));
        let mut game = saved(&line);
        game["memo"] = json!([5]);
        assert!(refused(&game.to_string()).contains("found \"memo: [5]\", expected a text"));
    }
}
