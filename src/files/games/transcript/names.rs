//! The players and the date of a game of a transcript: `one 25-39 two`, `one - two`, perhaps behind
//! a date.

use super::colours::ordered;
use super::discs::have_discs;
use super::facts::{is_date, is_japanese, player, rated, without_time};
use crate::files::games::date::Date;
use crate::files::games::draft::{Draft, fact};
use crate::files::games::result_words::read_result;
use crate::files::games::stated::{Stated, StatedScore, read_pair};
use crate::othello::board::move_text::squares_in;

/// Words of a name without a colon or a result.
const MOST_WORDS: usize = 4;

/// Both players, and perhaps how their game ended and what else is said of it.
pub(super) struct Names<'a> {
    black: &'a str,
    white: &'a str,
    score: Option<StatedScore>,
    remark: Option<&'a str>,
    event: Option<&'a str>,
}

impl<'a> Names<'a> {
    /// Names without the marks that separate them from other text.
    fn new(black: &'a str, white: &'a str, score: Option<StatedScore>) -> Self {
        let (white, event) = match event_behind(black, white) {
            Some((white, event)) => (white, Some(event)),
            None => (white, None),
        };
        let bare = |name: &'a str| {
            name.trim_matches(|mark: char| {
                mark.is_whitespace() || ",;:-\u{2013}\u{2014}".contains(mark)
            })
        };
        let (white, remark) = without_remark(black, white);
        // The number of the game in a list: `1. Ann`, `2) Ann`.
        let number = black.trim_start().split_once(['.', ')']);
        let black = match number {
            Some((number, name))
                if !number.is_empty()
                    && is_number(number)
                    && name.starts_with(char::is_whitespace) =>
            {
                name
            }
            _ => black,
        };
        Self { black: bare(black), white: bare(white), score, remark, event }
    }

    /// Names on both sides of a result, or on one of them.
    fn beside_a_result(text: &'a str) -> Option<Self> {
        let (black, score, white) = header_of_two(text)?;
        let (name, remark) = without_remark(black, white);
        let (black, white) = match (black.trim(), name.trim()) {
            ("", both) | (both, "") => two_names(both).unwrap_or((black, name)),
            each => each,
        };
        let names = Self::new(black, white, score);
        Some(Self { remark: remark.or(names.remark), ..names })
    }

    /// Whether neither holds fields of a table, of which it is unknown which are the names.
    fn are_whole(&self) -> bool {
        !self.black.contains('\t') && !self.white.contains('\t')
    }

    /// Whether they are the name of an event and a part of it: `World Championship - Final`, `Game vs Bob`.
    fn are_of_an_event(&self) -> bool {
        let part = self.white.split_whitespace().next().unwrap_or_default();
        names_an_event(self.black) || names_an_event(part)
    }

    /// Sets them.
    pub(super) fn put(self, draft: &mut Draft) {
        let (black, white, score) = ordered(self.black, self.white, self.score);
        player(draft, black, true);
        player(draft, white, false);
        draft.add_result(score.map(Stated::score));
        match self.remark {
            Some(date) if is_date(date) => draft.set_date("Date", date),
            Some(remark) => match read_result(remark) {
                Some(stated) => draft.add_result(Some(stated)),
                None => draft.game.set_extra("Comment", remark),
            },
            None => {}
        }
        if let Some(event) = self.event {
            draft.game.event = fact(event);
            let year =
                event.split([' ', ',', '-']).filter(|word| word.len() == 4 && is_number(word));
            let mut years = year.filter_map(|year| Date::new(year.parse().ok()?, None, None));
            draft.game.date = draft.game.date.or(years.next());
        }
    }
}

/// Beginnings of words in the names of events.
const EVENTS: [&str; 22] = [
    "cup", "open", "champ", "tourn", "league", "grand", "festival", "masters", "coupe", "tournoi",
    "turnier", "pokal", "meister", "torneo", "copa", "camp", "toernooi", "beker", "memorial",
    "olymp", "woc", "egp",
];

/// Words of events and of parts of them, which no name holds.
const EVENT_WORDS: &str = "championship championships champs tournament cup open league prix festival final finals \
    semifinal semifinals semi-final semi-finals quarterfinal quarterfinals quarter-final quarter-finals round \
    runde ronde game match partie opening variation coupe championnat tournoi finale turnier pokal meisterschaft \
    torneo copa campionato campeonato toernooi olympiad woc egp";

/// Whether a text has a word of an event in it.
pub(super) fn names_an_event(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    let words =
        words.map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase());
    let mut words = words.filter(|word| !word.is_empty());
    words.any(|word| EVENT_WORDS.split_whitespace().any(|known| known == word))
}

/// White's name, and the event behind it: `Bob, Cup 2011`. Where Black's name has a comma, too, both are of
/// people whose last names come first.
fn event_behind<'a>(black: &str, white: &'a str) -> Option<(&'a str, &'a str)> {
    let (name, event) = white.split_once(',')?;
    let is_called_so = |word: &str| {
        let word = word.to_lowercase();
        word.bytes().any(|byte| byte.is_ascii_digit())
            || EVENTS.iter().any(|known| word.starts_with(known))
    };
    let is_event = event.split_whitespace().any(is_called_so)
        && event.contains(char::is_alphabetic)
        && !is_date(event)
        && read_result(event).is_none()
        && header_of_two(event).is_none();
    (is_event && !black.contains(',') && !name.trim().is_empty()).then_some((name, event.trim()))
}

/// White's name, and the facts of the game behind it: a date, or text in brackets alone, or with a number
/// where Black's name has none.
fn without_remark<'a>(black: &str, white: &'a str) -> (&'a str, Option<&'a str>) {
    let white = white.trim();
    let in_brackets = |open: char, close: char| white.strip_suffix(close)?.rsplit_once(open);
    if let Some((name, inside)) = in_brackets('(', ')').or_else(|| in_brackets('[', ']')) {
        let is_rating = (3..=4).contains(&inside.len())
            && is_number(inside)
            && !matches!(inside.parse(), Ok(1900..=2100_u16));
        let is_of_players =
            black.trim().ends_with([')', ']']) || !inside.contains(char::is_numeric) || is_rating;
        return match name.trim().is_empty() || !is_of_players {
            true => (name, Some(inside)),
            false => (white, None),
        };
    }
    let (name, last) = white.rsplit_once(char::is_whitespace).unwrap_or(("", white));
    match is_date(white) {
        true => ("", Some(white)),
        false if is_date(last) => (name, Some(last)),
        false => (white, None),
    }
}

/// `one 25-39 two`, `one - two 25-39`, and on a line of its own `one - two`, unless there may be moves in it.
pub(super) fn names_alone(text: &str, has_moves: bool) -> Option<Names<'_>> {
    let is_word = |word: &str| {
        let mut letters = word.chars();
        // A move that is cut off, or whose square there is none of.
        let is_letter = letters.next().is_some_and(|first| first.is_ascii_alphabetic());
        let second = letters.next();
        let is_cut = has_moves && is_letter && second.is_none();
        let is_digit = second.is_some_and(|second| second.is_ascii_digit());
        let is_wrong = is_letter && is_digit && letters.next().is_none();
        squares_in(word) == 0 && !is_cut && !is_wrong
    };
    let is_name = |text: &str| {
        !text.contains(':')
            && text.contains(char::is_alphabetic)
            && text.split_whitespace().all(is_word)
    };
    let found = match Names::beside_a_result(text) {
        Some(names) => names,
        None if has_moves => return None,
        None => {
            let (black, white) = two_names(text)?;
            let names = Names::new(black, white, None);
            // Other lines have dashes, too.
            let is_short = |text: &str| text.split_whitespace().count() <= MOST_WORDS;
            let is_person = |text: &str| {
                let text = without_time(text);
                let name = rated(text).map_or(text, |(name, _)| name);
                is_short(name) && name.split_whitespace().enumerate().all(is_of_a_name)
            };
            let are_people = !names.are_of_an_event()
                && ((is_person(names.black) && is_person(names.white))
                    || have_discs(names.black, names.white));
            let is_fact = |remark| is_date(remark) || read_result(remark).is_some();
            let is_plain = names.remark.is_none_or(is_fact);
            (is_plain && are_people).then_some(names)?
        }
    };
    (is_name(found.black) && is_name(found.white) && found.are_whole()).then_some(found)
}

/// Whether a word may be one of a name: numbers alone are those of rounds and years, but programs have versions.
fn is_of_a_name((index, word): (usize, &str)) -> bool {
    let letters = || word.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_version = || {
        let mut numbers = word.trim_start_matches('v').split('.');
        index > 0
            && numbers.clone().count() > 1
            && numbers.all(|part| !part.is_empty() && is_number(part))
    };
    !word.contains(char::is_numeric)
        || (word.starts_with(char::is_alphabetic) && letters() > 1)
        || is_version()
}

/// A date that a line begins with, and the text behind it.
pub(super) fn behind_a_date(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.split_once(char::is_whitespace)?;
    let date = word.trim_end_matches([':', ',', ';']);
    let date = date.strip_prefix('[').and_then(|date| date.strip_suffix(']')).unwrap_or(date);
    let parts = || date.split(['.', '-', '/']);
    let are_numbers = parts().all(|part| matches!(part.len(), 1 | 2 | 4) && is_number(part));
    let is_date = parts().count() == 3
        && are_numbers
        && parts().filter(|part| part.len() == 4).count() == 1
        && Date::read(date).is_some();
    let is_date = is_date || is_japanese(date) && Date::read(date).is_some();
    is_date.then_some((date, rest.trim()))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `one 25-39 two`.
pub(super) fn header_of_two(header: &str) -> Option<(&str, Option<StatedScore>, &str)> {
    let mut from = 0;
    for word in header.split_whitespace() {
        let at = from + header.get(from..)?.find(word)?;
        from = at + word.len();
        let score = match read_pair(word) {
            score @ Some(StatedScore::Discs { .. }) => score,
            None if word == "0-0" || word == "?-?" => None,
            _ => continue,
        };
        return Some((header.get(..at)?, score, header.get(from..)?));
    }
    None
}

/// What a header says: names and a result, names alone, or something else.
pub(super) fn names(draft: &mut Draft, header: &str) {
    let header = header.trim();
    let two = || {
        let names = two_names(header).map(|(black, white)| Names::new(black, white, None));
        names.filter(|names| !names.are_of_an_event())
    };
    match Names::beside_a_result(header).or_else(two) {
        Some(names) if names.are_whole() => names.put(draft),
        _ if header.chars().any(char::is_alphabetic) => draft.game.set_extra("Header", header),
        _ => {}
    }
}

/// `one - two`.
fn two_names(text: &str) -> Option<(&str, &str)> {
    let marks = [" - ", " \u{2013} ", " \u{2014} ", " vs. ", " vs ", " VS ", " v ", "\t"];
    // Of more fields than two it is unknown which are the names.
    let is_table = text.matches('\t').count() > 1;
    let mut known = marks.into_iter().filter(|&mark| mark != "\t" || !is_table);
    // Columns of a fixed width.
    let in_columns = || {
        let (black, white) = text.trim().split_once("  ")?;
        let white = white.trim_start();
        let is_name = |name: &str| name.starts_with(char::is_alphabetic) && !name.contains("  ");
        (is_name(black) && is_name(white)).then_some((black, white))
    };
    known.find_map(|mark| text.split_once(mark)).or_else(in_columns)
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_all, read_text};
    use crate::othello::board::Side;

    const MOVES: &str = "f5d6c3d3c4";

    #[test]
    fn names_stand_in_lists_and_columns() {
        for text in [
            "1. Ann - Bob 44-20 f5d6c3d3c4",
            "2) Ann - Bob 44-20: f5d6c3d3c4",
            "Ann        Bob        44-20  f5d6c3d3c4",
            "[2019-05-03] Ann - Bob 44-20: f5d6c3d3c4",
            "**Black:** Ann\n**White:** Bob\nResult: 44/20\n\nf5d6c3d3c4",
            "Black - Ann\nWhite - Bob\n44-20\nf5d6c3d3c4",
            "▲Ann △Bob\n44-20\nf5d6c3d3c4",
            "黒 Ann\n白 Bob\n44-20\nf5d6c3d3c4",
            "Black: Ann (44)\nWhite: Bob (20 discs)\nf5d6c3d3c4",
            "...........................ox......xo...........................F5D6C3D3C4% Ann 44-20 Bob",
        ] {
            let game = read_text(&format!("{text}\n")).remove(0).game;
            let names = [&game.black, &game.white].map(|one| one.name.as_deref());
            assert_eq!(names, [Some("Ann"), Some("Bob")], "{text}");
            let stated = game.stated.map(|stated| stated.to_string());
            assert_eq!(stated.as_deref(), Some("44-20"), "{text}");
        }
        // Columns of a score sheet name no player.
        let sheet = "No\tBlack\tWhite\n1\tf5\td6\n2\tc3\td3\n";
        assert_eq!(read_text(sheet)[0].game.black.name, None);
        // Which side is to move the moves show, or else the number of discs.
        let board = "...........................ox......xo...........................";
        assert_eq!(read_text(&format!("{board} e3\n"))[0].game.start.side, Side::White);
        assert_eq!(read_text(&format!("{board} f5d6\n"))[0].game.start.side, Side::Black);
    }

    #[test]
    fn what_stands_behind_the_names_is_none() {
        for (line, names, remark, date) in [
            ("Ann - Bob 44-20 (WOC 2019)", ["Ann", "Bob"], Some("WOC 2019"), None),
            ("Ann - Bob 44-20 [final]", ["Ann", "Bob"], Some("final"), None),
            ("Ann 44-20 Bob (WOC 2019)", ["Ann", "Bob"], Some("WOC 2019"), None),
            ("Ann - Bob (WOC 2019) 44-20", ["Ann", "Bob"], Some("WOC 2019"), None),
            ("Ann\tBob\t44-20\t2024-05-06", ["Ann", "Bob"], None, Some("2024-05-06")),
            ("Ann 44-20 Bob, 2024-05-06", ["Ann", "Bob"], None, Some("2024-05-06")),
            ("Ann - Bob 44-20 (2024-05-06)", ["Ann", "Bob"], None, Some("2024-05-06")),
            ("Bob (W) 20-44 Ann (B)", ["Ann", "Bob"], None, None),
            ("Ann - Bob 44:20", ["Ann", "Bob"], None, None),
            ("Ann 44 : 20 Bob", ["Ann", "Bob"], None, None),
            ("Ann [1720] 44-20 Bob [1650]", ["Ann [1720]", "Bob [1650]"], None, None),
            ("Ann 44-20 Bob (JPN)", ["Ann", "Bob (JPN)"], None, None),
        ] {
            for text in [
                format!("{line} {MOVES}"),
                format!("{line}: {MOVES}"),
                format!("{line}\n{MOVES}"),
                format!("{MOVES} {line}"),
            ] {
                let game = read_text(&text).remove(0).game;
                let found = [game.black.name, game.white.name].map(Option::unwrap_or_default);
                assert_eq!((found, game.moves.len()), (names.map(str::to_owned), 5), "{text}");
                let stated = game.stated.map(|stated| stated.to_string());
                assert_eq!(stated.as_deref(), Some("44-20"), "{text}");
                assert_eq!(game.extra.get("Comment").map(String::as_str), remark, "{text}");
                let day = game.date.map(|date| date.to_string());
                assert_eq!(day.as_deref(), date, "{text}");
            }
        }
    }

    #[test]
    fn titles_with_a_dash_name_no_players() {
        for title in
            ["World Championship - Final", "Game vs Bob", "Paris - Round2", "Coupe - Finale"]
        {
            for text in [format!("{title}\n{MOVES}"), format!("{title}: {MOVES}")] {
                let game = read_text(&text).remove(0).game;
                assert_eq!((game.black.name, game.moves.len()), (None, 5), "{text}");
                assert!(game.extra.values().any(|said| said == title), "{text}");
            }
        }
        for line in
            ["Campbell - Masters", "Openshaw vs Gamer", "Ann - Bob (final)", "Ann - Bob, Cup 2011"]
        {
            let game = read_text(&format!("{line}\n{MOVES}")).remove(0).game;
            assert!(game.black.name.is_some(), "{line}");
        }
    }

    #[test]
    fn of_more_fields_nobody_knows_which_are_the_names() {
        let line = "Ann\tBob\t44-20\tWOC";
        let game = read_text(&format!("{line}\t{MOVES}")).remove(0).game;
        assert_eq!((game.black.name, game.extra["column 4"].as_str()), (None, "WOC"));
        let (games, defects) = read_all(&format!("{line}\n{MOVES}\n"));
        assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
    }
}
