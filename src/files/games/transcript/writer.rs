//! Writes transcripts.

use super::line::read;
use super::moves_of::FEW;
use crate::files::fault::Place;
use crate::files::games::game::Game;
use crate::files::games::stated::StatedScore;
use crate::files::games::writing::glued;

/// A game on a line: its moves, and before them the players and the result, or the board where it does not
/// start as usual.
pub(in crate::files::games) fn write_transcript(game: &Game, text: &mut String) {
    if !game.is_from_the_start() {
        text.push_str(&game.start.position.board_text(game.start.side));
        text.push(' ');
    }
    let moves = glued(game);
    let named = game.is_from_the_start().then(|| named(game, &moves)).flatten();
    text.push_str(&named.unwrap_or(moves));
    text.push('\n');
    // Two such lines would be read as one game.
    if game.moves.len() <= FEW {
        text.push('\n');
    }
}

/// `Ann 40-24 Bob : f5d6…`, unless names are unknown, or would be read as something else.
fn named(game: &Game, moves: &str) -> Option<String> {
    let (black, white) = (game.black.name.as_deref()?, game.white.name.as_deref()?);
    let stated = game.stated.as_ref().and_then(|stated| stated.score);
    let discs = match (stated, game.black_discs) {
        (Some(StatedScore::Discs { black, white }), _) => Some((black, white)),
        (_, Some(black)) => Some((black, 64 - black)),
        _ => None,
    };
    let between = discs.map_or("-".to_owned(), |(black, white)| format!("{black}-{white}"));
    let line = format!("{black} {between} {white} : {moves}");
    // Braces are around comments.
    if line.contains(['{', '}']) {
        return None;
    }
    let again = read(&line, Place::Line(1));
    let [Ok(again)] = &again[..] else { return None };
    let is_same = again.game.black.name.as_deref() == Some(black)
        && again.game.white.name.as_deref() == Some(white)
        && again.entries.len() == game.moves.len()
        && again.game.extra.is_empty()
        && again.said.is_empty();
    is_same.then_some(line)
}
