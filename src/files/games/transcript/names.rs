//! The players and the date of a game of a transcript: `one 25-39 two`, `one - two`, perhaps behind
//! a date.

use super::dates::is_date;
use super::players::{bare_name, discs_behind, ordered, player};
use crate::files::games::date::Date;
use crate::files::games::draft::{Draft, fact};
use crate::files::games::name_words::folded_name;
use crate::files::games::opening_list::{Opening, openings};
use crate::files::games::result_words::read_result;
use crate::files::games::stated::{Stated, StatedScore, read_short};
use crate::othello::board::move_text::squares_in;

/// Words of a name without a colon or a result.
const MOST_WORDS: usize = 4;

/// Both players, and perhaps how their game ended and what else is said of it.
pub(super) struct Names<'a> {
    black: &'a str,
    white: &'a str,
    stated: Option<Stated>,
    remark: Option<&'a str>,
    event: Option<&'a str>,
}

impl<'a> Names<'a> {
    /// Names without the marks that separate them from other text.
    fn new(black: &'a str, white: &'a str, stated: Option<Stated>) -> Self {
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
        Self { black: bare(black), white: bare(white), stated, remark, event }
    }

    /// Names on both sides of a result, or on one of them.
    fn beside_a_result(text: &'a str) -> Option<Self> {
        let of_two = header_of_two(text);
        let is_sure = of_two.is_some();
        let (black, stated, white) = of_two.or_else(|| header_of_a_winner(text))?;
        let (name, remark) = without_remark(black, white);
        let before = black.trim_end().trim_end_matches([',', ';', '(', '[']).trim();
        // `Ann - Bob, 40-24, Paris 2011`
        let apart = || {
            let behind = name.trim_start().strip_prefix([',', ';'])?.trim();
            Some((two_names(before)?, Some(behind).filter(|text| !text.is_empty())))
        };
        let ((black, white), behind) = match (before, name.trim()) {
            ("", both) | (both, "") => (two_names(both).unwrap_or((before, name)), None),
            each => apart().unwrap_or((each, None)),
        };
        let mut names = Self::new(black, white, stated);
        match behind {
            Some(event) if is_an_event(event) => names.event = Some(event),
            Some(_) => names.remark = behind,
            None => {}
        }
        let is_player = |text: &str| {
            text.contains(char::is_alphabetic) && is_person(text) && !names_an_event(text)
        };
        let are_players = is_sure || is_player(names.black) && is_player(names.white);
        are_players.then(|| Self { remark: remark.or(names.remark), ..names })
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

    /// Sets them; nothing is left behind them.
    pub(super) fn put(self, draft: &mut Draft) -> &'static str {
        let (black, white, stated) = ordered(self.black, self.white, self.stated);
        player(draft, black, true, false);
        player(draft, white, false, false);
        draft.add_result(stated);
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
        ""
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
    let is_behind = !black.contains(',') && !name.trim().is_empty();
    (is_behind && is_an_event(event)).then_some((name, event.trim()))
}

/// Whether a text behind names is an event: it has a word of one, or a number, and is no date and no result.
pub(super) fn is_an_event(text: &str) -> bool {
    let is_called_so = |word: &str| {
        let word = word.to_lowercase();
        word.bytes().any(|byte| byte.is_ascii_digit())
            || EVENTS.iter().any(|known| word.starts_with(known))
    };
    text.split_whitespace().any(is_called_so)
        && text.contains(char::is_alphabetic)
        && !is_date(text)
        && read_result(text).is_none()
        && header_of_two(text).is_none()
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
    let alone = white.trim_start_matches([',', ';']).trim_start();
    match is_date(alone) {
        true => ("", Some(alone)),
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
        None => {
            let (black, white) = two_names(text)?;
            if has_moves
                && !(is_parted_by_a_word(text)
                    && [black, white].into_iter().all(may_be_behind_moves))
            {
                return None;
            }
            let names = Names::new(black, white, None);
            // Other lines have dashes, too.
            let is_one = |text| is_person(bare_name(text));
            let are_people = !names.are_of_an_event()
                && ((is_one(names.black) && is_one(names.white))
                    || discs_behind(names.black, names.white).is_some());
            let is_fact = |remark| is_date(remark) || read_result(remark).is_some();
            let is_plain = names.remark.is_none_or(is_fact);
            (is_plain && are_people).then_some(names)?
        }
    };
    (is_name(found.black) && is_name(found.white) && found.are_whole()).then_some(found)
}

/// Whether no columns part the names of a text.
fn is_parted_by_a_word(text: &str) -> bool {
    !text.contains("  ") && !text.contains('\t')
}

/// Whether a name may stand behind moves without a result, where names of openings do, too.
fn may_be_behind_moves(name: &str) -> bool {
    let is_small = name.starts_with(|c: char| c.is_lowercase() || !c.is_alphabetic());
    let name = folded_name(name);
    let is_called_so = |opening: &Opening| opening.names().any(|known| folded_name(known) == name);
    !is_small && !openings().iter().any(is_called_so)
}

/// Whether a text may be a name: few words, and no numbers alone among them.
pub(super) fn is_person(name: &str) -> bool {
    name.split_whitespace().count() <= MOST_WORDS
        && name.split_whitespace().enumerate().all(is_of_a_name)
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

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `one 25-39 two`: what is before the discs, what they say, and what is behind them.
pub(super) fn header_of_two(header: &str) -> Option<(&str, Option<Stated>, &str)> {
    around(header, |word| match read_result(word) {
        Some(stated) if matches!(stated.score, Some(StatedScore::Discs { .. })) => {
            Some(Some(stated))
        }
        None if word == "0-0" || word == "?-?" => Some(None),
        _ => None,
    })
}

/// The same around a result that says less, `1-0`, `½`, `+16`, `W+R`, `draw`, or that none is known, `*`: other texts
/// have such words, too.
fn header_of_a_winner(header: &str) -> Option<(&str, Option<Stated>, &str)> {
    around(header, |word| {
        let is_number = is_number(word) || word.contains(['.', ',']);
        let is_word = word.chars().all(char::is_alphabetic);
        let is_draw = || matches!(word, "draw" | "drawn" | "tie" | "remis" | "引き分け");
        match read_short(word).or_else(|| read_result(word)) {
            Some(stated) if !is_number && (!is_word || is_draw()) && word != "=" => {
                stated.score.is_some().then_some(Some(stated))
            }
            None if word == "*" => Some(None),
            _ => None,
        }
    })
}

/// A text around the first of its words of which `read` makes something, without the marks around that word.
fn around<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<(&str, T, &str)> {
    text.split_whitespace().find_map(|word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let bare = word.trim_start_matches(['(', '[']).trim_end_matches([')', ']', ':']);
        let bare = bare.trim_end_matches([',', ';']);
        let end = at + (bare.as_ptr() as usize - word.as_ptr() as usize) + bare.len();
        let behind = text.get(end..)?.trim_start_matches([')', ']']);
        Some((text.get(..at)?, read(bare)?, behind))
    })
}

/// What a header says: names and a result, names alone, or something else.
pub(super) fn names(draft: &mut Draft, header: &str) {
    let header = header.trim();
    let two = || {
        let names = two_names(header).map(|(black, white)| Names::new(black, white, None));
        names.filter(|names| !names.are_of_an_event())
    };
    match Names::beside_a_result(header).or_else(two) {
        Some(names) if names.are_whole() => {
            names.put(draft);
        }
        _ if header.chars().any(char::is_alphabetic) => draft.game.set_extra("Header", header),
        _ => {}
    }
}

/// `one - two`.
fn two_names(text: &str) -> Option<(&str, &str)> {
    const VERSUS: [&str; 10] = ["vs", "vs.", "v", "v.", "versus", "対", "对", "對", "ｖｓ", "×"];
    let marks = [" - ", " \u{2013} ", " \u{2014} ", "\t"];
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
    let in_words = || {
        let (black, (), white) =
            around(text, |word| VERSUS.contains(&word.to_lowercase().as_str()).then_some(()))?;
        (!black.trim().is_empty() && !white.trim().is_empty())
            .then_some((black.trim(), white.trim()))
    };
    known.find_map(|mark| text.split_once(mark)).or_else(in_words).or_else(in_columns)
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
            ("Ann [1720] 44-20 Bob [1650]", ["Ann", "Bob"], None, None),
            ("Ann (44-20) Bob", ["Ann", "Bob"], None, None),
            ("Ann 44\u{2212}20 Bob", ["Ann", "Bob"], None, None),
            ("Ann 44/20 Bob", ["Ann", "Bob"], None, None),
            ("Ann Vs. Bob 44-20", ["Ann", "Bob"], None, None),
            ("Ann v. Bob 44-20", ["Ann", "Bob"], None, None),
            ("Ann - Bob, 44-20, 2024-05-06", ["Ann", "Bob"], None, Some("2024-05-06")),
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
    fn a_winner_stands_between_the_names_or_behind_them() {
        for (line, result) in [
            ("Ann 1-0 Bob", "1-0"),
            ("Ann 0-1 Bob", "0-1"),
            ("Ann - Bob 1/2-1/2", "1/2-1/2"),
            ("Ann \u{bd}-\u{bd} Bob", "1/2-1/2"),
            ("Ann - Bob +16", "+16"),
            ("Ann - Bob W+16", "-16"),
            ("Ann 1-0F Bob", "1-0 (forfeit)"),
            ("Ann - Bob 1-0 (time)", "1-0 (time)"),
            ("Ann 1:0 Bob", "1-0"),
            ("Ann - Bob draw", "1/2-1/2"),
            ("Bob (W) 1-0 Ann (B)", "0-1"),
        ] {
            for text in [format!("{line}\n{MOVES}"), format!("{line}: {MOVES}")] {
                let game = read_text(&text).remove(0).game;
                let names = [&game.black, &game.white].map(|one| one.name.as_deref());
                assert_eq!(names, [Some("Ann"), Some("Bob")], "{text}");
                let stated = game.stated.map(|stated| stated.to_string());
                assert_eq!(stated.as_deref(), Some(result), "{text}");
            }
        }
        let game = read_text(&format!("Ann - Bob, 40-24, Paris 2011\n{MOVES}")).remove(0).game;
        assert_eq!((game.event.as_deref(), game.extra.len()), (Some("Paris 2011"), 0));
        for text in ["Round 1-0", "Paris - Round 1/2", "Edax - 1/2"] {
            let game = read_text(&format!("{text}\n{MOVES}")).remove(0).game;
            assert_eq!((game.black.name, game.stated), (None, None), "{text}");
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
