//! POSITION arguments: a line of play, or 64 squares and the side to move.

use std::str::FromStr;

use crate::board::{BoardError, Line, LineError, Placed, parse_board};
use crate::one_line::one_line;

/// A position that a user asks about.
#[derive(Clone, Debug)]
pub struct Place {
    /// The board with its colours. The side to move may have to pass, or the game may be over.
    pub placed: Placed,
    /// The moves that led there, if it was given as a line.
    pub line: Option<Line>,
}

impl Place {
    /// The start position.
    #[must_use]
    pub fn start() -> Self {
        Self { placed: Placed::START, line: Some(Line::default()) }
    }
}

/// Why a text is no position.
#[derive(Debug, thiserror::Error, Clone)]
pub enum PlaceError {
    /// It looks like a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// It looks like a line.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It looks like an option that there is not, or like standard input.
    #[error(
        "'{0}' is no option here and no position: expected a line such as f5d6c3, or 64 squares and \
         the side to move"
    )]
    Option(String),
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        if looks_like_a_board(text) {
            return Ok(Self { placed: parse_board(text)?, line: None });
        }
        if text.starts_with('-') {
            return Err(PlaceError::Option(one_line(text, MOST_TOLD)));
        }
        let line: Line = text.parse()?;
        Ok(Self { placed: line.board(), line: Some(line) })
    }
}

/// Characters of an unreadable argument that are told again.
const MOST_TOLD: usize = 60;

/// A line holds digits in every move; a board holds none (a `0` for White apart).
fn looks_like_a_board(text: &str) -> bool {
    let squares = text.chars().filter(|character| !character.is_whitespace());
    squares.clone().count() >= 16 && !squares.clone().any(|c| ('1'..='8').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_lines_from_boards() {
        let board = Placed::START.position.board_text(Placed::START.side);
        assert!(board.parse::<Place>().is_ok_and(|place| place.line.is_none()));
        assert!("f5d6c3".parse::<Place>().is_ok_and(|place| place.line.is_some()));
        assert!("".parse::<Place>().is_ok_and(|place| place.placed == Placed::START));
        assert!(matches!(board[1..].parse::<Place>(), Err(PlaceError::Board(_))));
        for option in ["-", "--jso", "-x", "--boks=x"] {
            assert!(matches!(option.parse::<Place>(), Err(PlaceError::Option(_))), "{option}");
        }
        assert!(matches!("f5f5".parse::<Place>(), Err(PlaceError::Line(_))));
    }
}
