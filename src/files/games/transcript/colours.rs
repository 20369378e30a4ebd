//! The colours of two players, where their names have them: `Bob (W) - Ann (B)`, `○Bob 12-52 ●Ann`.

use super::facts::{is_rating, labelled_player};
use crate::files::fault::Place;
use crate::files::games::draft::Draft;
use crate::files::games::stated::{Stated, StatedScore, read_pair};
use crate::files::games::vocabulary::{Label, label_of};
use crate::othello::board::Side;

/// Marks of a side before a name or behind it.
const MARKS: [(&str, Side); 14] = [
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
    ("【黒】", Side::Black),
    ("【白】", Side::White),
    ("(黒)", Side::Black),
    ("(白)", Side::White),
];

/// Both players and their result, Black first, without the marks of their sides.
pub(super) fn ordered<'a>(
    first: &'a str,
    second: &'a str,
    stated: Option<Stated>,
) -> (&'a str, &'a str, Option<Stated>) {
    let (one, two) = (marked(first), marked(second));
    let (one, two) = match (one, two) {
        (None, None) => match worded(first).zip(worded(second)) {
            Some((one, two)) => (Some(one), Some(two)),
            None => return (first, second, stated),
        },
        both => both,
    };
    let side = match (one, two) {
        (Some((one, _)), Some((two, _))) if one == two => return (first, second, stated),
        (Some((one, _)), _) => one,
        (None, Some((two, _))) => two.other(),
        (None, None) => return (first, second, stated),
    };
    let first = one.map_or(first, |(_, name)| name);
    let second = two.map_or(second, |(_, name)| name);
    match side {
        Side::Black => (first, second, stated),
        Side::White => {
            let other = |stated: Stated| Stated { score: stated.score.map(exchanged), ..stated };
            (second, first, stated.map(other))
        }
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
    let of_a_side = || marked(line).map(|(side, name)| (side == Side::Black, name));
    let (is_black, behind) =
        behind_a_mark(line).or_else(of_a_side).or_else(|| behind_a_side(line))?;
    let parted = behind.match_indices([' ', '\u{3000}']).find_map(|(at, blank)| {
        let (is_other, name) = behind_a_mark(behind.get(at + blank.len()..)?)?;
        (is_other != is_black).then_some((behind.get(..at)?, name))
    });
    let (name, other) = parted.map_or((behind, None), |(name, other)| (name, Some(other)));
    let is_name = |name: &str| {
        let name = without_number(name);
        name.contains(char::is_alphabetic) && !name.contains(|c: char| c.is_numeric() || c == ':')
    };
    if !is_name(name) || !other.is_none_or(is_name) || (score.is_some() && other.is_none()) {
        return None;
    }
    labelled_player(&mut draft, name, is_black);
    if let Some(other) = other {
        labelled_player(&mut draft, other, !is_black);
    }
    draft.add_result(score.map(Stated::score));
    Some(draft)
}

/// A name without the rating or the discs behind it.
fn without_number(name: &str) -> &str {
    let parted = name.trim().rsplit_once([' ', '\u{3000}', '(', '[', '（']);
    let is_number = |text: &str| {
        let text = text.trim_end_matches([')', ']', '）']);
        is_rating(text) || text.parse().is_ok_and(|discs: u8| discs <= 64)
    };
    parted.filter(|(_, number)| is_number(number)).map_or(name, |(name, _)| name)
}

/// Whether the word that a text begins with is Black's, and the name behind it. Titles begin with such words, too,
/// so a number must be behind the name: `Black Ann (1650)`, `Noir Ann 20`.
pub(super) fn behind_a_side(text: &str) -> Option<(bool, &str)> {
    let (word, name) = text.split_once(' ')?;
    let is_black = match label_of(word)? {
        Label::Black => true,
        Label::White => false,
        _ => return None,
    };
    (without_number(name) != name && word.len() > 1).then_some((is_black, name))
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
    fn ratings_and_discs_stand_behind_names_with_marks() {
        for head in [
            "● Ann 1650\n○ Bob 1702",
            "Black Ann (1650)\nWhite Bob (1702)",
            "黒 Ann (1650)\n白 Bob (1702)",
            "Black: Ann 1650\nWhite: Bob 1702",
            "Black: Ann [1650]\nWhite: Bob [1702?]",
        ] {
            let game = read_text(&format!("{head}\n\nf5d6c3d3c4")).remove(0).game;
            let players = [&game.black, &game.white];
            let names = players.map(|player| player.name.as_deref());
            assert_eq!(names, [Some("Ann"), Some("Bob")], "{head}");
            assert_eq!(players.map(|player| player.rating), [Some(1650.0), Some(1702.0)], "{head}");
        }
        for head in [
            "黒　滝沢　44\n白　為則　20",
            "黒：滝沢（44）\n白：為則（20石）",
            "【黒】滝沢 44\n【白】為則 20",
        ] {
            let game = read_text(&format!("{head}\n\nf5d6c3d3c4")).remove(0).game;
            let names = [&game.black, &game.white].map(|player| player.name.as_deref());
            assert_eq!(names, [Some("滝沢"), Some("為則")], "{head}");
            let stated = game.stated.map(|stated| stated.to_string());
            assert_eq!(stated.as_deref(), Some("44-20"), "{head}");
        }
    }

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
