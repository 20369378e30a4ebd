//! Lines of facts alone: a date, how a game ended, and what a title names: `Black: Ann (1500)`, `Round: 3`.

use super::result::result_in_words;
use crate::files::fault::Place;
use crate::files::games::date::Date;
use crate::files::games::draft::{Draft, fact, rating};
use crate::files::games::stated::Stated;
use crate::othello::board::move_text::squares_in;

/// Titles of the moves.
const OF_MOVES: [&str; 8] =
    ["moves", "transcript", "kifu", "record", "game", "line", "棋譜", "手順"];

/// Titles of one of the sides.
const OF_BLACK: [&str; 4] = ["black", "黒", "黒番", "●"];
const OF_WHITE: [&str; 4] = ["white", "白", "白番", "○"];

/// The most bytes of a date with its time of day: what is left of a line with thousands of games is none.
const LONGEST_DATE: usize = 100;

/// The facts of a line that holds nothing else.
pub(super) fn facts_alone(line: &str, place: Place) -> Option<Draft> {
    let mut draft = Draft::new(place);
    if is_date(line) {
        draft.set_date("Date", line);
        return Some(draft);
    }
    draft.game.stated = result_in_words(line);
    if draft.game.stated.is_some() || line == "*" {
        return Some(draft);
    }
    titled(&mut draft, line).then_some(draft)
}

/// Whether a header names the moves behind it.
pub(super) fn is_title_of_moves(header: &str) -> bool {
    OF_MOVES.contains(&header.trim().to_lowercase().as_str())
}

/// Takes what a title names; perhaps both sides in one line.
fn titled(draft: &mut Draft, line: &str) -> bool {
    let Some((title, value)) = line.split_once([':', '：', '=']) else { return false };
    let (title, value) = (title.trim().to_lowercase(), value.trim());
    let is = |titles: &[&str]| titles.contains(&title.as_str());
    if value.is_empty() || squares_in(value) > 1 {
        return false;
    }
    let is_black = is(&OF_BLACK);
    if is_black || is(&OF_WHITE) {
        let (value, other) = before_the_other(value, if is_black { &OF_WHITE } else { &OF_BLACK });
        if squares_in(value) > 0 || !value.contains(char::is_alphanumeric) {
            return false;
        }
        player(draft, value, is_black);
        if let Some(other) = other {
            player(draft, other, !is_black);
        }
        return true;
    }
    match title.as_str() {
        "date" | "played" | "日付" if is_date(value) => draft.set_date("Date", value),
        "event" | "tournament" | "大会" => draft.game.event = fact(value),
        "round" => draft.game.round = fact(value),
        "result" | "score" | "結果" => draft.game.stated = Stated::read(value),
        "site" | "place" => draft.game.set_extra("Site", value),
        "game id" | "id" => draft.game.set_extra("Id", value),
        "time control" => draft.game.time_control = fact(value),
        _ => return false,
    }
    true
}

/// A name, and the text behind the other side's title in the same line.
fn before_the_other<'a>(value: &'a str, titles: &[&str]) -> (&'a str, Option<&'a str>) {
    for (at, mark) in value.char_indices().filter(|(_, c)| matches!(c, ':' | '：' | '=')) {
        let before = value.get(..at).unwrap_or_default().trim_end();
        let behind = value.get(at + mark.len_utf8()..).unwrap_or_default().trim();
        let word = before.split(char::is_whitespace).next_back().unwrap_or_default();
        if titles.contains(&word.to_lowercase().as_str()) && !behind.is_empty() {
            let name = before.get(..before.len() - word.len()).unwrap_or_default();
            return (name.trim().trim_end_matches([',', ';', '/', '-', '|']).trim(), Some(behind));
        }
    }
    (value, None)
}

/// A name and the rating behind it in parentheses.
pub(super) fn rated(text: &str) -> Option<(&str, &str)> {
    let is_rating = |text: &str| {
        (3..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (name, number) = text.trim().strip_suffix(')')?.rsplit_once('(')?;
    (is_rating(number) && fact(name).is_some()).then_some((name, number))
}

/// A player's name, perhaps with a rating in parentheses.
pub(super) fn player(draft: &mut Draft, text: &str, is_black: bool) {
    let player = if is_black { &mut draft.game.black } else { &mut draft.game.white };
    match rated(text) {
        Some((name, number)) => (player.name, player.rating) = (fact(name), rating(number)),
        None => player.name = fact(text),
    }
}

/// Whether a text is a date with its day, perhaps with the time of the day, and nothing else.
pub(super) fn is_date(text: &str) -> bool {
    const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let text = text.trim();
    if text.len() > LONGEST_DATE {
        return false;
    }
    let Some((date, _)) = Date::read(text) else { return false };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut numbers = 0;
    let is_part = |part: &str| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let behind = part.get(digits..).unwrap_or_default();
        let letters = behind.to_ascii_lowercase();
        let is_day = |word: &str| word.get(..3).is_some_and(|word| DAYS.contains(&word));
        let is_month =
            date.month().is_some() && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        match digits {
            0 => is_day(&letters) || (is_month && letters.len() >= 3 && is_english_month(&letters)),
            _ if behind.is_empty() => {
                numbers += 1;
                digits <= 4 || (digits == 8 && text.len() == 8)
            }
            _ => matches!(letters.as_str(), "st" | "nd" | "rd" | "th") || is_japanese(part),
        }
    };
    let is_time = |word: &str| {
        let word = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        word.contains(':') && word.split([':', '.']).all(is_number)
    };
    let words = text.split([' ', ',', '(', ')', 'T']).filter(|word| !word.is_empty());
    let are_parts = words
        .filter(|word| !is_time(word))
        .flat_map(|word| word.split(['-', '/', '.']).filter(|part| !part.is_empty()))
        .all(is_part);
    // A number or two alone may be anything, and a month is no day.
    let has_three = date.day().is_some() || numbers >= 3;
    are_parts && has_three
}

fn is_english_month(word: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    word == "sept" || MONTHS.iter().any(|month| *month == word || month.get(..3) == Some(word))
}

/// `2019年5月4日`
fn is_japanese(part: &str) -> bool {
    part.ends_with(['日', '土']) && part.chars().all(|c| c.is_ascii_digit() || "年月日".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::{read_all, read_text};

    const MOVES: &str = "f5d6c3d3c4";
    const MOVES_ON: &str = "f4f6g5e3f7";

    #[test]
    fn dates_are_told_from_other_text() {
        for text in [
            "2019-05-04",
            "4 May 2019",
            "May 4, 2019",
            "04.05.2019",
            "04/05/2019",
            "2019/5/4",
            "2019年5月4日",
            "20190504",
            "Sat May 4 2019",
            "2019-05-04 12:33:18",
            "2019/05/04 (Sat)",
            "2019-05-04T12:33:18Z",
            "4th May 2019",
            "4-May-2019",
        ] {
            assert!(is_date(text), "{text}");
        }
        for text in [
            "",
            "2019",
            "May 2019",
            "Club Cup 2019",
            "4 May 2019 Ann",
            "May Lee 2019",
            "940607137",
            "f5d6c3",
            "40-24",
            "1. f5 d6",
            "Round 3, 2019",
            "28 mai 2006",
            "12:30",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn a_date_on_a_line_of_its_own_belongs_to_the_game_beside_it() {
        for text in [
            format!("2019-05-04\n{MOVES}\n"),
            format!("4 May 2019\n\n{MOVES}\n"),
            format!("{MOVES}\nMay 4, 2019\n"),
            format!("04.05.2019\nAnn - Bob\n{MOVES}\n40-24\n"),
            format!("Ann - Bob\nDate: 2019-05-04 12:33\n\n{MOVES}\n40-24\n"),
            format!("Ann 40-24 Bob\n2019-05-04\n{MOVES}\n"),
            format!("{MOVES}\n40-24\n2019-05-04\n\n{MOVES}"),
        ] {
            let game = read_text(&text).remove(0).game;
            assert_eq!(
                game.date.map(|date| date.to_string()).as_deref(),
                Some("2019-05-04"),
                "{text}"
            );
            assert_eq!(game.moves.len(), 5, "{text}");
        }
        // Which of both is the day is not said.
        let game = read_text(&format!("04/05/2019\n{MOVES}")).remove(0).game;
        assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2019"));
        assert_eq!(game.extra["Date"], "04/05/2019");
        // Each game has its own.
        let games = read_text(&format!("2019-05-04\n{MOVES}\n2019-05-05\n{MOVES}\n"));
        let dates: Vec<_> =
            games.iter().filter_map(|read| read.game.date).map(|date| date.to_string()).collect();
        assert_eq!(dates, ["2019-05-04", "2019-05-05"]);
        let (games, defects) = read_all(&format!("{MOVES}\n\n2019-05-04\n"));
        assert_eq!(games.len(), 1);
        assert!(
            defects[0].starts_with("test:3 (game 2): found \"2019-05-04\", expected moves"),
            "{}",
            defects[0]
        );
    }

    #[test]
    fn titles_name_what_stands_behind_them() {
        for head in [
            "Black: Ann Lee\nWhite: Bob Ray\nResult: 40-24\n\n",
            "White: Bob Ray\nBlack: Ann Lee\nScore: 40 - 24\n",
            "Black: Ann Lee  White: Bob Ray\nBlack wins 40-24\n",
            "黒：Ann Lee 白：Bob Ray\n40対24\n",
        ] {
            let game = read_text(&format!("{head}Moves: {MOVES}\n")).remove(0).game;
            let names =
                [&game.black, &game.white].map(|player| player.name.as_deref().unwrap_or_default());
            assert_eq!(names, ["Ann Lee", "Bob Ray"], "{head}");
            assert_eq!(
                game.stated.map(|stated| stated.to_string()).as_deref(),
                Some("40-24"),
                "{head}"
            );
            assert_eq!(game.moves.len(), 5);
        }
        let text = format!(
            "Event: Cup\nRound: 3\nDate: 2019-05-04\nBlack: ann (1500)\nWhite: bob (JPN)\n\n{MOVES}\n"
        );
        let games = read_text(&format!("{text}\n{text}"));
        assert_eq!(games.len(), 2);
        let game = &games[1].game;
        assert_eq!((game.event.as_deref(), game.round.as_deref()), (Some("Cup"), Some("3")));
        assert_eq!((game.black.name.as_deref(), game.black.rating), (Some("ann"), Some(1500.0)));
        assert_eq!((game.white.name.as_deref(), game.white.rating), (Some("bob (JPN)"), None));
        // A title that is no fact costs none of the facts below it.
        let (games, defects) = read_all(&format!("Game 1\nBlack: Ann\nWhite: Bob\n\n{MOVES}\n"));
        assert_eq!((games.len(), defects.len()), (1, 0), "{defects:?}");
        assert_eq!(games[0].game.white.name.as_deref(), Some("Bob"));
        let game = read_text(&format!("Ann\t12\t52\tBob\t{MOVES}{MOVES_ON}\n")).remove(0).game;
        assert_eq!((game.black.name, game.extra["Header"].as_str()), (None, "Ann 12 52 Bob"));
        let (games, defects) = read_all(&format!("Black: Ann\nBlack: Bob\n{MOVES}\n"));
        assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
    }

    #[test]
    fn results_in_words_stand_under_above_and_behind_the_moves() {
        for (said, shown) in [
            ("40-24 on time", "40-24 (time)"),
            ("Black wins 40-24", "40-24"),
            ("64-0 (resigned)", "64-0 (resigned)"),
            ("33:31 time forfeit", "33-31 (time)"),
            ("White resigned", "1-0 (resigned)"),
            ("40 - 24", "40-24"),
            ("40:24", "40-24"),
            ("40: 24", "40-24"),
            ("Black 40 White 24", "40-24"),
            ("B+16", "+16"),
        ] {
            for text in [
                format!("{MOVES}\n{said}\n"),
                format!("{said}\n{MOVES}\n"),
                format!("{MOVES} {said}\n"),
            ] {
                let game = read_text(&text).remove(0).game;
                assert_eq!(
                    game.stated.map(|stated| stated.to_string()).as_deref(),
                    Some(shown),
                    "{text}"
                );
                assert_eq!((game.moves.len(), game.extra.len()), (5, 0), "{text}");
            }
        }
        for text in [format!("{MOVES}\n*\n"), format!("{MOVES} *\n")] {
            assert_eq!(read_text(&text)[0].game.stated, None);
        }
    }
}
