//! Dates of a transcript: alone on a line, or before a game.

use crate::files::games::date::Date;

/// The most bytes of a date with its time of day: what is left of a line with thousands of games is none.
const LONGEST_DATE: usize = 100;

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

/// A date that a line begins with, and the text behind it.
pub(super) fn behind_a_date(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.split_once(char::is_whitespace)?;
    let date = word.trim_end_matches([':', ',', ';']);
    let date = date.strip_prefix('[').and_then(|date| date.strip_suffix(']')).unwrap_or(date);
    is_date(date).then_some((date, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
