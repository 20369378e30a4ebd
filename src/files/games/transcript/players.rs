//! A player of a transcript: a name, and around it a mark of the side, a rating, discs, the clock:
//! `Bob (W) - Ann (B)`, `○Bob 12-52 ●Ann`, `Ann (1650) 04:59`, `Ann 44`.

use crate::files::fault::Place;
use crate::files::games::draft::{Draft, fact, rating};
use crate::files::games::stated::{Stated, StatedScore, read_pair};
use crate::files::games::vocabulary::{Label, label_of};
use crate::othello::board::Side;

/// Brackets around what stands beside a name.
const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('（', '）'), ('【', '】')];

/// What a number behind a name is.
#[derive(Clone, Copy)]
enum Beside<'a> {
    Rating(&'a str),
    Discs(u8),
    Time(&'a str),
}

/// A name, and the number behind it: `Ann (1650)`, `Ann [12:30]`, `Ann (40 discs)`, or without brackets, where it may be
/// a part of the name.
fn parted(text: &str) -> Option<(&str, Beside<'_>, bool)> {
    let text = text.trim();
    let inside =
        BRACKETS.into_iter().find_map(|(open, close)| text.strip_suffix(close)?.rsplit_once(open));
    let is_bare = inside.is_none();
    let (name, number) = inside.or_else(|| text.rsplit_once(char::is_whitespace))?;
    fact(name)?;
    let are_digits = |part: &str, most| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts = || number.split(':');
    let is_of_discs = |word: &str| {
        ["dis", "piece", "stone", "point", "pion"].iter().any(|known| word.starts_with(known))
    };
    let mut words = number.trim_end_matches(['石', '個', '枚']).split_whitespace();
    let discs = words.next().filter(|word| are_digits(word, 2)).and_then(|word| word.parse().ok());
    let is_said = words.next().is_none_or(is_of_discs);
    let beside = match discs {
        Some(discs) if discs <= 64 && is_said => Beside::Discs(discs),
        _ if is_rating(number) => Beside::Rating(number),
        _ if (2..=3).contains(&parts().count()) && parts().all(|part| are_digits(part, 2)) => {
            Beside::Time(number)
        }
        _ => return None,
    };
    Some((name.trim_end().trim_end_matches([',', ';', ':']), beside, is_bare))
}

/// Whether a text is a rating: `1650`, perhaps `1650.5` or `1650?`.
pub(super) fn is_rating(text: &str) -> bool {
    let whole = text.trim_end_matches('?');
    let whole = whole.split_once('.').map_or(whole, |(whole, _)| whole);
    (3..=4).contains(&whole.len()) && whole.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name without the time of the clock behind it, and without a rating in brackets.
pub(super) fn bare_name(text: &str) -> &str {
    match parted(text) {
        Some((name, Beside::Time(_), _) | (name, Beside::Rating(_), false)) => bare_name(name),
        _ => text,
    }
}

/// A player's name, perhaps with a rating, discs or the time of the clock behind it. Without brackets a rating stands
/// only behind labelled names, and a year may be that of a program.
pub(super) fn player(draft: &mut Draft, text: &str, is_black: bool, is_labelled: bool) {
    let is_year = |number: &str| matches!(number.parse(), Ok(1900..=2100_u16));
    let mut bare = text;
    while let Some((name, beside, is_bare)) = parted(bare) {
        let one = if is_black { &mut draft.game.black } else { &mut draft.game.white };
        match beside {
            Beside::Time(time) => {
                draft.game.set_extra(if is_black { "BlackTime" } else { "WhiteTime" }, time);
            }
            Beside::Discs(discs) if !is_bare => {
                let title = if is_black { "blackdiscs" } else { "whitediscs" };
                draft.say(title, &discs.to_string());
            }
            Beside::Rating(number) if !is_bare || (is_labelled && !is_year(number)) => {
                one.rating = rating(number);
            }
            _ => break,
        }
        bare = name;
    }
    let one = if is_black { &mut draft.game.black } else { &mut draft.game.white };
    one.name = fact(bare);
}

/// The discs behind both names where they fill the board. Other numbers may be parts of names.
pub(super) fn discs_behind<'a>(black: &'a str, white: &'a str) -> Option<[(&'a str, u8); 2]> {
    let discs = |name| match parted(name)? {
        (name, Beside::Discs(discs), _) => Some((name, discs)),
        _ => None,
    };
    let both = [discs(black)?, discs(white)?];
    (both[0].1 + both[1].1 == 64).then_some(both)
}

/// Takes such discs from the names.
pub(super) fn take_discs(draft: &mut Draft) {
    let names = draft.game.black.name.as_deref().zip(draft.game.white.name.as_deref());
    let Some([black, white]) = names.and_then(|(black, white)| discs_behind(black, white)) else {
        return;
    };
    let score = StatedScore::Discs { black: black.1, white: white.1 };
    (draft.game.black.name, draft.game.white.name) = (fact(black.0), fact(white.0));
    draft.add_result(Some(Stated::score(score)));
}

/// The side that a sign or a word names.
fn side_of(text: &str) -> Option<Side> {
    match (label_of(text), text) {
        (Some(Label::Black), _) | (None, "▲" | "☗") => Some(Side::Black),
        (Some(Label::White), _) | (None, "△" | "☖") => Some(Side::White),
        _ => None,
    }
}

/// The side that a text begins with, as a sign, or as a word that is no name in any language, and the text behind it.
fn behind_a_mark(text: &str) -> Option<(Side, &str)> {
    let first = text.chars().next()?;
    let (mark, behind) = match first.is_alphanumeric() {
        true => text.split_once(char::is_whitespace).filter(|(word, _)| !word.is_ascii())?,
        false => text.split_at(first.len_utf8()),
    };
    Some((side_of(mark)?, behind.trim()))
}

/// The side that a mark before a name or behind it says, and the name.
fn marked(name: &str) -> Option<(Side, &str)> {
    let name = name.trim();
    let last = || {
        let (at, sign) = name.char_indices().next_back()?;
        let side = (!sign.is_alphanumeric()).then(|| side_of(name.get(at..)?))??;
        Some((side, name.get(..at)?))
    };
    let in_brackets = || {
        BRACKETS.into_iter().find_map(|(open, close)| {
            let before = || name.strip_prefix(open)?.split_once(close);
            let behind = || name.strip_suffix(close)?.rsplit_once(open).map(|(a, b)| (b, a));
            let (inside, name) = before().or_else(behind)?;
            let side = match inside.to_ascii_lowercase().as_str() {
                "b" => Side::Black,
                "w" => Side::White,
                word => side_of(word)?,
            };
            Some((side, name))
        })
    };
    let found = behind_a_mark(name).or_else(last).or_else(in_brackets);
    found.map(|(side, name)| (side, name.trim())).filter(|(_, name)| !name.is_empty())
}

/// The side that a text begins with as a word, and the name behind it. Titles begin with such words, too, so a number
/// must be behind the name: `Black Ann (1650)`, `Noir Ann 20`.
pub(super) fn behind_a_side(text: &str) -> Option<(Side, &str)> {
    let (word, name) = text.split_once(' ')?;
    let side = side_of(word).filter(|_| word.len() > 1)?;
    matches!(parted(name), Some((_, Beside::Rating(_) | Beside::Discs(_), _)))
        .then_some((side, name))
}

/// Both players and their result, Black first, without the marks of their sides.
pub(super) fn ordered<'a>(
    first: &'a str,
    second: &'a str,
    stated: Option<Stated>,
) -> (&'a str, &'a str, Option<Stated>) {
    // One such word alone may be a name.
    let worded = |name: &'a str| {
        let (word, rest) = name.trim().split_once([' ', ':'])?;
        let is_word = ["black", "white"].iter().any(|known| word.eq_ignore_ascii_case(known));
        Some((side_of(word).filter(|_| is_word)?, rest.trim()))
    };
    let (one, two) = match (marked(first), marked(second)) {
        (None, None) => worded(first).zip(worded(second)).unzip(),
        both => both,
    };
    let side = match (one, two) {
        (Some((one, _)), Some((two, _))) if one == two => None,
        (one, two) => one.map(|(side, _)| side).or(two.map(|(side, _)| side.other())),
    };
    let Some(side) = side else { return (first, second, stated) };
    let (first, second) = (one.map_or(first, |one| one.1), two.map_or(second, |two| two.1));
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
    let last = line.rsplit_once(' ').map(|(names, word)| (names, read_pair(word)));
    let (line, score) = last.filter(|(_, score)| score.is_some()).unwrap_or((line, None));
    let (side, behind) =
        behind_a_mark(line).or_else(|| marked(line)).or_else(|| behind_a_side(line))?;
    let both = behind.match_indices([' ', '\u{3000}']).find_map(|(at, blank)| {
        let (other, name) = behind_a_mark(behind.get(at + blank.len()..)?)?;
        (other != side).then_some((behind.get(..at)?, Some(name)))
    });
    let (name, other) = both.unwrap_or((behind, None));
    let is_name = |name: &str| {
        let name = match parted(name) {
            Some((name, Beside::Rating(_) | Beside::Discs(_), _)) => name,
            _ => name,
        };
        name.contains(char::is_alphabetic) && !name.contains(|c: char| c.is_numeric() || c == ':')
    };
    if !is_name(name) || !other.is_none_or(is_name) || (score.is_some() && other.is_none()) {
        return None;
    }
    player(&mut draft, name, side == Side::Black, true);
    other.into_iter().for_each(|name| player(&mut draft, name, side == Side::White, true));
    draft.add_result(score.map(Stated::score));
    Some(draft)
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

    #[test]
    fn discs_behind_both_names_are_the_result() {
        for (head, names, result) in [
            ("White: Bob 20, Black: Ann 44", ["Ann", "Bob"], Some("44-20")),
            ("White: Bob 20\nBlack: Ann 44", ["Ann", "Bob"], Some("44-20")),
            ("Black: Ann 44\nWhite: Bob 20\nResult: 44-20", ["Ann", "Bob"], Some("44-20")),
            ("Black: Player 1, White: Player 2", ["Player 1", "Player 2"], None),
            ("Black: Ann 44\nWhite: Bob", ["Ann 44", "Bob"], None),
            ("Ann 44 - Bob 20", ["Ann", "Bob"], Some("44-20")),
            ("Ann (44) - Bob (20)", ["Ann", "Bob"], Some("44-20")),
            ("rosebill@2 - Edax 4.5", ["rosebill@2", "Edax 4.5"], None),
            ("x9y vs bot lv10", ["x9y", "bot lv10"], None),
            ("Ann - Bob\nAnn wins 44-20", ["Ann", "Bob"], Some("44-20")),
            ("**Ann** vs **Bob** (44-20)", ["Ann", "Bob"], Some("44-20")),
            (
                "[b]Ann[/b] vs [b]Bob[/b]\n日付：２０１９年３月１２日\n感想：good\n結果：44対20で黒の勝ち",
                ["Ann", "Bob"],
                Some("44-20"),
            ),
        ] {
            let game = read_text(&format!("{head}\nf5d6c3d3c4\n")).remove(0).game;
            let found = [game.black.name, game.white.name].map(Option::unwrap_or_default);
            assert_eq!((found, game.moves.len()), (names.map(str::to_owned), 5), "{head}");
            let stated = game.stated.map(|stated| stated.to_string());
            assert_eq!(stated.as_deref(), result, "{head}");
        }
    }
}
