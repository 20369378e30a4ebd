//! Writes transcripts.

use super::joined::FEW;
use crate::files::games::game::Game;
use crate::files::games::writing::glued;

/// A game on a line: its moves, and before them the board where it does not start as usual.
pub(in crate::files::games) fn write_transcript(game: &Game, text: &mut String) {
    if !game.is_from_the_start() {
        text.push_str(&game.start.position.board_text(game.start.side));
        text.push(' ');
    }
    text.push_str(&glued(game));
    text.push('\n');
    // Two such lines would be read as one game.
    if game.moves.len() <= FEW {
        text.push('\n');
    }
}
