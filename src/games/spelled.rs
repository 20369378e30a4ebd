//! A line of play that is typed in one of the ways in which files of games have it.

use std::borrow::Cow;

use super::format::GameFormat;
use super::game::Game;
use super::move_text::MoveText;
use super::reader::{ReadGame, ReadOptions, read};
use crate::board::Line;

/// No line that is typed is longer, in bytes.
const LONGEST: usize = 16 << 10;

/// The line that a text is if it is nothing but moves, in the spellings of transcripts, or a game of GGF, SGF or PGN;
/// what is wrong with such a game. None where it is neither: words and numbers beside moves say something.
pub(super) fn spelled_line(text: &str) -> Option<Result<Line, String>> {
    if text.len() > LONGEST {
        return None;
    }
    // What goes on is left open.
    let text = text.trim_end_matches(['.', '\u{2026}', ' ']);
    let whole = match text.starts_with(';') && text.contains('[') {
        // The moves of SGF without what stands around a game.
        true => Cow::Owned(format!("(;GM[2]{text})")),
        false => Cow::Borrowed(text),
    };
    let is_marked = whole.contains('[') && whole.contains([';', '"']);
    if !is_marked && !begins_with_moves(text) {
        return None;
    }
    let format = (!is_marked).then_some(GameFormat::Transcript);
    let options = ReadOptions { format, keeps_squares: true, ..ReadOptions::default() };
    let mut games = read(whole.as_bytes(), "", &options).ok()?;
    let is_marked = matches!(games.format(), GameFormat::Ggf | GameFormat::Sgf | GameFormat::Pgn);
    let (first, second) = (games.next()?, games.next());
    match first {
        _ if second.is_some() => None,
        Ok(ReadGame { game, .. }) => {
            let is_one = !game.moves.is_empty() && (is_marked || has_moves_alone(&game));
            is_one.then(|| Ok(game.line()))
        }
        Err(defect) => is_marked.then(|| Err(defect.why.to_string())),
    }
}

/// Whether moves stand first, perhaps in brackets: no title or name.
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
