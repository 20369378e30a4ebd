//! Boards as text: 64 squares and the side to move.

use thiserror::Error;

use super::{Placed, Position, Side};
use crate::one_line::one_line;

/// The most characters that a message shows of what should be the side to move.
const MOST_SHOWN: usize = 20;

/// A text that is no board.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum BoardError {
    /// Not 64 squares.
    #[error("{found} squares, 64 needed, and then the side to move")]
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
/// `.` or `_`. Blanks and line ends may stand anywhere. A side `0` must be a square, too.
///
/// # Errors
/// [`BoardError`] says what is wrong and where.
pub fn parse_board(text: &str) -> Result<Placed, BoardError> {
    let (squares, side) = split_board(text);
    let mut black = 0u64;
    let mut white = 0u64;
    let mut found = 0usize;
    for (at, character) in squares.chars().enumerate() {
        if character.is_whitespace() {
            continue;
        }
        match colour(character) {
            // More than 64 are counted, but have no bit.
            Some(Some(Side::Black)) => black |= 1u64.checked_shl(found as u32).unwrap_or(0),
            Some(Some(Side::White)) => white |= 1u64.checked_shl(found as u32).unwrap_or(0),
            Some(None) => {}
            None => return Err(BoardError::Character { found: character, at: at + 1 }),
        }
        found += 1;
    }
    if found != 64 {
        return Err(BoardError::Squares { found });
    }
    // Behind squares of other letters a nought is a score.
    let is_score = side.trim() == "0" && !squares.contains('0');
    let Some(side) = side_to_move(side).filter(|_| !is_score) else {
        return Err(BoardError::Side { found: one_line(side.trim(), MOST_SHOWN) });
    };
    let position = match side {
        Side::Black => Position { mover: black, opponent: white },
        Side::White => Position { mover: white, opponent: black },
    };
    Ok(Placed { position, side })
}

/// Whether a text is meant as a board, complete or not, and maybe with more behind it: it begins
/// with many characters of boards. A line has digits in every move; names are other words.
#[must_use]
pub fn looks_like_a_board(text: &str) -> bool {
    let squares = || text.chars().filter(|character| !character.is_whitespace()).take(16);
    let odd = squares().filter(|&character| colour(character).is_none()).count();
    squares().count() == 16 && odd <= 4
}

/// Where the squares end: after 64 where more than a side follows, else before a last word that
/// names a side.
fn split_board(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    let is_square = |&(_, character): &(usize, char)| !character.is_whitespace();
    let after_64 = text.char_indices().filter(is_square).nth(64).map(|(at, _)| at);
    if let Some((squares, side)) = after_64.map(|at| text.split_at(at))
        && (side_to_move(side).is_some()
            || !side.chars().all(|c| c.is_whitespace() || colour(c).is_some()))
    {
        return (squares, side);
    }
    let last_blank = text.char_indices().rfind(|(_, character)| character.is_whitespace());
    let word = last_blank.map(|(at, _)| text.split_at(at));
    match word {
        // Squares that are parted one by one end in one that is no side.
        Some((squares, side))
            if side_to_move(side).is_some() && squares.split_whitespace().any(|w| w.len() > 1) =>
        {
            (squares, side)
        }
        _ => (text, ""),
    }
}

/// The side that a text names, and nothing else: a letter or a colour, or as in "Black to move".
#[must_use]
pub fn side_to_move(text: &str) -> Option<Side> {
    let text = text.trim().to_ascii_lowercase();
    let named = text.strip_suffix("to move").or_else(|| text.strip_suffix("to play"));
    match named.unwrap_or(&text).trim_end() {
        "x" | "*" | "b" | "black" => Some(Side::Black),
        "o" | "0" | "w" | "white" => Some(Side::White),
        _ => None,
    }
}

/// Some colour, an empty square, or no character of a board at all.
pub(crate) const fn colour(character: char) -> Option<Option<Side>> {
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
    fn reads_boards_in_rows_and_glued_to_the_side() {
        let squares = Placed::START.position.squares_text(Side::Black);
        let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..][..8]).collect();
        for text in [
            format!("{squares}X"),
            format!("{squares} black"),
            format!("{}\nB\n", rows.join("\n")),
            squares.chars().flat_map(|square| [square, ' ']).collect::<String>() + "*",
        ] {
            assert_eq!(parse_board(&text), Ok(Placed::START), "{text}");
            assert!(looks_like_a_board(&text));
        }
        for text in ["f5d6c3d3c4f4c5b3c2", "Perpendicular Opening", "Diagonal main line", "XO"] {
            assert!(!looks_like_a_board(text), "{text}");
        }
    }

    #[test]
    fn a_nought_is_a_side_where_it_is_a_square() {
        let squares = Placed::START.position.squares_text(Side::Black);
        let noughts = squares.replace('O', "0");
        let side = |text: String| parse_board(&text).map(|placed| placed.side);
        assert_eq!(side(format!("{noughts} 0")), Ok(Side::White));
        assert_eq!(side(format!("{squares} 0")), Err(BoardError::Side { found: "0".to_owned() }));
    }

    #[test]
    fn says_what_is_wrong() {
        let squares = "-".repeat(64);
        assert_eq!(parse_board("XO"), Err(BoardError::Squares { found: 2 }));
        assert_eq!(
            parse_board(&format!("{} X", &squares[1..])).unwrap_err().to_string(),
            "63 squares, 64 needed, and then the side to move"
        );
        assert_eq!(
            parse_board(&format!("{squares}- X")),
            Err(BoardError::Squares { found: 65 }),
            "one too many"
        );
        let parted: String = squares.chars().flat_map(|square| [square, ' ']).collect();
        assert_eq!(parse_board(&parted), Err(BoardError::Side { found: String::new() }));
        assert_eq!(
            parse_board(&format!("{} X ", &parted[2..])),
            Err(BoardError::Side { found: String::new() })
        );
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
