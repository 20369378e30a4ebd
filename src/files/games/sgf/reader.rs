//! Reads SGF.

use crate::files::fault::Place;
use crate::files::games::brackets::Part;
use crate::files::games::draft::{Draft, fact, rating};
use crate::files::games::refused::Why;
use crate::files::games::remarks::{Item, said};
use crate::files::games::replay::Entry;
use crate::files::games::stated::{Stated, StatedScore};
use crate::files::games::variant::says_xot;
use crate::othello::board::Played;
use crate::othello::board::move_text::pass_length;
use crate::othello::board::{Placed, Position, Side, Square};
use crate::othello::one_line::one_line;

/// The board as the tags before the first move set it up.
#[derive(Default)]
struct Setup {
    black: u64,
    white: u64,
    side: Option<Side>,
}

pub(super) fn read(place: Place, parts: Vec<Part>) -> Result<Draft, Why> {
    let mut draft = Draft::new(place);
    let mut setup = Setup::default();
    let tells = |part: &Part| matches!(part, Part::Tag(name, _) if ["GM", "B", "W"].contains(&name.as_str()));
    if !parts.iter().any(tells) {
        return Err(Why::OtherGame("neither GM[2] nor a move".to_owned()));
    }
    // Of a node, in which the move may come last.
    let mut of_node = Vec::new();
    for part in parts {
        let (name, values) = match part {
            Part::Tag(name, values) => (name, values),
            other => {
                of_node.drain(..).for_each(|item| draft.remark(item));
                if let Part::Variation(parts) = other {
                    draft.remark(Item::Variation(items_of(parts)));
                }
                continue;
            }
        };
        let value = values.first().map_or("", String::as_str);
        let game = &mut draft.game;
        match name.as_str() {
            "GM" if value.trim() == "2" => {}
            "GM" => return Err(Why::OtherGame(format!("GM[{}]", one_line(value, 20)))),
            "SZ" if matches!(value.trim(), "8" | "8:8" | "8x8" | "8X8") => {}
            "SZ" => return Err(Why::BoardSize(one_line(value, 10))),
            "AB" | "AW" | "AE" | "PL" if !draft.entries.is_empty() => {
                return Err(Why::content(&name, "moves only, once the first has been made"));
            }
            "AB" => setup.black |= points(&values)?,
            "AW" => setup.white |= points(&values)?,
            "AE" => {
                let empty = points(&values)?;
                setup.black &= !empty;
                setup.white &= !empty;
            }
            "PL" => setup.side = side(value),
            "PB" => game.black.name = fact(value),
            "PW" => game.white.name = fact(value),
            "BR" => game.black.rating = rating(value),
            "WR" => game.white.rating = rating(value),
            "EV" => game.event = fact(value),
            "RO" => game.round = fact(value),
            "DT" => game.set_date(value),
            "TM" => game.time_control = fact(value),
            "RE" => draft.set_result(result(value)),
            "PC" => game.set_extra("Site", value),
            "VA" | "RU" if says_xot(value) => game.xot = true,
            "B" => draft.push(entry(Side::Black, value)),
            "W" => draft.push(entry(Side::White, value)),
            "FF" | "CA" | "ST" => {}
            // Drawings on the board.
            "OB" | "OW" | "LB" | "TR" | "CR" | "SQ" | "MA" | "MN" => {}
            _ => match said_of(&name, value) {
                Some(items) => of_node.extend(items),
                None => game.set_extra(&name, value),
            },
        }
    }
    of_node.drain(..).for_each(|item| draft.remark(item));
    let first = draft.entries.first().and_then(|entry| entry.side);
    draft.game.start = start(&setup, first)?;
    let komi = draft.game.komi();
    draft.game.stated = draft.game.stated.take().and_then(|stated| stated.if_possible(komi));
    Ok(draft)
}

/// What a tag says of a move; none where it says something else.
fn said_of(name: &str, value: &str) -> Option<Vec<Item>> {
    let sign = |once: &str, twice: &str| {
        Some(vec![Item::Glyph(if value.trim() == "2" { twice } else { once }.to_owned())])
    };
    match name {
        "C" | "N" => Some(value.lines().filter_map(said).map(Item::Comment).collect()),
        "V" => {
            let worth = value.trim().parse::<f64>().ok().filter(|worth| worth.is_finite());
            Some(worth.map(Item::Evaluation).into_iter().collect())
        }
        "BL" | "WL" => {
            let seconds = value.trim().parse::<f64>().ok();
            let seconds = seconds.filter(|seconds| (0.0..1e9).contains(seconds));
            let left = seconds.map(|seconds| Item::Clock((seconds * 1000.0).round() as u64));
            Some(left.into_iter().collect())
        }
        "BM" => sign("?", "??"),
        "TE" => sign("!", "!!"),
        "DO" => sign("?!", "?!"),
        "IT" => sign("!?", "!?"),
        "GB" | "GW" | "DM" | "UC" | "HO" => sign(name, &format!("{name}2")),
        _ => None,
    }
}

/// A variation.
fn items_of(parts: Vec<Part>) -> Vec<Item> {
    let (mut items, mut said) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Part::Node => items.append(&mut said),
            Part::Variation(parts) => {
                items.append(&mut said);
                items.push(Item::Variation(items_of(parts)));
            }
            Part::Tag(name, values) => {
                let value = values.first().map_or("", String::as_str);
                match name.as_str() {
                    "B" => items.push(Item::Played(entry(Side::Black, value).played)),
                    "W" => items.push(Item::Played(entry(Side::White, value).played)),
                    name => said.extend(said_of(name, value).into_iter().flatten()),
                }
            }
        }
    }
    items.append(&mut said);
    items
}

/// The start, which is not written where it is the usual one.
fn start(setup: &Setup, first: Option<Side>) -> Result<Placed, Why> {
    let &Setup { mut black, mut white, .. } = setup;
    let mut side = setup.side.or(first).unwrap_or(Side::Black);
    if black == 0 && white == 0 {
        let Position { mover, opponent } = Position::START;
        (black, white) = (mover, opponent);
        // A first move that is said to be White's is no other start, but a mistake.
        side = setup.side.unwrap_or(Side::Black);
    }
    if black & white != 0 {
        return Err(Why::start("a square is set up in both colors"));
    }
    let position = match side {
        Side::Black => Position { mover: black, opponent: white },
        Side::White => Position { mover: white, opponent: black },
    };
    Ok(Placed { position, side })
}

fn side(value: &str) -> Option<Side> {
    match value.trim().chars().next()?.to_ascii_lowercase() {
        'b' | '1' => Some(Side::Black),
        'w' | '2' => Some(Side::White),
        _ => None,
    }
}

/// Squares, or corners of rectangles of them (`a1:b2`).
fn points(values: &[String]) -> Result<u64, Why> {
    let mut set = 0;
    for value in values {
        let corners = match value.split_once(':') {
            Some((first, last)) => square(first).zip(square(last)),
            None => square(value).map(|square| (square, square)),
        };
        let Some((first, last)) = corners else {
            return Err(Why::start(&format!("\"{value}\" is not a square")));
        };
        let inside =
            |number: u8, one: u8, other: u8| (one.min(other)..=one.max(other)).contains(&number);
        set |= Square::all()
            .filter(|square| inside(square.column(), first.column(), last.column()))
            .filter(|square| inside(square.row(), first.row(), last.row()))
            .fold(0, |set, square| set | square.bit());
    }
    Ok(set)
}

/// `f5`, or `fe` in the letters of SGF.
fn square(text: &str) -> Option<Square> {
    let &[column, row] = text.trim().as_bytes() else { return None };
    Square::from_ascii(column, row).or_else(|| {
        let row = row.to_ascii_lowercase();
        (b'a'..=b'h').contains(&row).then(|| Square::from_ascii(column, row - b'a' + b'1'))?
    })
}

fn entry(side: Side, value: &str) -> Entry {
    let text = value.trim();
    let is_pass = matches!(text, "" | "--" | "tt") || pass_length(text) == Some(text.len());
    let played = match square(text) {
        Some(square) => Played::Square(square),
        None if is_pass => Played::Pass,
        None => Played::Unreadable(text.to_owned()),
    };
    Entry { side: Some(side), ..played.into() }
}

/// `B+12`, `W+Resign`, `0`, `Draw`, `47-17`, `?`.
fn result(value: &str) -> Option<Stated> {
    let value = fact(value)?;
    if let Some(stated) = Stated::read_lead(&value) {
        return Some(stated);
    }
    match value.to_ascii_lowercase().as_str() {
        "0" => Some(Stated::score(StatedScore::Difference(0.0))),
        "jigo" => Some(Stated::score(StatedScore::Winner(None))),
        "void" => None,
        _ => Stated::read_told(&value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::{read_text, refused};

    #[test]
    fn reads_both_kinds_of_squares_and_the_main_line() {
        for text in [
            "(;GM[2]FF[4];B[f5];W[d6];B[c3])",
            "(;GM[2]SZ[8];B[fe];W[df];B[cc])",
            "(;GM[2]FF[4]SZ[8]RE[B+10];b[f5];w[d6];b[c3])",
            "(;gm[2]sz[8x8];Black[f5];White[d6];Black[c3])",
            "(;FF[4]\nGM[2]SZ[8:8]\n;B[F5]C[a \\] b)\n];W[d6](;B[c3])(;B[c4];W[e6]))",
            "(;GM[2]AB[e4][d5]AW[d4][e5]PL[B];B[f5];W[d6];B[c3])",
            "(;GM[2]AB[ed][de]AW[dd][ee];B[f5];W[d6];B[c3])",
        ] {
            let games = read_text(text);
            assert_eq!(games[0].game.line().to_string(), "f5d6c3", "{text}");
            assert!(games[0].game.is_from_the_start());
        }
    }

    #[test]
    fn reads_facts() {
        let text = "(;GM[2]PB[one \\]]PW[Löf]BR[1720?]WR[?]EV[Cup]RO[2]DT[2004-05-01]\
                    TM[1200]RE[B+Resign]PC[Oslo]AP[prog:1]US[me];B[f5])\n(;GM[2]RE[W+4.0];B[f5])\
                    (;GM[2]RE[bye]RU[XOT];B[f5])";
        let games = read_text(text);
        assert!(games[2].game.xot);
        let told = "the result \"bye\" is not understood: kept as it is";
        assert_eq!(games[2].notes.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
        let game = &games[0].game;
        assert_eq!(game.black.name.as_deref(), Some("one ]"));
        assert_eq!((game.black.rating, game.white.rating), (Some(1720.0), None));
        assert_eq!(game.stated.as_ref().unwrap().to_string(), "1-0 (resigned)");
        assert_eq!((game.extra["Site"].as_str(), game.extra["AP"].as_str()), ("Oslo", "prog:1"));
        assert_eq!(games[1].game.stated.as_ref().unwrap().to_string(), "-4");
    }

    #[test]
    fn a_result_that_no_board_gives_is_none() {
        for (tags, shown) in [
            ("RE[W+127]", None),
            ("RE[B+65.0]", None),
            ("RE[B+99:time]", Some("time")),
            ("RE[B+67.13]KM[-3.13]", Some("+67.13")),
            ("RE[B+64]", Some("+64")),
        ] {
            let game = read_text(&format!("(;GM[2]{tags};B[f5])")).remove(0).game;
            assert_eq!(game.stated.map(|stated| stated.to_string()).as_deref(), shown, "{tags}");
        }
    }

    #[test]
    fn reads_other_starts() {
        let games = read_text("(;GM[2]AB[b1:b1]AW[a1];W[c1];B[tt];W[])");
        let game = &games[0].game;
        assert_eq!((game.start.side, game.start.position.discs()), (Side::White, 2));
        assert_eq!(game.moves.len(), 1);
    }

    #[test]
    fn says_why_a_game_is_refused() {
        for (tags, part) in [
            ("GM[1];B[ee]", "not Othello: GM[1]"),
            ("GM[2]SZ[10];B[ee]", "a board of size 10"),
            ("GM[2]AB[a1]AW[a1];B[b1]", "both colors"),
            ("GM[2]AB[z1];B[b1]", "\"z1\" is not a square"),
            ("GM[2];B[f5]AB[a1]", "expected moves only"),
            ("GM[2];B[f5];W[]", "white can move"),
            ("GM[2];B[f5];W[i9]", "move 2 \"i9\": no such square"),
            ("GM[2];B[f5];W[é]", "move 2 \"é\": no such square"),
        ] {
            let found = refused(&format!("(;{tags})\n"));
            assert!(found.contains(part), "{found}");
        }
    }
}
