//! Writes PGN.

use std::fmt::Write as _;

use super::outcome::{Outcome, is_of_the_end};
use crate::files::games::game::Game;
use crate::files::games::writing::steps;
use crate::othello::board::write_fen;

/// Moves on a line.
const ON_A_LINE: usize = 16;

/// A game with its tags; the moves are numbered in pairs, and passes are written. Behind each move that has
/// one is its comment, without braces: they would end it; and the time that it took, as `[%emt 0:00:01.250]`.
pub(crate) fn commented_pgn(game: &Game, comments: &[Option<String>]) -> String {
    let mut written = String::new();
    let text = &mut written;
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
    tag(text, "Event", &known(&game.event));
    tag(text, "Site", game.extra.get("Site").map_or("?", String::as_str));
    let date = game.date.map_or_else(
        || "????.??.??".to_owned(),
        |date| {
            let part = |part: Option<u8>| part.map_or("??".to_owned(), |part| format!("{part:02}"));
            format!("{:04}.{}.{}", date.year(), part(date.month()), part(date.day()))
        },
    );
    tag(text, "Date", &date);
    tag(text, "Round", &known(&game.round));
    tag(text, "Black", &known(&game.black.name));
    tag(text, "White", &known(&game.white.name));
    let end = Outcome::of(game);
    tag(text, "Result", &end.result);
    end.tags.iter().for_each(|(name, value)| tag(text, name, value));
    for (name, rating) in [("BlackElo", game.black.rating), ("WhiteElo", game.white.rating)] {
        if let Some(rating) = rating {
            tag(text, name, &rating.to_string());
        }
    }
    if let Some(time_control) = &game.time_control {
        tag(text, "TimeControl", time_control);
    }
    match game.told_xot() {
        Some(true) => tag(text, "Variant", "xot"),
        Some(false) => tag(text, "Xot", "no"),
        None => {}
    }
    for (name, value) in game.extra.iter().filter(|(name, _)| is_tag_name(name)) {
        tag(text, name, value);
    }
    if !game.is_from_the_start() {
        tag(text, "FEN", &write_fen(game.start));
    }
    text.push('\n');
    let mut words = Vec::new();
    let entries = steps(game).zip(0..).flat_map(|((step, has_passed), index): (_, usize)| {
        let comment = comments.get(index).and_then(Option::as_deref);
        let comment = comment.map(|comment| comment.replace(['{', '}'], ""));
        let time = game.milliseconds.get(index).filter(|&&time| time > 0);
        let said: Vec<String> = comment.into_iter().chain(time.map(|&time| emt(time))).collect();
        let played = match said.is_empty() {
            true => step.square.to_string(),
            false => format!("{} {{{}}}", step.square, said.join(" ")),
        };
        has_passed.then(|| "--".to_owned()).into_iter().chain([played])
    });
    for (index, entry) in entries.enumerate() {
        let number = index / 2 + 1;
        words.push(if index % 2 == 0 { format!("{number}. {entry}") } else { entry });
    }
    words.push(end.result);
    for line in words.chunks(ON_A_LINE) {
        text.push_str(&line.join(" "));
        text.push('\n');
    }
    text.push('\n');
    written
}

/// Whether another fact can be a tag: a word that is none of the tags that have a place of their own.
fn is_tag_name(name: &str) -> bool {
    let own = [
        "event",
        "site",
        "date",
        "round",
        "black",
        "white",
        "result",
        "blackelo",
        "whiteelo",
        "blackrating",
        "whiterating",
        "timecontrol",
        "variant",
        "fen",
        "setup",
        "utcdate",
    ];
    !own.contains(&name.to_ascii_lowercase().as_str())
        && !is_of_the_end(name)
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    // A string takes all that is written.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// The mark of a time in a comment.
const EMT: &str = "[%emt ";

/// The time that a move took, as comments of PGN have it.
fn emt(milliseconds: u32) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{EMT}{hours}:{minutes:02}:{seconds:02}.{rest:03}]")
}

/// The milliseconds of a time in a comment: hours, minutes and seconds, of which the first may be missing.
pub(super) fn read_emt(comment: &str) -> Option<u32> {
    let (_, rest) = comment.split_once(EMT)?;
    let (time, _) = rest.split_once(']')?;
    let add = |seconds: f64, part: &str| Some(seconds * 60.0 + part.trim().parse::<f64>().ok()?);
    let seconds = time.split(':').try_fold(0.0, add).filter(|seconds| *seconds >= 0.0)?;
    Some((seconds * 1000.0).round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::read_text;

    #[test]
    fn times_of_moves_are_read_back() {
        let milliseconds = vec![1_250, 0, 3_723_004];
        let game = Game { milliseconds, ..Game::of_line(&"f5d6c3".parse().unwrap()) };
        let text = commented_pgn(&game, &[Some("+1.00".to_owned()), Some("a {b}".to_owned())]);
        let moves = "1. f5 {+1.00 [%emt 0:00:01.250]} d6 {a b} 2. c3 {[%emt 1:02:03.004]} *";
        assert!(text.contains(moves), "{text}");
        assert_eq!(read_text(&text).remove(0).game.milliseconds, game.milliseconds);
        let others =
            "[Event \"x\"]\n\n1. f5 (f5 {[%emt 5]}) {[%clk 0:01] [%emt 0:02.5]} d6 {[%emt x]} *\n";
        assert_eq!(read_text(others).remove(0).game.milliseconds, [2_500, 0]);
    }
}
