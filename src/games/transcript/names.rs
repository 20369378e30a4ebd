//! Who played a game of a transcript, and when: `one 25-39 two`, `one - two`, perhaps behind a date.

use super::colours::ordered;
use crate::games::date::Date;
use crate::games::draft::{Draft, fact};
use crate::games::move_text::squares_in;
use crate::games::stated::{Stated, StatedScore, read_pair};

/// Words of a name that stands without a colon or a result.
const MOST_WORDS: usize = 4;

/// Both players, and perhaps how their game ended.
pub(super) struct Names<'a> {
    black: &'a str,
    white: &'a str,
    score: Option<StatedScore>,
}

impl<'a> Names<'a> {
    /// Names without the marks that part them from what stands beside them.
    fn new(black: &'a str, white: &'a str, score: Option<StatedScore>) -> Self {
        let bare = |name: &'a str| {
            name.trim_matches(|mark: char| {
                mark.is_whitespace() || ",;:-\u{2013}\u{2014}".contains(mark)
            })
        };
        Self { black: bare(black), white: bare(white), score }
    }

    /// Sets them.
    pub(super) fn put(self, draft: &mut Draft) {
        let (black, white, score) = ordered(self.black, self.white, self.score);
        draft.game.black.name = fact(black);
        draft.game.white.name = fact(white);
        draft.add_result(score.map(Stated::score));
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
    let found = match header_of_two(text) {
        Some((black, score, white)) => {
            let (black, white) = parted(black, white)?;
            Names::new(black, white, Some(score))
        }
        None if has_moves => return None,
        None => {
            let (black, white) = two_names(text)?;
            // Other lines have dashes, too.
            let is_short = |text: &str| text.split_whitespace().count() <= MOST_WORDS;
            let is_person = |text: &str| is_short(text) && !text.contains(char::is_numeric);
            (is_person(black) && is_person(white)).then_some(Names::new(black, white, None))?
        }
    };
    (is_name(found.black) && is_name(found.white)).then_some(found)
}

/// What stands on both sides of a result as two names: they may stand on one side of it.
fn parted<'a>(black: &'a str, white: &'a str) -> Option<(&'a str, &'a str)> {
    match (black.trim(), white.trim()) {
        ("", both) | (both, "") => two_names(both),
        each => Some(each),
    }
}

/// A date that a line begins with, and what stands behind it.
pub(super) fn behind_a_date(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.split_once(char::is_whitespace)?;
    let date = word.trim_end_matches([':', ',', ';']);
    let parts = || date.split(['.', '-', '/']);
    let are_numbers = parts().all(|part| matches!(part.len(), 1 | 2 | 4) && is_number(part));
    let is_date = parts().count() == 3
        && are_numbers
        && parts().filter(|part| part.len() == 4).count() == 1
        && Date::read(date).is_some();
    is_date.then_some((date, rest.trim()))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `one 25-39 two`.
pub(super) fn header_of_two(header: &str) -> Option<(&str, StatedScore, &str)> {
    let mut from = 0;
    for word in header.split_whitespace() {
        let at = from + header.get(from..)?.find(word)?;
        from = at + word.len();
        if let Some(score @ StatedScore::Discs { .. }) = read_pair(word) {
            return Some((header.get(..at)?, score, header.get(from..)?));
        }
    }
    None
}

/// What a header says: names and a result, names alone, or something else.
pub(super) fn names(draft: &mut Draft, header: &str) {
    let header = header.trim();
    let game = &mut draft.game;
    if let Some((black, score, white)) = header_of_two(header) {
        let (black, white) = parted(black, white).unwrap_or((black, white));
        let (black, white, score) = ordered(black, white, Some(score));
        game.black.name = fact(black);
        game.white.name = fact(white);
        game.stated = score.map(Stated::score);
        return;
    }
    if let Some((black, white)) = two_names(header) {
        let (black, white, _) = ordered(black, white, None);
        game.black.name = fact(black);
        game.white.name = fact(white);
    } else if header.chars().any(char::is_alphabetic) {
        game.set_extra("Header", header);
    }
}

/// `one - two`.
fn two_names(text: &str) -> Option<(&str, &str)> {
    let marks = [" - ", " \u{2013} ", " \u{2014} ", " vs. ", " vs ", " VS ", " v ", "\t"];
    // Of more fields than two nobody knows which are the names.
    let is_table = text.matches('\t').count() > 1;
    let mut known = marks.into_iter().filter(|&mark| mark != "\t" || !is_table);
    known.find_map(|mark| text.split_once(mark))
}
