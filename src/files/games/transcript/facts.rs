//! Lines of facts alone: a date, how a game ended, and what a title names: `Black: Ann (1500)`, `Round: 3`.

use super::names::{header_of_two, names_alone};
use super::players::{bare_name, behind_a_side, player};
use super::result::result_in_words;
use crate::files::fault::Place;
use crate::files::games::date::Date;
use crate::files::games::draft::Draft;
use crate::files::games::said::is_meant_as_a_board;
use crate::files::games::stated::is_unknown;
use crate::files::games::vocabulary::{Label, label_of};
use crate::othello::board::move_text::{MoveText, squares_in};
use crate::othello::board::{board_in, side_to_move};

/// The most bytes of a date with its time of day: what is left of a line with thousands of games is none.
const LONGEST_DATE: usize = 100;

/// The facts of a line that holds nothing else.
pub(super) fn facts_alone(line: &str, place: Place) -> Option<Draft> {
    let mut draft = Draft::new(place);
    if is_date(line) {
        draft.set_date("Date", line);
        return Some(draft);
    }
    // Behind the title of a side stands a name, whatever it means elsewhere: `Black: Draw`.
    let is_of_a_side = line.split_once([':', '：']).is_some_and(|(title, name)| {
        matches!(label_of(title), Some(Label::Black | Label::White))
            && !name.contains(|c: char| c.is_numeric())
            && name.contains(char::is_alphabetic)
    });
    draft.game.stated = if is_of_a_side { None } else { result_in_words(line) };
    if draft.game.stated.is_some() || is_unknown(line) && line != "--" {
        return Some(draft);
    }
    if has_both_titles(&mut draft, line) || titled(&mut draft, line) {
        return Some(draft);
    }
    let words = line.split_whitespace().count();
    if words > 1 && words <= MOST_TURN_WORDS && side_to_move(line).is_some() {
        draft.say("turn", line);
        return Some(draft);
    }
    is_player_alone(line).then(|| {
        draft.said.in_order.push(line.to_owned());
        draft
    })
}

/// Whether a line is a name with a rating or a time of the clock behind it: `Ann (1500) 04:59`.
fn is_player_alone(line: &str) -> bool {
    let bare = bare_name(line);
    bare.len() < line.len()
        && bare.split_whitespace().count() <= MOST_NAME_WORDS
        && bare.starts_with(char::is_alphanumeric)
        && bare.contains(char::is_alphabetic)
        && !bare.contains([':', '：'])
        && behind_a_side(line).is_none()
        && names_alone(line, false).is_none()
        && !bare.split_whitespace().any(|word| squares_in(word) > 0)
}

/// Words of such a name.
const MOST_NAME_WORDS: usize = 4;

/// Words of a line that says whose turn it is.
const MOST_TURN_WORDS: usize = 4;

/// Whether a header names the moves behind it.
pub(super) fn is_title_of_moves(header: &str) -> bool {
    label_of(header) == Some(Label::Moves)
}

/// Words of a label that nothing is known of.
const MOST_LABEL_WORDS: usize = 3;

/// Words of what it says.
const MOST_VALUE_WORDS: usize = 30;

/// Takes what a title names.
fn titled(draft: &mut Draft, line: &str) -> bool {
    let marks = [':', '：', '=', '＝'];
    let parted = line.split_once(marks).or_else(|| {
        // `● Ann` and the like have no mark.
        let is_label = |text: &str| label_of(text).is_some();
        line.split_once('\t').filter(|(title, name)| is_label(title) && !is_label(name))
    });
    let is_side = |text: &str| matches!(label_of(text), Some(Label::Black | Label::White));
    // A player may be called White.
    let is_bare = |name: &str| {
        !is_side(name) && (name.ends_with(')') || !name.contains(|c: char| c.is_numeric()))
    };
    let dashed = || [" - ", " – ", " — "].into_iter().find_map(|dash| line.split_once(dash));
    let parted =
        parted.or_else(|| dashed().filter(|(title, name)| is_side(title) && is_bare(name)));
    let Some((title, value)) = parted else { return false };
    let (title, value) = (title.trim(), value.trim());
    let label = label_of(title);
    let squares = squares_in(value);
    match label {
        // What it names is not known, or stands below.
        Some(_) if value.is_empty() => true,
        Some(Label::Notes) => {
            draft.say(title, value);
            true
        }
        Some(Label::Start | Label::MaybeStart) => {
            let is_board =
                matches!(board_in(value), Some(Ok(board)) if board.behind.trim().is_empty());
            // `Board: 3` is a table of a tournament.
            let is_other =
                label == Some(Label::MaybeStart) && squares == 0 && !is_meant_as_a_board(value);
            if is_board || is_other {
                draft.say(title, value);
            }
            is_board || is_other
        }
        _ if squares > 1 || value.is_empty() => false,
        Some(Label::Black | Label::White) => {
            // `H4ck3r` is a name, `h4` is none.
            let mut moves = MoveText::new(value);
            let is_longer = moves.take().is_some() && moves.rest().starts_with(char::is_alphabetic);
            let is_name = (squares == 0 || is_longer) && value.contains(char::is_alphanumeric);
            if is_name {
                player(draft, value, label == Some(Label::Black), true);
            }
            is_name
        }
        Some(Label::Moves) => {
            let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
            if is_number {
                draft.say(title, value);
            }
            is_number
        }
        Some(Label::Players) => names_alone(value, false).is_some_and(|names| {
            names.put(draft);
            true
        }),
        Some(Label::Date) if !value.contains(char::is_numeric) => false,
        Some(Label::Result | Label::Score) => {
            draft.say_a_result(value);
            true
        }
        Some(Label::Round | Label::Year) if value.contains([':', '：']) => false,
        Some(_) => {
            draft.say(title, value);
            true
        }
        None if is_label(title) && is_value(value) => {
            draft.say(title, value);
            true
        }
        None => false,
    }
}

/// Whether a text before a colon may be a label that nothing is known of.
fn is_label(title: &str) -> bool {
    title.starts_with(char::is_alphabetic)
        && !title.contains(|c: char| c.is_ascii_digit())
        && title.split_whitespace().count() <= MOST_LABEL_WORDS
        && squares_in(title) == 0
}

/// Whether a text behind such a label says a fact: it is no result, no names, no address, and no moves.
fn is_value(value: &str) -> bool {
    value.split_whitespace().count() <= MOST_VALUE_WORDS
        && !value.starts_with("//")
        && squares_in(value) == 0
        && !value.split_whitespace().any(|word| squares_in(word) > 0)
        && result_in_words(value).is_none()
        && header_of_two(value).is_none()
        && names_alone(value, false).is_none()
}

/// Takes both sides of one line: `Black: Ann  White: Bob`.
fn has_both_titles(draft: &mut Draft, line: &str) -> bool {
    let Some((title, value)) = line.split_once([':', '：', '=']) else { return false };
    let is_black = match label_of(title) {
        Some(Label::Black) => true,
        Some(Label::White) => false,
        _ => return false,
    };
    let Some((name, other)) = before_the_other(value.trim(), is_black) else { return false };
    let is_name = |name: &str| squares_in(name) == 0 && name.contains(char::is_alphanumeric);
    // What follows the name is another fact: `White: Bob, Result: 40-24`.
    let parts = other.match_indices([',', ';', '|']).find_map(|(at, _)| {
        let (name, behind) = (other.get(..at)?, other.get(at + 1..)?);
        let (title, _) = behind.split_once([':', '：'])?;
        label_of(title).map(|_| (name.trim(), behind.trim()))
    });
    let (other, behind) = parts.unwrap_or((other, ""));
    let has_moves = |name: &str| name.split_whitespace().any(|word| squares_in(word) > 1);
    if !is_name(name) || !is_name(other) || has_moves(other) {
        return false;
    }
    player(draft, name, is_black, false);
    player(draft, other, !is_black, false);
    behind.is_empty() || titled(draft, behind)
}

/// A name, and the text behind the other side's title in the same line.
fn before_the_other(value: &str, is_black: bool) -> Option<(&str, &str)> {
    let other = if is_black { Label::White } else { Label::Black };
    value.char_indices().filter(|(_, c)| matches!(c, ':' | '：' | '=')).find_map(|(at, mark)| {
        let before = value.get(..at)?.trim_end();
        let behind = value.get(at + mark.len_utf8()..)?.trim();
        let word = before.split(char::is_whitespace).next_back()?;
        if label_of(word) != Some(other) || behind.is_empty() {
            return None;
        }
        let name = before.get(..before.len() - word.len())?;
        Some((name.trim().trim_end_matches([',', ';', '/', '-', '|', '、']).trim(), behind))
    })
}

/// The names of months and days in a date, which may be as short as three letters.
const NAMES: &str = "january february march april may june july august sept september october november december \
    monday tues tuesday wednesday thurs thursday friday saturday sunday";

/// Whether a text is a date with its day, perhaps with the time of the day, and nothing else.
pub(super) fn is_date(text: &str) -> bool {
    let text = text.trim();
    let read = (text.len() <= LONGEST_DATE).then(|| Date::read(text)).flatten();
    let Some((date, _)) = read else { return false };
    let is_digit = |c: char| c.is_ascii_digit();
    let is_name = |word: &str| {
        let known = |name: &str| name == word || name.get(..3) == Some(word);
        NAMES.split(' ').any(known)
    };
    let is_time = |word: &&str| {
        let word = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        word.contains(':') && word.split([':', '.']).all(|part| part.chars().all(is_digit))
    };
    let words = text.split([' ', ',', '(', ')', 'T']).filter(|word| !is_time(word));
    let parts = words.flat_map(|word| word.split(['-', '/', '.'])).filter(|part| !part.is_empty());
    let is_part = |part: &str| {
        let letters = part.trim_start_matches(is_digit);
        match part.len() - letters.len() {
            0 => is_name(&letters.to_ascii_lowercase()),
            digits if letters.is_empty() => digits <= 4 || text.len() == 8,
            // `2019年5月4日`
            _ if letters.ends_with(['日', '土']) => {
                part.chars().all(|c| is_digit(c) || "年月日".contains(c))
            }
            _ => ["st", "nd", "rd", "th"].contains(&letters),
        }
    };
    // A number or two alone may be anything, and a month is no day.
    let numbers = parts.clone().filter(|part| part.chars().all(is_digit)).count();
    (date.day().is_some() || numbers >= 3) && parts.clone().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::{read_all, read_text};

    const MOVES: &str = "f5d6c3d3c4";

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
            format!("{MOVES}\n\n2019-05-04\n"),
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
        let (games, defects) = read_all(&format!("2019-05-03\n{MOVES}\n\n2019-05-04\n"));
        assert_eq!(games.len(), 1);
        assert!(
            defects[0].starts_with("test:4 (game 2): found \"2019-05-04\", expected moves"),
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
        // A label that stands twice costs neither of both.
        let game =
            read_text(&format!("Event: Cup\nEvent: Final\nBlack: Ann\n{MOVES}\n")).remove(0).game;
        assert_eq!((game.event.as_deref(), &game.extra["also_Event"][..]), (Some("Cup"), "Final"));
        let (games, defects) = read_all(&format!("Black: Ann\nBlack: Bob\n{MOVES}\n"));
        assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
    }

    #[test]
    fn both_names_on_a_line_end_where_something_else_begins() {
        let game =
            read_text(&format!("Black: Ann, White: Bob, Result: 40-24\n{MOVES}\n")).remove(0).game;
        assert_eq!(game.white.name.as_deref(), Some("Bob"));
        assert_eq!(game.stated.map(|stated| stated.to_string()).as_deref(), Some("40-24"));
        let (games, _) = read_all(&format!("Black: Ann White: Bob {MOVES}\n{MOVES}f4\n"));
        assert!(games.iter().all(|read| {
            let name = read.game.white.name.as_deref();
            name.is_none_or(|name| name == "Bob")
        }));
        let game = read_text(&format!("黒：Ann\n白：Bob\n棋譜：{MOVES}f4\n")).remove(0).game;
        assert_eq!((game.moves.len(), game.black.name.as_deref()), (6, Some("Ann")));
        let game =
            read_text(&format!("Board: 3\nBlack: Ann\nWhite: Bob\n{MOVES}\n")).remove(0).game;
        assert_eq!(game.extra["Board"], "3");
        let game = read_text("Black: Ann\nWhite: Bob\nResult: 40-24\nf5d6c3\n").remove(0).game;
        assert_eq!((game.moves.len(), game.black.name.as_deref()), (3, Some("Ann")));
        let game = read_text("2011年5月6日 中島 33-31 村上 f5f6e6f4e3c5c4e7c6\n").remove(0).game;
        assert_eq!(game.black.name.as_deref(), Some("中島"));
        assert_eq!(game.date.map(|date| date.to_string()).as_deref(), Some("2011-05-06"));
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
