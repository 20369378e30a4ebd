//! FEN as Edax writes it: row 8 first, `p` is black, `P` is white, digits are empty squares.

use super::board_text::BoardText;
use super::error::BoardError;
use crate::othello::board::{Placed, Side};

/// Rows of a board, and squares in each.
const SIDE: usize = 8;
/// So many strokes part rows: no date and no fraction has them.
const LEAST_STROKES: usize = 4;

/// Whether a text begins with rows that are parted by strokes and have digits for empty squares.
pub(super) fn begins_as_fen(text: &str) -> bool {
    let word = text.split(is_end).next().unwrap_or_default();
    let is_sign = |c: char| c.is_ascii_alphanumeric() && c != '0' || c == '/';
    let has_runs = word.contains(['3', '4', '5', '6', '7', '8', 'p', 'P']);
    // Rows of squares may be separated by strokes, too, and the size of the board comes before
    // them.
    let rows = || word.split('/').skip(1);
    let is_sized = rows().count() == SIDE && rows().all(|row| row.len() == SIDE);
    has_runs && word.chars().all(is_sign) && rows().count() >= LEAST_STROKES && !is_sized
}

/// Reads the rows, and leaves the text that follows.
pub(super) fn read_rows(text: &str) -> Result<BoardText<'_>, BoardError> {
    let (rows, behind) = text.split_at(text.find(is_end).unwrap_or(text.len()));
    let rows: Vec<&str> = rows.split('/').collect();
    if rows.len() != SIDE {
        return Err(BoardError::Rows { found: rows.len() });
    }
    let (mut black, mut white) = (0u64, 0u64);
    for (row, text) in rows.iter().rev().enumerate() {
        let wrong = || BoardError::Fen { row: row + 1, found: (*text).to_owned() };
        let mut column = 0usize;
        for sign in text.chars() {
            let squares = sign.to_digit(10).map_or(1, |empty| empty as usize);
            if squares == 0 || column + squares > SIDE {
                return Err(wrong());
            }
            let bit = 1u64 << (SIDE * row + column);
            match sign {
                'p' => black |= bit,
                'P' => white |= bit,
                '1'..='8' => {}
                _ => return Err(wrong()),
            }
            column += squares;
        }
        if column != SIDE {
            return Err(wrong());
        }
    }
    Ok(BoardText { black, white, said: None, behind: behind_pocket(behind) })
}

/// Whether a character ends the rows, or a word behind them.
fn is_end(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '[' | ']' | ')')
}

/// The text behind the discs that are not played yet, which programs for variants of chess have in brackets.
fn behind_pocket(text: &str) -> &str {
    let pocket = text.strip_prefix('[').and_then(|text| text.split_once(']'));
    let is_disc = |c: char| matches!(c, 'p' | 'P');
    pocket.filter(|(discs, _)| discs.chars().all(is_disc)).map_or(text, |(_, behind)| behind)
}

/// The text behind the two dashes and the two numbers that chess puts after the side to move, or behind two numbers
/// alone, as programs for variants of chess write them.
pub(super) fn behind_counts(text: &str) -> &str {
    let has_numbers_alone = {
        let mut words = text.split_whitespace();
        let mut is_number =
            || words.next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        is_number() && is_number()
    };
    let mut rest = text;
    for place in if has_numbers_alone { 2..4 } else { 0..4 } {
        let word = rest.trim_start();
        let (word, behind) = word.split_at(word.find(is_end).unwrap_or(word.len()));
        let fits = match place {
            0 | 1 => word == "-",
            _ => !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()),
        };
        match (fits, place) {
            (true, _) => rest = behind,
            (false, 0 | 1) => return text,
            (false, _) => break,
        }
    }
    rest
}

/// A board as FEN, row 8 first, with the counts of chess: `8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1`.
pub(crate) fn write_fen(placed: Placed) -> String {
    let squares: Vec<char> = placed.position.squares_text(placed.side).chars().collect();
    let rows = squares.chunks(SIDE).rev().map(|row| {
        let mut text = String::new();
        let mut empty = 0_u8;
        for square in row.iter().chain([&'|']) {
            if *square == '-' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            match square {
                'X' => text.push('p'),
                'O' => text.push('P'),
                _ => {}
            }
        }
        text
    });
    let rows: Vec<String> = rows.collect();
    let side = if placed.side == Side::Black { 'b' } else { 'w' };
    format!("{} {side} - - 0 1", rows.join("/"))
}
