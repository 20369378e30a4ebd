//! What the columns of a row say of its game.

use super::columns::Columns;
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, fact};
use crate::files::games::refused::Why;
use crate::files::games::vocabulary::Key;
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
    let others = columns.names.iter().zip(&columns.keys).zip(values).enumerate();
    for (column, ((name, key), value)) in others.filter(|&(column, _)| column != moves) {
        match key {
            Key::Named(name) if name.is_empty() && !value.trim().is_empty() => {
                draft.game.set_extra(&format!("column {}", column + 1), value);
            }
            Key::Named(name) if name == "source" && draft.game.source.is_empty() => {
                draft.game.source = fact(value).unwrap_or_default();
            }
            key => draft.say_as(key, name, value),
        }
    }
    Ok(draft)
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
            ("Comment", "a"),
            ("also2_note", "c"),
            ("also_Black", "two"),
            ("also_date", "2002-01-01"),
            ("also_note", "b"),
            ("column 7", "d"),
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
