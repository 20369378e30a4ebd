//! Moves as text, in all the ways in which people and programs write them.

use super::Square;

/// What a text says was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Played {
    Square(Square),
    Pass,
    Unreadable(String),
    /// The text ends inside a move.
    Cut(String),
}

/// Characters of what is no move that are kept for a message.
const MOST_KEPT: usize = 20;

/// The words for a pass, each before those that it begins with. A single `P` is one, too.
const PASSES: [&str; 28] = [
    "passes",
    "passen",
    "passed",
    "passe",
    "passt",
    "passo",
    "pass",
    "pasa",
    "paso",
    "null",
    "pa",
    "ps",
    "z0",
    "@@",
    "()",
    "( )",
    "(pass)",
    "(pa)",
    "(ps)",
    "[pass]",
    "0000",
    "<pass>",
    "パス",
    "（パス）",
    "패스",
    "停手",
    "过",
    "過",
];

/// Takes moves from the front of a text: glued or parted by blanks, commas and other marks, in either
/// case and width, with or without numbers (`1. f5 d6 2. c3`), passes as `--` or one of [`PASSES`].
#[derive(Clone, Copy)]
pub(crate) struct MoveText<'a> {
    rest: &'a str,
}

impl<'a> MoveText<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// What has not been taken.
    pub(crate) const fn rest(self) -> &'a str {
        self.rest
    }

    /// The next move or pass; none at the end, and where something else follows.
    pub(crate) fn take(&mut self) -> Option<Played> {
        let mut is_behind_a_number = false;
        loop {
            self.rest = self.rest.trim_start_matches(is_blank);
            if let Some(rest) = self.rest.strip_prefix("--") {
                self.rest = rest;
                return Some(Played::Pass);
            }
            if let Some(rest) = behind_dots(self.rest) {
                self.rest = rest;
                // `1. ... d6` goes on with the other side's move.
                if is_behind_a_number {
                    continue;
                }
                return Some(Played::Pass);
            }
            let skipped = skipped(self.rest);
            if skipped == 0 {
                break;
            }
            is_behind_a_number = number_length(self.rest) > 0;
            self.rest = self.rest.get(skipped..).unwrap_or_default();
        }
        let (played, length) = pass_or_square(self.rest)?;
        self.rest = self.rest.get(length..).unwrap_or_default();
        Some(played)
    }

    /// Leaves out the marks of how good the last move was.
    pub(crate) fn skip_glyphs(&mut self) {
        self.rest = self.rest.trim_start_matches(['!', '?']);
    }

    /// Takes what is there instead of a move; none at the end.
    pub(crate) fn take_other(&mut self) -> Option<Played> {
        let mut characters = self.rest.chars().map(narrow);
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
        let found = with_all_visible(&found);
        Some(if is_cut { Played::Cut(found) } else { Played::Unreadable(found) })
    }
}

/// All moves of a text, and behind them the first thing that is none.
pub(crate) fn read_moves(text: &str) -> impl Iterator<Item = Played> + use<'_> {
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
pub(crate) fn looks_like_moves(text: &str) -> bool {
    let (squares, rest) = count(text);
    squares > 0 && 2 * rest <= text.trim().len() || squares >= 3
}

/// How many squares a text begins with.
pub(crate) fn squares_in(text: &str) -> usize {
    count(text).0
}

/// Squares at the beginning, and the length of the text behind them.
fn count(text: &str) -> (usize, usize) {
    let mut moves = MoveText::new(text);
    let mut squares = 0;
    while let Some(played) = moves.take() {
        squares += usize::from(matches!(played, Played::Square(_)));
        moves.skip_glyphs();
    }
    (squares, moves.rest().len())
}

/// A character as ASCII has it, where it is a wide one of Japanese text.
fn narrow(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
        }
        '\u{3000}' | '\u{a0}' => ' ',
        other => other,
    }
}

/// The text behind three dots, which are a pass.
fn behind_dots(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("...").or_else(|| text.strip_prefix('…'))?;
    // At the end they say that more was played.
    (!rest.starts_with('.') && !rest.trim().is_empty()).then_some(rest)
}

/// What parts moves and says nothing, the blanks of web pages that have no width among it.
fn is_blank(character: char) -> bool {
    let has_no_width = matches!(character, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    character.is_whitespace() || has_no_width || matches!(narrow(character), ',' | ';' | '、')
}

/// A text in which nothing can hide: an invisible character is shown as its number.
fn with_all_visible(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match character.is_ascii() {
            true => shown.push(character),
            false => shown.extend(character.escape_debug()),
        }
    }
    shown
}

/// Length of what comes before a move and belongs to none: marks and numbers.
fn skipped(text: &str) -> usize {
    match text.as_bytes() {
        [b'-' | b'=', b'>', ..] => 2,
        [b'-', next, ..] if !next.is_ascii_digit() => 1,
        // Programs of many games drop a piece on a square.
        [b'P' | b'p', b'@', ..] if text.get(2..).and_then(square).is_some() => 2,
        // Logistello marks Black's moves.
        [b'+', ..] if text.get(1..).and_then(square).is_some() => 1,
        _ => match number_length(text) {
            0 => mark_length(text),
            length => length,
        },
    }
}

/// Length of a mark that separates moves: one that a move follows.
fn mark_length(text: &str) -> usize {
    const MARKS: &str = "/|_.–—―−→⇒⟶➔➡›»·・>\\~&*";
    let Some(mark) = text.chars().next().filter(|&mark| MARKS.contains(narrow(mark))) else {
        return 0;
    };
    let behind = text.get(mark.len_utf8()..).unwrap_or_default();
    if begins_with_a_move(behind) { mark.len_utf8() } else { 0 }
}

/// Whether the first word of a text is a move or a pass. It looks no further: a line of passes may be
/// endless.
fn begins_with_a_move(text: &str) -> bool {
    let text = text.trim_start_matches(is_blank);
    let text = text.get(number_length(text)..).unwrap_or_default().trim_start_matches(is_blank);
    square(text).is_some() || word_length(text).is_some()
}

/// The first characters of a text that are of a kind.
fn run(text: &str, is_part: impl Fn(char) -> bool) -> &str {
    let end = text.find(|character| !is_part(narrow(character))).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// Length of the number of a move: digits with a dot, a parenthesis or a colon behind them, in parentheses,
/// or alone before a blank and a letter.
fn number_length(text: &str) -> usize {
    let first = text.chars().next().filter(|&first| narrow(first) == '(');
    let before = first.map_or(0, char::len_utf8);
    let behind = text.get(before..).unwrap_or_default();
    let digits = run(behind, |c| c.is_ascii_digit());
    let behind = behind.get(digits.len()..).unwrap_or_default();
    let marks = run(behind, |c| matches!(c, '.' | ')' | ':'));
    // A year is none.
    if !(1..=3).contains(&digits.chars().count()) {
        return 0;
    }
    // `0:01` is a time, `40:24` or `40: 24` a result, and `0.5` a value.
    let after = behind.get(marks.len()..).unwrap_or_default();
    let after =
        if marks.contains([':', '：']) { after.trim_start_matches(is_blank) } else { after };
    if !marks.is_empty() && after.starts_with(|c: char| narrow(c).is_ascii_digit()) {
        return 0;
    }
    if !marks.is_empty() {
        return before + digits.len() + marks.len();
    }
    let mut letters = behind.chars().map(narrow);
    let is_before_a_word = matches!(letters.next(), Some(' ' | '\t'))
        && letters.next().is_some_and(|next| next.is_ascii_alphabetic());
    if is_before_a_word && before == 0 { digits.len() } else { 0 }
}

/// The square that a text begins with, and its length.
fn square(text: &str) -> Option<(Square, usize)> {
    let mut letters = text.chars();
    let (column, row) = (letters.next()?, letters.next()?);
    let ascii = |letter: char| u8::try_from(narrow(letter)).ok();
    let square = Square::from_ascii(ascii(column)?, ascii(row)?)?;
    Some((square, column.len_utf8() + row.len_utf8()))
}

fn pass_or_square(text: &str) -> Option<(Played, usize)> {
    if let Some((square, length)) = square(text) {
        return Some((Played::Square(square), length));
    }
    Some((Played::Pass, pass_length(text)?))
}

pub(crate) fn pass_length(text: &str) -> Option<usize> {
    let word = word_length(text).filter(|&length| {
        let behind = text.get(length..).unwrap_or_default();
        // A name may begin like a pass; a move may follow one without a blank.
        !behind.starts_with(char::is_alphabetic) || square(behind).is_some() || {
            word_length(behind).is_some()
        }
    });
    // A letter alone is more often that of a name.
    let letter = || {
        let behind = text.strip_prefix(['P', 'p'])?;
        let is_last = behind.trim_start_matches(is_blank).is_empty();
        let is_pass = match behind.starts_with(char::is_alphabetic) {
            true => square(behind).is_some(),
            false => is_last || begins_with_a_move(behind),
        };
        is_pass.then_some(1)
    };
    word.or_else(letter)
}

/// Length of the word for a pass that a text starts with, whatever follows.
fn word_length(text: &str) -> Option<usize> {
    let length = |word: &str| {
        let start = text.get(..word.len())?;
        // `Pa1` and `passe6` are a pass and a move.
        let may_be_column = word.len() == 2 || word.len() > 4;
        let is_column = may_be_column && text.get(word.len() - 1..).and_then(square).is_some();
        (start.eq_ignore_ascii_case(word) && !is_column).then_some(word.len())
    };
    PASSES.into_iter().find_map(length)
}

/// A whole word that is a move or a pass.
pub(crate) fn whole_move(text: &str) -> Option<Played> {
    match text.trim() {
        "" | "--" | "-" => Some(Played::Pass),
        text => pass_or_square(text)
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
            "f5 - d6 - c3",
            "f5–d6 — c3",
            "f5 → d6→c3",
            "f5>d6 > c3",
            "f5=>d6 => c3",
            "f5\\d6\\c3",
            "f5~d6&c3",
            "1. f5 1. ... d6 2. c3",
            "1. f5 1. … d6 2. c3",
            "f5/d6 / c3",
            "f5|d6 | c3",
            "f5_d6_c3",
            "f5.d6. c3",
            "f5\u{a0}d6\u{a0}\u{a0}c3",
            "1.\u{a0}f5\u{3000}d6\u{3000}2．c3",
            "f5\u{200b}d6\u{feff}c3",
            "ｆ５Ｄ６ ｃ３",
            "１．ｆ５　ｄ６、２．ｃ３",
        ] {
            assert_eq!(read(text), "f5 d6 c3", "{text}");
        }
        for text in [
            "f5--d6",
            "f5 -- d6",
            "f5pad6",
            "f5PAd6",
            "f5 ps d6",
            "f5passd6",
            "f5 pass d6",
            "f5 @@ d6",
            "f5@@d6",
            "f5 P d6",
            "f5, p, d6",
            "f5Pd6",
            "1. f5 P 2. d6",
            "f5 null d6",
            "f5 Z0 d6",
            "f5 () d6",
            "f5 <pass> d6",
            "f5 パス d6",
            "f5パスd6",
            "f5 ... d6",
            "f5...d6",
            "f5 … d6",
            "f5 0000 d6",
            "f5 ( ) d6",
            "f5 (pass) d6",
            "f5 (ps) d6",
            "f5 PS d6",
            "f5 Pass d6",
        ] {
            assert_eq!(read(text), "f5 -- d6", "{text}");
        }
        assert_eq!((read("f5 P"), read("f5Pa1")), ("f5 --".to_owned(), "f5 -- a1".to_owned()));
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
            ("f5 P. Smith", "f5 ?P."),
            ("f5 P Smith", "f5 ?P"),
            ("f5 Nullmeier", "f5 ?Nullmeier"),
            ("f5 // d6", "f5 ?//"),
            ("f5 | 34-30", "f5 ?|"),
            ("f5\u{ad}d6", "f5 ?\\u{ad}d6"),
            ("f5 \u{202e}6d", "f5 ?\\u{202e}6d"),
            ("f5 ｉ９", "f5 ?ｉ９"),
            ("f5\0d6", "f5 ?\0"),
            ("f5+ d6", "f5 ?+"),
            ("f5 (38-26)", "f5 ?(38-26)"),
            ("f5 0:01 d6", "f5 ?0:01"),
            ("f5 40:24", "f5 ?40:24"),
            ("f5 40: 24", "f5 ?40:"),
            ("f5 0.5 d6", "f5 ?0.5"),
            ("f5 2019) d6", "f5 ?2019)"),
            ("f5é", "f5 ?é"),
            ("é", "?é"),
            ("", ""),
        ] {
            assert_eq!(read(text), shown);
        }
        assert!(read(&"x".repeat(100_000)).len() < 30);
        assert_eq!(MoveText::new(&"pa".repeat(1 << 20)).take(), Some(Played::Pass));
        assert!(looks_like_moves("F5") && looks_like_moves("f5d6c3 34-30 tie"));
        assert!(!looks_like_moves("Games of a club") && !looks_like_moves("60"));
        assert!(!looks_like_moves("a1 is a corner of the board, as everybody knows"));
    }
}
