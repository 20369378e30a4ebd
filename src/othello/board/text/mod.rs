//! Boards as text: the one reader of all notations of a board, whichever face the text comes from.
//!
//! - 64 squares from a1 to h8 in letters, digits or circles, glued or parted, in brackets or not,
//!   with the size of the board before them as servers have it, or not;
//! - FEN as Edax and our export of PGN write it;
//! - a board that is drawn in eight rows, with text around it.
//!
//! The side to move follows it, or is beside what is drawn, in signs or words.

mod board_text;
mod diagram;
mod error;
mod fen;
mod squares;
mod turn;

use super::{Placed, Side};
use squares::{Signs, Squares, read_squares};

pub(crate) use board_text::BoardText;
pub(crate) use diagram::read_diagram;
pub use error::BoardError;
pub(crate) use fen::write_fen;
pub(crate) use squares::is_board_sign;
pub(crate) use turn::side_to_move;

/// The board that a text begins with, or that is drawn in it; none where there is nothing like a
/// board.
pub(crate) fn board_in(text: &str) -> Option<Result<BoardText<'_>, BoardError>> {
    if let Some(board) = as_written(text) {
        return Some(Ok(board));
    }
    let drawn = text.trim().contains(['\n', '\r']).then(|| read_diagram(text)).flatten();
    let in_a_row = || looks_like_a_board(text).then(|| read_in_a_row(text));
    match drawn {
        // A board may have line breaks in it, and moves or scores behind it.
        Some(Err(error)) => Some(in_a_row().and_then(Result::ok).ok_or(error)),
        Some(Ok(board)) => Some(Ok(board)),
        None => in_a_row(),
    }
}

/// A board just as [`super::Position::board_text`] writes it: large files are full of them.
fn as_written(text: &str) -> Option<BoardText<'_>> {
    let (squares, side) = text.as_bytes().split_at_checked(64)?;
    let said = Some(match side {
        b" X" => Side::Black,
        b" O" => Side::White,
        _ => return None,
    });
    let (mut black, mut white) = (0u64, 0u64);
    for (at, square) in squares.iter().enumerate() {
        match square {
            b'X' => black |= 1 << at,
            b'O' => white |= 1 << at,
            b'-' => {}
            _ => return None,
        }
    }
    Some(BoardText { black, white, said, behind: "" })
}

/// Reads the board of a text that must have one, as [`board_in`] does.
pub(crate) fn read_board(text: &str) -> Result<BoardText<'_>, BoardError> {
    board_in(text).unwrap_or_else(|| read_in_a_row(text))
}

/// Reads a board and its side to move from a text with nothing else in it.
pub fn parse_board(text: &str) -> Result<Placed, BoardError> {
    let board = read_board(text)?;
    let placed = board.placed_as_said()?;
    board.check_end()?;
    Ok(placed)
}

/// Whether a text is meant as a board, complete or not, and maybe with more behind it. A line has
/// digits in every move; names are other words.
pub(crate) fn looks_like_a_board(text: &str) -> bool {
    let Opened { text, .. } = opened(text);
    fen::begins_as_fen(text)
        || squares::begins_with_squares(text)
        || size_before(text).is_some_and(|(_, behind)| squares::begins_with_squares(behind))
}

/// A text after the words and brackets that come before a board.
struct Opened<'t> {
    text: &'t str,
    /// What closes the brackets, the last first.
    closing: Vec<char>,
}

/// What comes before a board in files and lists: the tag of PGN, and the name of the fact.
const NAMES: [&str; 4] = ["FEN", "fen", "Board", "board"];
/// The tag of a board with its size before it.
const BOARD_TAG: &str = "BO";
/// Brackets and quotation marks around a board.
const BRACKETS: [(char, char); 9] = [
    ('[', ']'),
    ('(', ')'),
    ('{', '}'),
    ('"', '"'),
    ('\'', '\''),
    ('\u{201c}', '\u{201d}'),
    ('\u{ab}', '\u{bb}'),
    ('\u{300c}', '\u{300d}'),
    ('\u{ff08}', '\u{ff09}'),
];

/// The most of them around a board.
const MOST_BRACKETS: usize = 16;

fn opened(text: &str) -> Opened<'_> {
    let mut text = text.trim_start_matches('\u{feff}').trim_start();
    let mut closing = Vec::new();
    loop {
        let first = text.chars().next().unwrap_or_default();
        let bracket = BRACKETS.iter().find(|(open, _)| *open == first);
        // No board stands in more of them, and a line may hold nothing else.
        let rest = if let Some((_, close)) = bracket.filter(|_| closing.len() < MOST_BRACKETS) {
            closing.insert(0, *close);
            text.get(first.len_utf8()..)
        } else {
            behind_name(text)
        };
        match rest {
            Some(rest) => text = rest.trim_start(),
            None => return Opened { text, closing },
        }
    }
}

/// The text behind the name of a board.
fn behind_name(text: &str) -> Option<&str> {
    if let Some(behind) = text.strip_prefix(BOARD_TAG) {
        return Some(behind).filter(|behind| behind.starts_with('['));
    }
    let behind = NAMES.iter().find_map(|name| text.strip_prefix(name))?;
    let is_parted = behind.starts_with(|c: char| c.is_whitespace() || matches!(c, ':' | '='));
    is_parted.then(|| behind.trim_start().trim_start_matches([':', '=']))
}

/// The size of the board before its rows, and the text behind it. The digits 0, 1 and 2 are squares.
fn size_before(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (size, behind) = text.split_at(digits);
    let is_parted = behind.starts_with(squares::is_gap);
    let is_size = size.len() <= 2 && matches!(size.parse(), Ok(3..=99u8));
    // Digits may be squares; rows are as long as the size says.
    let row = || behind.split(squares::is_gap).find(|row| !row.is_empty()).unwrap_or_default();
    let is_none = || squares::signs_of(text) == Signs::Digits && size.parse() != Ok(row().len());
    (is_parted && is_size && !is_none()).then_some((size, behind))
}

/// Reads a board that is not drawn.
fn read_in_a_row(text: &str) -> Result<BoardText<'_>, BoardError> {
    let Opened { text, closing } = opened(text);
    let (mut board, signs) = if fen::begins_as_fen(text) {
        let mut board = fen::read_rows(text)?;
        board.take_side(Signs::Letters);
        board.behind = fen::behind_counts(board.behind);
        (board, Signs::Letters)
    } else {
        let sized = size_before(text);
        if let Some((size, _)) = sized.filter(|(size, _)| *size != "8") {
            return Err(BoardError::Size { found: size.to_owned() });
        }
        let read = read_squares(sized.map_or(text, |(_, behind)| behind))?;
        let Squares { black, white, signs, behind } = read;
        let mut board = BoardText { black, white, said: None, behind };
        board.take_side(signs);
        (board, signs)
    };
    for close in closing {
        let behind = board.behind.trim_start();
        board.behind = behind.strip_prefix(close).unwrap_or(behind);
    }
    // It may follow the bracket.
    if board.said.is_none() {
        board.take_side(signs);
    }
    let more = match board.said {
        // A second side to move means that the first is one more square; a zero is a score.
        Some(_) => {
            let is_side = side_to_move(board.behind).is_some() && board.behind.trim() != "0";
            usize::from(is_side)
        }
        None => squares::more_squares(board.behind),
    };
    match more {
        0 => Ok(board),
        more => Err(BoardError::Squares { found: 64 + more }),
    }
}

#[cfg(test)]
mod tests;
