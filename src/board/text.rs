//! Boards as text: 64 squares and the side to move.

use thiserror::Error;

use super::{Position, Side};
use crate::one_line::one_line;

/// The most characters that a message shows of what should be the side to move.
const MOST_SHOWN: usize = 20;

/// A position with the colour that is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The discs, seen by the side to move.
    pub position: Position,
    /// The colour of the side to move.
    pub side: Side,
}

impl Placed {
    /// The start position, Black to move.
    pub const START: Self = Self { position: Position::START, side: Side::Black };
}

/// A text that is no board.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum BoardError {
    /// Not 64 squares.
    #[error("a board has 64 squares and then the side to move, found {found} squares")]
    Squares {
        /// How many squares there were.
        found: usize,
    },
    /// A character that stands for neither colour nor an empty square.
    #[error(
        "'{found}' at character {at} of the board: expected X, * or B (black), \
         O or W (white), - or . (empty)"
    )]
    Character {
        /// The character.
        found: char,
        /// Where it stands, from 1.
        at: usize,
    },
    /// The side to move is missing or unknown.
    #[error("the side to move is missing after the 64 squares: expected X or O, found '{found}'")]
    Side {
        /// What stands there.
        found: String,
    },
}

/// Reads 64 squares from a1 to h1, a2 to h2, … and then the side to move.
///
/// Black is `X`, `x`, `*`, `B` or `b`; White is `O`, `o`, `0`, `W` or `w`; an empty square is `-`,
/// `.` or `_`. Blanks and line ends may stand anywhere.
///
/// # Errors
/// [`BoardError`] says what is wrong and where.
pub fn parse_board(text: &str) -> Result<Placed, BoardError> {
    let mut black = 0u64;
    let mut white = 0u64;
    let mut found = 0usize;
    let mut characters =
        text.chars().enumerate().filter(|(_, character)| !character.is_whitespace());
    for (at, character) in characters.by_ref() {
        match colour(character) {
            Some(Some(Side::Black)) => black |= 1 << found,
            Some(Some(Side::White)) => white |= 1 << found,
            Some(None) => {}
            None => return Err(BoardError::Character { found: character, at: at + 1 }),
        }
        found += 1;
        if found == 64 {
            break;
        }
    }
    if found < 64 {
        return Err(BoardError::Squares { found });
    }
    let rest: String = characters.map(|(_, character)| character).collect();
    let side = match rest.to_ascii_lowercase().as_str() {
        "x" | "*" | "b" | "black" => Side::Black,
        "o" | "0" | "w" | "white" => Side::White,
        _ => return Err(BoardError::Side { found: one_line(&rest, MOST_SHOWN) }),
    };
    let position = match side {
        Side::Black => Position { mover: black, opponent: white },
        Side::White => Position { mover: white, opponent: black },
    };
    Ok(Placed { position, side })
}

/// Some colour, an empty square, or no character of a board at all.
const fn colour(character: char) -> Option<Option<Side>> {
    match character {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Some(Side::Black)),
        'O' | 'o' | '0' | 'W' | 'w' => Some(Some(Side::White)),
        '-' | '.' | '_' => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let text = "---------------------------OX------XO--------------------------- X";
        let placed = parse_board(text).unwrap();
        assert_eq!(placed, Placed::START);
        assert_eq!(placed.position.board_text(placed.side), text);
    }

    #[test]
    fn says_what_is_wrong() {
        let squares = "-".repeat(64);
        assert_eq!(parse_board("XO"), Err(BoardError::Squares { found: 2 }));
        assert_eq!(parse_board(&squares), Err(BoardError::Side { found: String::new() }));
        assert_eq!(
            parse_board(&format!("{squares} Z")),
            Err(BoardError::Side { found: "Z".into() })
        );
        assert_eq!(
            parse_board(&squares.replacen('-', "?", 1)),
            Err(BoardError::Character { found: '?', at: 1 })
        );
    }
}
