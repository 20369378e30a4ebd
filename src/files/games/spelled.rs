//! A line of play that is typed in one of the ways in which files of games have it.

use std::borrow::Cow;

use super::GameFormat;
use super::game::Game;
use super::reader::{ReadGame, ReadOptions, read};
use crate::othello::board::Line;
use crate::othello::board::move_text::MoveText;

/// No line that is typed is longer, in bytes.
const LONGEST: usize = 16 << 10;

/// The line that a text is if it is nothing but moves, in the spellings of transcripts. None where it is not: words and
/// numbers beside moves say something.
pub(super) fn spelled_line(text: &str) -> Option<Line> {
    // What goes on is left open.
    let text = text.trim_end_matches(['.', '\u{2026}', ' ']);
    if text.len() > LONGEST || !begins_with_moves(text) {
        return None;
    }
    let (_, game) = only_game(text, Some(GameFormat::Transcript))?;
    let game = game.ok()?;
    (!game.moves.is_empty() && has_moves_alone(&game)).then(|| game.line())
}

/// The line of a game that is made of tags, or of tags alone, with the board that is set up in it; what
/// is wrong with such a game. None where a text is none, or has neither moves nor a board.
pub(super) fn tagged_line(text: &str) -> Option<Result<Line, String>> {
    if text.len() > LONGEST || !text.contains('[') || !text.contains([';', '"', ']']) {
        return None;
    }
    // What goes on is left open.
    let text = text.trim_end_matches(['.', '\u{2026}', ' ']);
    let begins = |tags: &[&str]| tags.iter().any(|tag| text.starts_with(tag));
    // Tags behind a board in brackets: moves.
    let has_moves = || text.split_once(']').is_some_and(|(_, behind)| behind.contains('['));
    let whole = if begins(&["BO["]) {
        // A board alone needs no game around it.
        Cow::Owned(has_moves().then(|| format!("(;GM[Othello]{text};)"))?)
    } else if begins(&[";"]) {
        Cow::Owned(format!("(;GM[2]{text})"))
    } else if begins(&["AB[", "AW[", "PL["]) {
        Cow::Owned(format!("(;GM[2];{text})"))
    } else {
        Cow::Borrowed(text)
    };
    let (format, game) = only_game(&whole, None)?;
    if !format.facts().has_tags {
        return None;
    }
    let sets_up = |game: &Game| {
        !game.is_from_the_start() || ["BO[", "AB["].iter().any(|tag| whole.contains(tag))
    };
    match game {
        Ok(game) => (!game.moves.is_empty() || sets_up(&game)).then(|| Ok(game.line())),
        Err(why) => Some(Err(why)),
    }
}

/// The game of a text that is the only one in it, or what is wrong with it.
fn only_game(text: &str, format: Option<GameFormat>) -> Option<(GameFormat, Result<Game, String>)> {
    let options = ReadOptions { format, keeps_squares: true, ..ReadOptions::default() };
    let mut games = read(text.as_bytes(), "", &options).ok()?;
    let format = games.format();
    let (first, second) = (games.next()?, games.next());
    let game = first.map(|ReadGame { game, .. }| game).map_err(|defect| defect.why.to_string());
    second.is_none().then_some((format, game))
}

/// Whether moves come first, perhaps in brackets: no title or name.
fn begins_with_moves(text: &str) -> bool {
    let inside = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    MoveText::new(inside).take().is_some()
}

/// Whether nothing is known of a game but its moves.
fn has_moves_alone(game: &Game) -> bool {
    let bare = Game {
        source: game.source.clone(),
        moves: game.moves.clone(),
        black_discs: game.black_discs,
        ..Game::default()
    };
    *game == bare
}
