//! Writes SGF.

use std::fmt::Write as _;

use crate::board::{Side, Squares};
use crate::games::game::Game;
use crate::games::stated::{Stated, StatedScore};
use crate::games::writing::steps;

/// A game on one line; the start is always set up, since readers disagree about the usual one.
pub(in crate::games) fn write_sgf(game: &Game, text: &mut String) {
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
    for (step, has_passed) in steps(game) {
        let side = step.before.side;
        if has_passed {
            text.push(';');
            tag(text, letter(side.other()), Some(""));
        }
        text.push(';');
        tag(text, letter(side), Some(&step.square.to_string()));
    }
    text.push_str(")\n");
}

const fn letter(side: Side) -> &'static str {
    match side {
        Side::Black => "B",
        Side::White => "W",
    }
}

/// Who won by how much; what this cannot say stands as rosebill shows it.
fn result(game: &Game) -> String {
    let difference = |difference: f64| match difference {
        difference if difference > 0.0 => format!("B+{difference}"),
        difference if difference < 0.0 => format!("W+{}", -difference),
        _ => "0".to_owned(),
    };
    let Some(Stated { score, how }) = &game.stated else {
        return match game.black_discs {
            Some(discs) => difference(2.0 * f64::from(discs) - 64.0),
            None => "?".to_owned(),
        };
    };
    match (score, how) {
        (Some(StatedScore::Difference(by)), None) => difference(*by),
        (Some(StatedScore::Difference(by)), Some(how)) if *by != 0.0 => {
            format!("{}:{how}", difference(*by))
        }
        (Some(StatedScore::Winner(Some(side))), how) => {
            let how = match how.as_deref() {
                Some("resigned") => "Resign".to_owned(),
                Some("time") => "Time".to_owned(),
                Some("forfeit") => "Forfeit".to_owned(),
                Some(other) => format!(":{other}"),
                None => String::new(),
            };
            format!("{}+{how}", letter(*side))
        }
        (Some(StatedScore::Winner(None)), None) => "Draw".to_owned(),
        _ => game.stated.as_ref().map(ToString::to_string).unwrap_or_default(),
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
