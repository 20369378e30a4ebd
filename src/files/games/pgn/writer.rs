//! Writes PGN.

use std::fmt::Write as _;

use super::outcome::{Outcome, is_of_the_end};
use crate::files::games::game::Game;
use crate::files::games::writing::steps;
use crate::othello::board::write_fen;

/// Moves on a line.
const ON_A_LINE: usize = 16;

/// A game with its tags; the moves are numbered in pairs, and passes are written. Behind each move that has
/// one is its comment, without braces: they would end it.
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
        let comment = comment.map(|comment| format!(" {{{}}}", comment.replace(['{', '}'], "")));
        let played = format!("{}{}", step.square, comment.unwrap_or_default());
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
