//! The colours of two players, where their names have them: `Bob (W) - Ann (B)`, `○Bob 12-52 ●Ann`.

use super::facts::player;
use crate::files::fault::Place;
use crate::files::games::draft::Draft;
use crate::files::games::stated::{Stated, StatedScore, read_pair};
use crate::othello::board::Side;

/// Marks of a side before a name or behind it.
const MARKS: [(&str, Side); 12] = [
    ("(b)", Side::Black),
    ("(w)", Side::White),
    ("(black)", Side::Black),
    ("(white)", Side::White),
    ("[b]", Side::Black),
    ("[w]", Side::White),
    ("●", Side::Black),
    ("○", Side::White),
    ("⚫", Side::Black),
    ("⚪", Side::White),
    ("(黒)", Side::Black),
    ("(白)", Side::White),
];

/// Both players and their score, Black first, without the marks of their sides.
pub(super) fn ordered<'a>(
    first: &'a str,
    second: &'a str,
    score: Option<StatedScore>,
) -> (&'a str, &'a str, Option<StatedScore>) {
    let (one, two) = (marked(first), marked(second));
    let (one, two) = match (one, two) {
        (None, None) => match worded(first).zip(worded(second)) {
            Some((one, two)) => (Some(one), Some(two)),
            None => return (first, second, score),
        },
        both => both,
    };
    let side = match (one, two) {
        (Some((one, _)), Some((two, _))) if one == two => return (first, second, score),
        (Some((one, _)), _) => one,
        (None, Some((two, _))) => two.other(),
        (None, None) => return (first, second, score),
    };
    let first = one.map_or(first, |(_, name)| name);
    let second = two.map_or(second, |(_, name)| name);
    match side {
        Side::Black => (first, second, score),
        Side::White => (second, first, score.map(exchanged)),
    }
}

/// Names behind marks of their sides: `●Ann ○Bob`, `黒番 Ann`, perhaps with discs behind both.
pub(super) fn marked_players(line: &str, place: Place) -> Option<Draft> {
    let mut draft = Draft::new(place);
    let last = line.rsplit_once(' ').filter(|(_, word)| read_pair(word).is_some());
    let (line, score) = match last {
        Some((names, word)) => (names, read_pair(word)),
        None => (line, None),
    };
    let (is_black, behind) = behind_a_mark(line)?;
    let parted = behind.match_indices([' ', '\u{3000}']).find_map(|(at, blank)| {
        let (is_other, name) = behind_a_mark(behind.get(at + blank.len()..)?)?;
        (is_other != is_black).then_some((behind.get(..at)?, name))
    });
    let (name, other) = parted.map_or((behind, None), |(name, other)| (name, Some(other)));
    let is_name = |name: &str| {
        name.contains(char::is_alphabetic) && !name.contains(|c: char| c.is_numeric() || c == ':')
    };
    if !is_name(name) || !other.is_none_or(is_name) || (score.is_some() && other.is_none()) {
        return None;
    }
    player(&mut draft, name.trim(), is_black);
    if let Some(other) = other {
        player(&mut draft, other.trim(), !is_black);
    }
    draft.add_result(score.map(Stated::score));
    Some(draft)
}

/// Whether the mark that a text begins with is Black's, and the text behind it.
fn behind_a_mark(text: &str) -> Option<(bool, &str)> {
    let signs = [
        ("●", true),
        ("⚫", true),
        ("▲", true),
        ("☗", true),
        ("○", false),
        ("⚪", false),
        ("△", false),
        ("☖", false),
    ];
    let words = [
        ("黒番", true),
        ("黒", true),
        ("先手", true),
        ("白番", false),
        ("白", false),
        ("後手", false),
    ];
    let sign =
        signs.into_iter().find_map(|(mark, is_black)| Some((is_black, text.strip_prefix(mark)?)));
    let word = || {
        words.into_iter().find_map(|(word, is_black)| {
            let behind = text.strip_prefix(word)?;
            behind.starts_with(char::is_whitespace).then_some((is_black, behind))
        })
    };
    sign.or_else(word).map(|(is_black, behind)| (is_black, behind.trim()))
}

/// The side that a mark beside a name says, and the name.
fn marked(name: &str) -> Option<(Side, &str)> {
    let name = name.trim();
    MARKS.into_iter().find_map(|(mark, side)| {
        let is_mark = |text: &str| text.eq_ignore_ascii_case(mark);
        let before = name.split_at_checked(mark.len()).filter(|(text, _)| is_mark(text));
        let behind = || {
            let (name, text) = name.split_at_checked(name.len().checked_sub(mark.len())?)?;
            is_mark(text).then_some(name)
        };
        let bare = before.map(|(_, name)| name).or_else(behind)?.trim();
        (!bare.is_empty()).then_some((side, bare))
    })
}

/// The side that the first word of a name is, and the rest of it. One alone may be a name.
fn worded(name: &str) -> Option<(Side, &str)> {
    let (word, rest) = name.trim().split_once([' ', ':'])?;
    let side = match word.to_ascii_lowercase().as_str() {
        "black" => Side::Black,
        "white" => Side::White,
        _ => return None,
    };
    Some((side, rest.trim()))
}

/// The score of White and Black as one of Black and White.
fn exchanged(score: StatedScore) -> StatedScore {
    match score {
        StatedScore::Discs { black, white } => StatedScore::Discs { black: white, white: black },
        StatedScore::Difference(difference) => StatedScore::Difference(-difference),
        StatedScore::Winner(side) => StatedScore::Winner(side.map(Side::other)),
    }
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::read_text;

    #[test]
    fn names_say_who_had_which_colour() {
        for head in [
            "Ann (B) 24-40 Bob (W)",
            "Bob (W) 40-24 Ann (B)",
            "Bob(white) - Ann(black) 40-24",
            "○Bob 40-24 ●Ann",
            "White Bob - Black Ann 40-24",
            "Bob (W) 40-24 Ann",
            "Bob 40 - 24 ● Ann",
        ] {
            for text in [format!("{head}\nf5d6c3d3c4"), format!("{head}: f5d6c3d3c4")] {
                let game = read_text(&text).remove(0).game;
                let names = [&game.black, &game.white]
                    .map(|player| player.name.as_deref().unwrap_or_default());
                assert_eq!(names, ["Ann", "Bob"], "{text}");
                assert_eq!(
                    game.stated.map(|stated| stated.to_string()).as_deref(),
                    Some("24-40"),
                    "{text}"
                );
            }
        }
        for (head, names) in [
            ("White John 40-24 Ann", ["White John", "Ann"]),
            ("Bob (W) 40-24 Ann (W)", ["Bob (W)", "Ann (W)"]),
            ("Ann 40-24 Bob (JPN)", ["Ann", "Bob (JPN)"]),
        ] {
            let game = read_text(&format!("{head}\nf5d6c3d3c4")).remove(0).game;
            let found =
                [&game.black, &game.white].map(|player| player.name.as_deref().unwrap_or_default());
            assert_eq!(found, names, "{head}");
        }
    }
}
