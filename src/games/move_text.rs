//! Moves as text, in all the ways in which people and programs write them.

use super::replay::Played;
use crate::board::Square;

/// Characters of what is no move that are kept for a message.
const MOST_KEPT: usize = 20;

/// Takes moves from the front of a text: glued or parted by blanks and commas, in either case, with
/// or without numbers (`1. f5 d6 2. c3`), passes as `--`, `pa`, `ps` or `pass`.
#[derive(Clone, Copy)]
pub(super) struct MoveText<'a> {
    rest: &'a str,
}

impl<'a> MoveText<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// What has not been taken.
    pub(super) const fn rest(self) -> &'a str {
        self.rest
    }

    /// The next move or pass; none at the end, and where something else stands.
    pub(super) fn take(&mut self) -> Option<Played> {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n', ',', ';']);
            if let Some(rest) = self.rest.strip_prefix("--") {
                self.rest = rest;
                return Some(Played::Pass);
            }
            let skipped = match self.rest.as_bytes() {
                [b'-', b'>', ..] => 2,
                [b'-', next, ..] if !next.is_ascii_digit() => 1,
                // Logistello marks Black's moves.
                [b'+', column, row, ..] if Square::from_ascii(*column, *row).is_some() => 1,
                bytes => number_length(bytes),
            };
            if skipped == 0 {
                break;
            }
            self.rest = self.rest.get(skipped..).unwrap_or_default();
        }
        let (played, length) = pass_or_square(self.rest.as_bytes())?;
        self.rest = self.rest.get(length..).unwrap_or_default();
        Some(played)
    }

    /// Takes what stands there instead of a move; none at the end.
    pub(super) fn take_other(&mut self) -> Option<Played> {
        let mut characters = self.rest.chars();
        let first = characters.next()?;
        let second = characters.next();
        let is_pair = first.is_ascii_alphabetic() && second.is_some_and(|c| c.is_ascii_digit());
        let found: String = if is_pair || first.is_control() {
            self.rest.chars().take(if is_pair { 2 } else { 1 }).collect()
        } else {
            self.rest.chars().take_while(|c| !c.is_whitespace()).take(MOST_KEPT).collect()
        };
        let is_cut = second.is_none() && matches!(first.to_ascii_lowercase(), 'a'..='h');
        self.rest = self.rest.get(found.len()..).unwrap_or_default();
        Some(if is_cut { Played::Cut(found) } else { Played::Unreadable(found) })
    }
}

/// All moves of a text, and behind them the first thing that is none.
pub(super) fn read_moves(text: &str) -> impl Iterator<Item = Played> + use<'_> {
    let mut text = MoveText::new(text);
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        text.take().or_else(|| {
            failed = true;
            text.take_other()
        })
    })
}

/// Whether a text is meant as moves: most of it is.
pub(super) fn looks_like_moves(text: &str) -> bool {
    let (squares, rest) = count(text);
    squares > 0 && 2 * rest <= text.trim().len() || squares >= 3
}

/// How many squares a text begins with.
pub(super) fn squares_in(text: &str) -> usize {
    count(text).0
}

/// Squares at the beginning, and the length of what stands behind them.
fn count(text: &str) -> (usize, usize) {
    let mut moves = MoveText::new(text);
    let mut squares = 0;
    while let Some(played) = moves.take() {
        squares += usize::from(matches!(played, Played::Square(_)));
    }
    (squares, moves.rest().len())
}

/// Length of the number of a move: digits with a dot, a parenthesis or a colon behind them, in parentheses,
/// or alone before a blank and a letter.
fn number_length(text: &[u8]) -> usize {
    let before = usize::from(text.first() == Some(&b'('));
    let behind = text.get(before..).unwrap_or_default();
    let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = behind.get(digits..).unwrap_or_default();
    let marks = behind.iter().take_while(|&&byte| matches!(byte, b'.' | b')' | b':')).count();
    match behind {
        _ if digits == 0 => 0,
        _ if marks > 0 => before + digits + marks,
        [b' ' | b'\t', next, ..] if before == 0 && digits < 4 && next.is_ascii_alphabetic() => {
            digits
        }
        _ => 0,
    }
}

fn pass_or_square(text: &[u8]) -> Option<(Played, usize)> {
    let column = *text.first()?;
    if let Some(square) = text.get(1).and_then(|&row| Square::from_ascii(column, row)) {
        return Some((Played::Square(square), 2));
    }
    let length = pass_length(text)?;
    let behind = text.get(length..).unwrap_or_default();
    let is_word = behind.first().is_some_and(u8::is_ascii_alphabetic);
    // A name may begin like a pass; a move may follow one without a blank.
    (!is_word || pass_or_square(behind).is_some()).then_some((Played::Pass, length))
}

/// Length of the word for a pass that a text starts with.
pub(super) fn pass_length(text: &[u8]) -> Option<usize> {
    [&b"pass"[..], b"pa", b"ps"]
        .into_iter()
        .find_map(|word| text.get(..word.len())?.eq_ignore_ascii_case(word).then_some(word.len()))
}

/// A whole word that is a move or a pass.
pub(super) fn whole_move(text: &str) -> Option<Played> {
    match text.trim() {
        "" | "--" | "-" => Some(Played::Pass),
        text => pass_or_square(text.as_bytes())
            .filter(|&(_, length)| length == text.len())
            .map(|(played, _)| played),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let shown = |played| match played {
            Played::Square(square) => square.to_string(),
            Played::Pass => "--".to_owned(),
            Played::Unreadable(found) => format!("?{found}"),
            Played::Cut(found) => format!("!{found}"),
        };
        read_moves(text).map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn reads_all_spellings() {
        for text in [
            "f5d6c3",
            "F5 D6 c3",
            " f5, d6, c3 ",
            "f5-d6-c3",
            "1. f5 d6 2. c3",
            "1.f5 2.d6 3.c3 4.",
            "1. f5 1... d6 2.c3",
            "1 f5 d6 2 c3",
            "1) f5 2) d6 3) c3",
            "f5;d6;c3",
            "1:f5 2:d6 3: c3",
            "(1)f5(2) d6 (3)c3",
            "f5 -> d6->c3",
            "+f5-d6+c3",
        ] {
            assert_eq!(read(text), "f5 d6 c3", "{text}");
        }
        for text in ["f5--d6", "f5 -- d6", "f5pad6", "f5PAd6", "f5 ps d6", "f5passd6", "f5 pass d6"]
        {
            assert_eq!(read(text), "f5 -- d6", "{text}");
        }
        assert_eq!(read("f5----d6"), "f5 -- -- d6");
        assert_eq!(read("f5papad6"), "f5 -- -- d6");
    }

    #[test]
    fn what_is_no_move_ends_them() {
        for (text, shown) in [
            ("f5d6i9c3", "f5 d6 ?i9"),
            ("f5d6c", "f5 d6 !c"),
            ("f5d6 34-30", "f5 d6 ?34-30"),
            ("f5 Pascal", "f5 ?Pascal"),
            ("f5\0d6", "f5 ?\0"),
            ("f5+ d6", "f5 ?+"),
            ("f5 (38-26)", "f5 ?(38-26)"),
            ("f5é", "f5 ?é"),
            ("é", "?é"),
            ("", ""),
        ] {
            assert_eq!(read(text), shown);
        }
        assert!(read(&"x".repeat(100_000)).len() < 30);
        assert!(looks_like_moves("F5") && looks_like_moves("f5d6c3 34-30 tie"));
        assert!(!looks_like_moves("Games of a club") && !looks_like_moves("60"));
        assert!(!looks_like_moves("a1 is a corner of the board, as everybody knows"));
    }
}
