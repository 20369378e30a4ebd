//! Writes SGF.

use std::fmt::Write as _;

use crate::files::games::game::Game;
use crate::files::games::remarks::{Remark, Variation};
use crate::files::games::stated::{Stated, StatedScore};
use crate::files::games::writing::steps;
use crate::othello::board::{Placed, Side, Square, Squares};

/// A game on one line; the start is always set up, since readers disagree about the usual one.
pub(in crate::files::games) fn write_sgf(game: &Game, text: &mut String) {
    text.push_str("(;GM[2]FF[4]CA[UTF-8]SZ[8]");
    let extra = |name: &str| game.extra.get(name).map(String::as_str);
    tag(text, "PC", extra("Site"));
    tag(text, "DT", game.date.map(|date| date.to_string()).as_deref());
    tag(text, "EV", game.event.as_deref());
    tag(text, "RO", game.round.as_deref());
    tag(text, "PB", game.black.name.as_deref());
    tag(text, "PW", game.white.name.as_deref());
    tag(text, "BR", game.black.rating.map(|rating| rating.to_string()).as_deref());
    tag(text, "WR", game.white.rating.map(|rating| rating.to_string()).as_deref());
    tag(text, "TM", game.time_control.as_deref());
    // Without it a result with komi may be none that a board gives.
    tag(text, "KM", extra("KM"));
    tag(text, "VA", game.xot.then_some("xot"));
    tag(text, "RE", Some(&result(game)));
    let position = game.start.position;
    let (black, white) = match game.start.side {
        Side::Black => (position.mover, position.opponent),
        Side::White => (position.opponent, position.mover),
    };
    for (name, discs) in [("AB", black), ("AW", white)] {
        if discs != 0 {
            text.push_str(name);
            Squares(discs).for_each(|square| put(text, &square.to_string()));
        }
    }
    tag(text, "PL", Some(letter(game.start.side)));
    if let Some(said) = game.remarks.of(0) {
        remark(text, said, game.start.side);
    }
    let mut open = Vec::new();
    for ((step, has_passed), index) in steps(game).zip(1..) {
        let said = game.remarks.of(index);
        let variations = said.map_or(&[][..], |said| &said.variations);
        if !variations.is_empty() {
            text.push('(');
            open.push((variations, step.before));
        }
        node(text, step.square, step.before.side, has_passed, said);
    }
    close(text, open);
    text.push_str(")\n");
}

/// A move, and the pass before it.
fn node(text: &mut String, square: Square, side: Side, has_passed: bool, said: Option<&Remark>) {
    if has_passed {
        text.push(';');
        tag(text, letter(side.other()), Some(""));
    }
    text.push(';');
    tag(text, letter(side), Some(&square.to_string()));
    if let Some(said) = said {
        remark(text, said, side);
    }
}

/// Ends the main lines of variations, the innermost first, with the others behind each.
fn close(text: &mut String, mut open: Vec<(&[Variation], Placed)>) {
    while let Some((variations, before)) = open.pop() {
        text.push(')');
        for each in variations {
            text.push('(');
            variation(text, each, before);
            text.push(')');
        }
    }
}

fn variation(text: &mut String, variation: &Variation, start: Placed) {
    if !variation.comments.is_empty() {
        text.push(';');
        tag(text, "C", Some(&variation.comments.join("\n")));
    }
    let mut open = Vec::new();
    for (each, before, has_passed) in variation.steps(start) {
        let variations = &each.remark.variations[..];
        if !variations.is_empty() {
            text.push('(');
            open.push((variations, before));
        }
        node(text, each.square, before.side, has_passed, Some(&each.remark));
    }
    close(text, open);
}

/// What is said of a move of a side; glyphs that the format has no tag for are left out.
fn remark(text: &mut String, said: &Remark, side: Side) {
    for glyph in &said.glyphs {
        match glyph.as_str() {
            "!" => tag(text, "TE", Some("1")),
            "!!" => tag(text, "TE", Some("2")),
            "?" => tag(text, "BM", Some("1")),
            "??" => tag(text, "BM", Some("2")),
            "?!" => tag(text, "DO", Some("")),
            "!?" => tag(text, "IT", Some("")),
            other => {
                let (name, often) =
                    other.strip_suffix('2').map_or((other, "1"), |name| (name, "2"));
                if ["GB", "GW", "DM", "UC", "HO"].contains(&name) {
                    tag(text, name, Some(often));
                }
            }
        }
    }
    tag(text, "V", said.evaluation.map(|discs| discs.to_string()).as_deref());
    let left = said.clock.map(|left| (left as f64 / 1000.0).to_string());
    tag(text, if side == Side::Black { "BL" } else { "WL" }, left.as_deref());
    if !said.comments.is_empty() {
        tag(text, "C", Some(&said.comments.join("\n")));
    }
}

const fn letter(side: Side) -> &'static str {
    match side {
        Side::Black => "B",
        Side::White => "W",
    }
}

/// The winner, and the margin, or the way where the format has a letter for it: it has no room for
/// both.
fn result(game: &Game) -> String {
    let score = game.stated.as_ref().and_then(|stated| stated.score);
    let winner = game.stated.as_ref().and_then(Stated::winner).flatten();
    let how = game.stated.as_ref().and_then(|stated| stated.how.as_deref());
    let letter_of_how = match how {
        Some("resigned") => Some('R'),
        Some("time") => Some('T'),
        Some("forfeit") => Some('F'),
        _ => None,
    };
    if let (Some(side), Some(how)) = (winner, letter_of_how) {
        return format!("{}+{how}", letter(side));
    }
    let Some(by) = game.margin() else {
        return match score {
            Some(StatedScore::Winner(Some(side))) => format!("{}+", letter(side)),
            Some(_) => "Draw".to_owned(),
            None => "?".to_owned(),
        };
    };
    match by {
        by if by > 0.0 => format!("B+{by}"),
        by if by < 0.0 => format!("W+{}", -by),
        _ => "0".to_owned(),
    }
}

fn tag(text: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        text.push_str(name);
        put(text, value);
    }
}

fn put(text: &mut String, value: &str) {
    let value = value.replace('\\', "\\\\").replace(']', "\\]");
    // A string takes all that is written.
    let _ = write!(text, "[{value}]");
}

#[cfg(test)]
mod tests {
    use crate::files::games::game::Game;
    use crate::files::games::stated::Stated;
    use crate::files::games::testing::read_text;

    #[test]
    fn results_are_those_of_the_format() {
        for (stated, result, again) in [
            ("26-38", "W+12", "-12"),
            ("+12", "B+12", "+12"),
            ("32-32", "0", "+0"),
            ("1-0", "B+", "1-0"),
            ("0-1 (resigned)", "W+R", "0-1 (resigned)"),
            ("+64 (resigned)", "B+R", "1-0 (resigned)"),
            ("1-0 (time)", "B+T", "1-0 (time)"),
            ("0-1 (forfeit)", "W+F", "0-1 (forfeit)"),
            ("0-1 (left)", "W+", "0-1"),
            ("20-44 (20)", "W+24", "-24"),
            ("1/2-1/2", "Draw", "1/2-1/2"),
            ("1/2-1/2 (agreed)", "Draw", "1/2-1/2"),
            ("resigned", "?", ""),
            ("-9.5", "W+9.5", "-9.5"),
            ("", "?", ""),
        ] {
            let mut game = Game::of_line(&"f5d6c3".parse().unwrap());
            game.stated = Stated::read_shown(stated);
            let mut text = String::new();
            super::write_sgf(&game, &mut text);
            assert!(text.contains(&format!("RE[{result}]")), "{stated}: {text}");
            let found = read_text(&text).remove(0).game.stated;
            assert_eq!(found.map(|found| found.to_string()).unwrap_or_default(), again, "{text}");
        }
    }
}
