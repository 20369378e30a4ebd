//! The board that a file says a game starts from.

use super::refused::Why;
use crate::othello::board::{BoardError, Placed, Side, read_board};

/// Reads the start of a game in any notation; `unsaid` is to move where the text names no side.
pub(super) fn start_board(text: &str, unsaid: Option<Side>) -> Result<Placed, Why> {
    let read = read_board(text).and_then(|board| {
        board.check_end()?;
        match (board.said, unsaid) {
            (None, Some(side)) => Ok(board.with_side(side)),
            _ => board.placed_as_said(),
        }
    });
    read.map_err(|error| match error {
        BoardError::Size { found } => Why::board_size(&found),
        error => Why::start(&error.to_string()),
    })
}
