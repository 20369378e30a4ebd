//! The result behind the moves of a transcript.

use crate::files::games::result_words::{MOST_PARTS, read_result};
use crate::files::games::stated::{Stated, StatedScore, read_pair, read_short};

/// Marks before a result: Logistello has a colon.
const BEFORE: [char; 3] = [':', '|', '='];

/// Marks around a result.
const AROUND: [char; 6] = ['(', ')', '[', ']', ',', ';'];

/// Blanks before the number of a game, behind a result: no line is looked through for it to its end.
const MOST_BLANKS: usize = 2 * MOST_PARTS;

/// The text behind the moves, without the marks before a result.
pub(super) fn without_marks(rest: &str) -> &str {
    let rest = rest.trim_start_matches(BEFORE).trim_start();
    let mut letters = rest.chars();
    // Zebra's lists have one character more behind the last move, people a dot.
    let is_filler =
        |c: char| (c.is_ascii_punctuation() && !matches!(c, '#' | '%' | '/')) || c == '。';
    let Some(filler) = letters.next().filter(|&first| is_filler(first)) else { return rest };
    let behind = letters.as_str();
    let is_before_a_difference =
        behind.starts_with(char::is_whitespace) && whole_difference(behind.trim()).is_some();
    let is_dot = matches!(filler, '.' | '。') && behind.trim().is_empty();
    if is_before_a_difference || is_dot { behind.trim_start() } else { rest }
}

/// Discs of both sides and nothing else: `27 37`.
pub(super) fn two_numbers(text: &str) -> Option<StatedScore> {
    let (black, white) = text.split_once(char::is_whitespace)?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (black, white) = (black, white.trim());
    let are_numbers =
        !black.is_empty() && !white.is_empty() && is_number(black) && is_number(white);
    are_numbers.then(|| read_pair(&format!("{black}-{white}"))).flatten()
}

/// The text behind the moves where all of it is a result in words, or one in more than one word. Plain
/// numbers mean something else.
pub(super) fn result_in_words(rest: &str) -> Option<Stated> {
    if let Some(short) = read_short(rest).filter(|_| rest.len() > 1 && !rest.contains(['+', '='])) {
        return Some(short);
    }
    let mut blanks = rest.match_indices(' ').take(MOST_BLANKS);
    let number =
        blanks.find(|&(at, _)| rest.get(at + 1..).is_some_and(|rest| rest.starts_with('#')));
    let rest = rest.get(..number.map_or(rest.len(), |(at, _)| at)).unwrap_or_default();
    let is_told = rest.contains(|c: char| c.is_alphabetic() || matches!(c, ':' | '–' | '—' | '−'))
        || rest.contains(" - ");
    read_result(rest).filter(|_| is_told)
}

/// A word that is a result: `47-17`, or the difference with its sign. Without one it must be the last
/// word: else it numbers a move.
pub(super) fn result(word: &str, is_last: bool) -> Option<Stated> {
    let word = word.trim_matches(AROUND);
    let signed =
        || signed(word).filter(|number| number.fract() == 0.0).map(StatedScore::Difference);
    let unsigned = || Some(word).filter(|_| is_last).and_then(whole_difference);
    read_pair(word).or_else(signed).or_else(unsigned).map(Stated::score)
}

/// Whether a text begins with what no game ends with and an engine says of a board: `+2.5`.
pub(super) fn is_value(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    is_decimal(word)
        || signed(word.trim_matches(AROUND)).is_some_and(|number| number.fract() != 0.0)
}

/// Whether a text is a number with decimals and without a sign: `0.5`.
pub(super) fn is_decimal(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('.').is_some_and(|(whole, parts)| is_number(whole) && is_number(parts))
}

/// A number of discs with its sign.
fn signed(word: &str) -> Option<f64> {
    let number: f64 = word.starts_with(['+', '-']).then(|| word.parse().ok())??;
    (number.abs() <= 64.0).then_some(number)
}

/// A difference as a whole number: `-36`, `12`.
fn whole_difference(text: &str) -> Option<StatedScore> {
    let number: i8 = text.parse().ok()?;
    (number.unsigned_abs() <= 64).then(|| StatedScore::Difference(f64::from(number)))
}
