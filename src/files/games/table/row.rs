//! What the columns of a row say of its game.

use super::columns::{Columns, field};
use crate::files::fault::Place;
use crate::files::games::date::Date;
use crate::files::games::draft::{Draft, fact, rating};
use crate::files::games::game::Theoretical;
use crate::files::games::refused::Why;
use crate::files::games::result_words::read_result;
use crate::files::games::start_board::start_board;
use crate::files::games::stated::{Stated, StatedScore, read_winner};
use crate::othello::board::Side;
use crate::othello::board::move_text::read_moves;

/// The game of a row, whose moves are in this column.
pub(super) fn read_row(
    row: &str,
    values: &[String],
    columns: &Columns,
    moves: usize,
    place: Place,
) -> Result<Draft, Why> {
    const WHOLE: &str = "a row with a field for each column";
    let mut draft = Draft::new(place);
    let Some(text) = values.get(moves) else {
        return Err(Why::content(row, WHOLE));
    };
    // Some programs write empty fields behind the last.
    if values.iter().skip(columns.names.len()).any(|value| !value.trim().is_empty()) {
        return Err(Why::content(row, WHOLE));
    }
    read_moves(text).for_each(|played| draft.push(played));
    let (mut year, mut theory, mut empties) = (None, None, None);
    let (mut winner, mut scores, mut discs) = (None, (None, None), (None, None));
    let mut score_said = None;
    let others = columns.names.iter().zip(values).enumerate();
    let mut said: Vec<(String, &str)> = Vec::new();
    for (column, (name, value)) in others.filter(|&(column, _)| column != moves) {
        let value = value.trim();
        let field = field(name);
        if value.is_empty() {
            continue;
        }
        if field.is_empty() {
            draft.game.set_extra(&format!("column {}", column + 1), value);
            continue;
        }
        // The first of several columns of one meaning counts; nothing of the others is lost.
        let same: Vec<&str> =
            said.iter().filter(|(known, _)| *known == field).map(|&(_, value)| value).collect();
        if !same.is_empty() {
            if !same.contains(&value) {
                let again = if same.len() == 1 { String::new() } else { same.len().to_string() };
                draft.game.set_extra(&format!("also{again}_{}", name.trim()), value);
                said.push((field, value));
            }
            continue;
        }
        said.push((field.clone(), value));
        let game = &mut draft.game;
        let number = |most: u8| value.parse().ok().filter(|&number: &u8| number <= most);
        // What cannot be meant is left out; what says nothing, as '?' does, is no fault.
        let is_sound = match field.as_str() {
            "black" | "white" | "event" | "round" | "timecontrol" | "result" => {
                game.set_fact(&field, value);
                true
            }
            "blackrating" => put(&mut game.black.rating, rating(value)),
            "whiterating" => put(&mut game.white.rating, rating(value)),
            "date" => {
                draft.set_date(name, value);
                true
            }
            "year" => {
                put(&mut year, value.parse().ok().and_then(|year| Date::new(year, None, None)))
            }
            // It may be of the game or of a match, by a number as well as in full.
            "score" if read_result(value).is_some() => put(&mut score_said, read_result(value)),
            "winner" => {
                winner = winner_of(value);
                if winner.is_none() {
                    game.set_extra(name, value);
                }
                true
            }
            "blackscore" => put(&mut scores.0, number(64)),
            "whitescore" => put(&mut scores.1, number(64)),
            "xot" => {
                let is_xot = yes_or_no(value);
                game.xot = is_xot.unwrap_or_default();
                is_xot.is_some()
            }
            "theoretical" => put(&mut theory, number(64)),
            "theoreticalempties" => put(&mut empties, number(60)),
            "source" => {
                game.source = fact(value).unwrap_or_default();
                true
            }
            "start" => {
                game.start = start_board(value, None)?;
                true
            }
            "blackdiscs" => put(&mut discs.0, number(64)),
            "whitediscs" => put(&mut discs.1, number(64)),
            _ => {
                game.set_extra(name, value);
                true
            }
        };
        if !is_sound {
            draft.leave_out(name, value);
        }
    }
    draft.game.date = draft.game.date.or(year);
    // Black's alone are those on the board, and found there.
    let discs = scores.0.zip(scores.1).or(discs.0.zip(discs.1));
    let fits = |&(black, white): &(u8, u8)| black + white <= 64;
    if let Some((black, white)) = discs.filter(|discs| !fits(discs)) {
        draft.leave_out("discs", &format!("{black}-{white}"));
    }
    let discs = discs.filter(fits);
    let discs = discs.map(|(black, white)| StatedScore::Discs { black, white });
    // The winner is all that is known of a game that was not played to its end.
    let score = discs.filter(|_| winner.is_none_or(|winner| agrees(discs, winner)));
    let score = score.or(winner.map(StatedScore::Winner)).map(Stated::score);
    draft.game.stated = draft.game.stated.take().or(score_said).or(score);
    if let (Some(discs), None) = (theory, empties) {
        // Of an unknown position.
        draft.leave_out("theoretical", &discs.to_string());
    }
    draft.game.theoretical =
        theory.zip(empties).map(|(black_discs, empties)| Theoretical { black_discs, empties });
    Ok(draft)
}

/// Sets what was read; whether that was anything.
fn put<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    *slot = value;
    slot.is_some()
}

/// The side that won, none of a draw, in the words and numbers of tables.
fn winner_of(value: &str) -> Option<Option<Side>> {
    match value {
        "1" | "1.0" => Some(Some(Side::Black)),
        "-1" | "-1.0" => Some(Some(Side::White)),
        "0" | "0.0" => Some(None),
        words => read_winner(words),
    }
}

/// What a column of yes and no says.
fn yes_or_no(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "t" | "yes" | "y" | "xot" => Some(true),
        "0" | "false" | "f" | "no" | "n" => Some(false),
        _ => None,
    }
}

/// Whether discs say that the same side won.
fn agrees(discs: Option<StatedScore>, winner: Option<Side>) -> bool {
    discs.and_then(|discs| Stated::score(discs).winner()) == Some(winner)
}

#[cfg(test)]
mod tests {
    use crate::files::games::Date;
    use crate::files::games::testing::read_text;

    #[test]
    fn reads_who_won() {
        for (names, values, stated) in [
            ("winner", "1", Some("1-0")),
            ("winner", "-1", Some("0-1")),
            ("winner", "0", Some("1/2-1/2")),
            ("winner,result", "1,40-24", Some("40-24")),
            ("black_score,white_score", "40,24", Some("40-24")),
            ("winner,black_score,white_score", "1,40,24", Some("40-24")),
            ("winner,black_score,white_score", "-1,40,20", Some("0-1")),
            ("black_score,white_score", "40,40", None),
            ("black_discs,white_discs", "40,20", Some("40-20")),
            ("black_discs", "40", None),
            ("result", "White wins", Some("0-1")),
            ("result", "B", Some("1-0")),
            ("結果", "40:24", Some("40-24")),
            ("Score", "40-24", Some("40-24")),
            ("score,result", "40-24,41-23", Some("41-23")),
            ("score", "40", None),
            ("Winner", "White wins", Some("0-1")),
        ] {
            let game = read_text(&format!("{names},moves\n{values},f5d6c3\n")).remove(0).game;
            assert_eq!(game.stated.map(|stated| stated.to_string()).as_deref(), stated, "{names}");
        }
        let game = read_text("winner,moves\nsomebody,f5\n").remove(0).game;
        assert_eq!((game.stated, game.extra["winner"].as_str()), (None, "somebody"));
    }

    #[test]
    fn yes_and_no_have_many_words() {
        for (value, is_xot) in
            [("True", true), ("YES", true), ("1", true), ("No", false), ("0", false)]
        {
            let game = read_text(&format!("xot,moves\n{value},f5\n")).remove(0);
            assert_eq!((game.game.xot, game.notes.len()), (is_xot, 0), "{value}");
        }
    }

    #[test]
    fn columns_of_one_meaning_and_without_a_name_lose_nothing() {
        let game = read_text(
            "black,Black,player1,note,note,note,,date,date,moves\n\
             one,two,one,a,b,c,d,2001-02-03,2002-01-01,f5d6\n",
        );
        let game = &game[0].game;
        assert_eq!(game.black.name.as_deref(), Some("one"));
        assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2001-02-03"));
        let extra: Vec<_> =
            game.extra.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        let also = [
            ("also2_note", "c"),
            ("also_Black", "two"),
            ("also_date", "2002-01-01"),
            ("also_note", "b"),
            ("column 7", "d"),
            ("note", "a"),
        ];
        assert_eq!(extra, also);
        // An empty one leaves the meaning to the next; so does one without moves.
        let game = &read_text("black,black,moves,moves\n,two,12,f5d6\n")[0].game;
        assert_eq!(game.black.name.as_deref(), Some("two"));
        assert_eq!(game.line().to_string(), "f5d6");
        // A mark within the quotes of a name parts nothing.
        let game = &read_text("\"site; place\",\"black\tname\",moves\nhere,one,f5\n")[0].game;
        assert_eq!(game.black.name.as_deref(), Some("one"));
        assert_eq!(game.extra["site; place"], "here");
    }

    #[test]
    fn scores_that_cannot_be_used_are_told() {
        for (names, values, told) in [
            ("black_score,white_score", "40,40", "discs \"40-40\""),
            ("theoretical", "40", "theoretical \"40\""),
        ] {
            let game = read_text(&format!("{names},moves\n{values},f5d6c3\n")).remove(0);
            let notes: Vec<String> = game.notes.iter().map(ToString::to_string).collect();
            assert_eq!(notes, [format!("an unreadable tag is left out: {told}")]);
        }
    }

    #[test]
    fn what_cannot_be_meant_is_left_out_and_told() {
        for (column, value) in [
            ("black_discs", "65"),
            ("black_discs", "-1"),
            ("black_rating", "1e999"),
            ("white_elo", "strong"),
            ("white_elo", "1720'5"),
            ("date", "2006-13-40"),
            ("date", "2006-02-30"),
            ("year", "20066"),
            ("theoretical", "65"),
            ("theoretical_empties", "61"),
            ("white_discs", "65"),
            ("xot", "perhaps"),
        ] {
            let game = read_text(&format!("{column},moves\n{value},f5\n")).remove(0);
            assert_eq!(game.game.date.and_then(Date::day), None, "{value}");
            let told: Vec<String> = game.notes.iter().map(ToString::to_string).collect();
            assert_eq!(told, [format!("an unreadable tag is left out: {column} \"{value}\"")]);
            assert_eq!((game.game.black.rating, game.game.white.rating), (None, None));
        }
        for (column, value) in [
            ("black_discs", "64"),
            ("black_rating", "?"),
            ("black_rating", "1720?"),
            ("date", "2004-02-29 20:52:27"),
            ("date", "2006.??.??"),
            ("date", "May 2006"),
        ] {
            let game = read_text(&format!("{column},moves\n{value},f5\n")).remove(0);
            assert!(game.notes.is_empty(), "{value}: {:?}", game.notes);
        }
    }
}
