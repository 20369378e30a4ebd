//! The side to move in words: `X`, `Black to move`, `白番`, `trait aux noirs`.

use super::squares::{Signs, is_gap, square};
use crate::othello::board::Side;

/// What a text says of the side to move, the clearest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Turn {
    /// `Black to move`.
    Moves,
    /// `black must pass`.
    Passes,
    /// A line with nothing but `X`.
    Named,
}

/// Words beside the name of a side that say that it is to move.
const TURN_WORDS: [&str; 27] = [
    "to", "move", "moves", "play", "plays", "turn", "player", "next", "side", "the", "is", "it",
    "au", "aux", "trait", "de", "jouer", "joue", "jouent", "a", "à", "les", "am", "zug", "ist",
    "zieht", "hat",
];
/// The most words that say it.
const MOST_WORDS: usize = 6;
/// The most characters that say it in Japanese, Chinese or Korean.
const MOST_SIGNS: usize = 12;

/// The side that a text names, and nothing else: a letter, a sign or a colour, or as in "Black to
/// move".
pub(crate) fn side_to_move(text: &str) -> Option<Side> {
    let text = text.trim();
    let mut signs = text.chars();
    if let (Some(sign), None) = (signs.next(), signs.next()) {
        return square(sign).flatten();
    }
    in_words(text).or_else(|| in_signs(text))
}

/// The side that words name of which each belongs to that.
fn in_words(text: &str) -> Option<Side> {
    let text = text.to_lowercase();
    let mut found = None;
    for (index, word) in text.split(is_parting).filter(|word| !word.is_empty()).enumerate() {
        match side(word) {
            _ if index >= MOST_WORDS => return None,
            Some(_) if found.is_some() => return None,
            Some(side) => found = Some(side),
            None if TURN_WORDS.contains(&word.trim_matches('.')) => {}
            None => return None,
        }
    }
    found
}

fn is_parting(character: char) -> bool {
    is_mark(character) || character.is_whitespace()
}

const fn is_mark(character: char) -> bool {
    matches!(
        character,
        ',' | ';'
            | ':'
            | '!'
            | '('
            | ')'
            | '['
            | ']'
            | '='
            | '"'
            | '：'
            | '（'
            | '）'
            | '、'
            | '。'
    )
}

/// A side by its name or its sign, in small letters, perhaps as in "Black's" or "X.".
fn side(word: &str) -> Option<Side> {
    let name = match word {
        "." => word,
        word => word.trim_matches('.'),
    };
    let name = name.strip_suffix("'s").or_else(|| name.strip_suffix("\u{2019}s")).unwrap_or(name);
    match name {
        "black" | "noir" | "noirs" | "schwarz" => Some(Side::Black),
        "white" | "blanc" | "blancs" | "wei\u{df}" | "weiss" => Some(Side::White),
        _ => {
            let mut characters = name.chars();
            let only = characters.next().filter(|_| characters.next().is_none())?;
            square(only).flatten()
        }
    }
}

/// The side that is named in Japanese, Chinese or Korean, perhaps as the one that is to move.
fn in_signs(text: &str) -> Option<Side> {
    colour_in_signs(text).or_else(|| turn_in_signs(text))
}

/// A side, or a player who is one, in Japanese, Chinese or Korean.
fn colour_in_signs(name: &str) -> Option<Side> {
    match name {
        "黒" | "黑" | "흑" | "先手" | "●" | "⚫" => Some(Side::Black),
        "白" | "백" | "後手" | "后手" | "○" | "⚪" | "◯" => Some(Side::White),
        _ => None,
    }
}

/// The side that is to move in Japanese, Chinese or Korean.
fn turn_in_signs(text: &str) -> Option<Side> {
    const BEFORE: [&str; 7] = ["手番", "次手番", "次番", "次", "番", "轮到", "輪到"];
    const AFTER: [&str; 7] = ["手番", "番", "ターン", "先", "走", "下", "차례"];
    let is_kept = |sign: &char| {
        !is_parting(*sign) && !matches!(sign, 'の' | 'は' | 'が' | '方' | '棋' | '子' | '.')
    };
    let text: String = text.chars().filter(is_kept).take(MOST_SIGNS + 1).collect();
    if text.chars().count() > MOST_SIGNS {
        return None;
    }
    let text = text.strip_suffix("です").unwrap_or(&text);
    let before = BEFORE.iter().filter_map(|word| text.strip_prefix(word));
    let after = AFTER.iter().filter_map(|word| text.strip_suffix(word));
    before.chain(after).find_map(colour_in_signs)
}

/// The side to move that a text begins with, and the text behind it.
pub(super) fn leading_side(text: &str, signs: Signs) -> Option<(Side, &str)> {
    let text = text.trim_start_matches(|c| is_gap(c) || matches!(c, ';' | ':'));
    let clause = text.split([';', '%', '#', '\n', '\r']).next().unwrap_or_default();
    let ends = |word: &str| word.as_ptr() as usize + word.len() - text.as_ptr() as usize;
    let words: Vec<&str> = clause.split_whitespace().take(MOST_WORDS).collect();
    let said = words.iter().rev().find_map(|word| {
        let (before, behind) = text.split_at_checked(ends(word))?;
        // A sign alone may be a score or the column of a move.
        let side = side_to_move(before).filter(|_| before.chars().nth(1).is_some())?;
        Some((side, behind))
    });
    if said.is_some() {
        return said;
    }
    let mut first = text.chars();
    let sign = first.next()?;
    let behind = first.as_str();
    let side = match (signs, sign) {
        (Signs::Digits, '1') => Side::Black,
        (Signs::Digits, '2') => Side::White,
        (Signs::Letters | Signs::Digits, '0') => return None,
        _ => square(sign).flatten()?,
    };
    let next = behind.chars().next();
    // A column with its row is a move; of words that go on it is no sign.
    let is_alone = match next {
        None => true,
        Some(_) if sign.is_ascii_digit() => {
            !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.')
        }
        Some('1'..='8') => !matches!(sign, 'b' | 'B'),
        Some(next) if next.is_alphanumeric() => begins_with_a_move(behind),
        Some(next) => square(next).is_none() || square(next) == Some(None),
    };
    is_alone.then_some((side, behind))
}

/// Whether a text begins with a square or a pass.
fn begins_with_a_move(text: &str) -> bool {
    let mut bytes = text.bytes();
    let column =
        bytes.next().is_some_and(|column| matches!(column.to_ascii_lowercase(), b'a'..=b'h'));
    let is_square = column && bytes.next().is_some_and(|row| matches!(row, b'1'..=b'8'));
    is_square
        || text
            .get(..2)
            .is_some_and(|start| ["pa", "ps"].iter().any(|pass| start.eq_ignore_ascii_case(pass)))
}

/// What a line says of the side to move.
pub(super) fn turns(line: &str) -> Vec<(Turn, Side)> {
    let line = line.to_lowercase();
    let words: Vec<&str> = line
        .split_whitespace()
        .map(|word| word.trim_matches(|c| is_mark(c) || c == '.'))
        .filter(|word| !word.is_empty())
        .collect();
    if let [word] = words[..]
        && let Some(side) = side(word)
    {
        return vec![(Turn::Named, side)];
    }
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let said = words.iter().enumerate().filter_map(|(at, &here)| {
        let (turn, behind) = match (here, word(at + 1)) {
            ("to", "move" | "play") => (Turn::Moves, at + 2),
            ("turn", _) => (Turn::Moves, at + 1),
            ("must", "pass") => (Turn::Passes, words.len()),
            _ => return None,
        };
        let before = at.checked_sub(1).map(word).and_then(side);
        let behind = if word(behind) == "is" { behind + 1 } else { behind };
        Some((turn, before.or_else(|| side(word(behind)))?))
    });
    let said: Vec<_> = said.collect();
    if said.is_empty() {
        let whole = side_to_move(&line).map(|side| (Turn::Moves, side));
        let parts =
            || words.iter().find_map(|word| turn_in_signs(word).map(|side| (Turn::Moves, side)));
        return whole.or_else(parts).into_iter().collect();
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_named_in_many_ways() {
        for black in [
            "X",
            "x",
            "*",
            "b",
            "●",
            "black",
            "Black to move",
            "BLACK TO PLAY",
            "(Black to move)",
            "to move: Black",
            "X to move",
            "Black's turn",
            "turn: X",
            "Black's turn.",
            "黒番",
            "黒の番",
            "黒の手番です",
            "手番：黒",
            "手番は黒",
            "次は黒",
            "黒",
            "●番",
            "先手番",
            "黑方走",
            "輪到黑棋",
            "흑 차례",
            "trait aux noirs",
            "Noir",
            "Schwarz am Zug",
            "Next player: black",
        ] {
            assert_eq!(side_to_move(black), Some(Side::Black), "{black}");
        }
        for white in [
            "O",
            "0",
            "w",
            "○",
            "White",
            "白番",
            "白の番",
            "手番:白",
            "後手番",
            "Les blancs jouent",
            "Weiß zieht",
        ] {
            assert_eq!(side_to_move(white), Some(Side::White), "{white}");
        }
        for none in ["", "-", "Z", "black white", "black wins", "f5", "1", "番", "黒白", "to move"]
        {
            assert_eq!(side_to_move(none), None, "{none}");
        }
    }

    #[test]
    fn moves_are_told_from_a_side() {
        for (text, expected) in [
            ("X f5", Some((Side::Black, " f5"))),
            ("Xf5d6", Some((Side::Black, "f5d6"))),
            (" ; O; f5", Some((Side::White, "; f5"))),
            ("b4c3", None),
            ("b b4", Some((Side::Black, " b4"))),
            ("Black to move f5", Some((Side::Black, " f5"))),
            ("黒番 f5", Some((Side::Black, " f5"))),
            ("XX", None),
            ("0", None),
            ("f5", None),
        ] {
            assert_eq!(leading_side(text, Signs::Letters), expected, "{text}");
        }
        assert_eq!(leading_side("0", Signs::Noughts), Some((Side::White, "")));
        assert_eq!(leading_side("2", Signs::Digits), Some((Side::White, "")));
        assert_eq!(leading_side("1. f5", Signs::Digits), None);
    }
}
