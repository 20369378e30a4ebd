//! Boards in the FEN tag as Edax writes them: row 8 first, `p` is black, `P` is white.

use crate::board::{Placed, Position, Side, Square, parse_board};

/// Reads a board: FEN, or 64 squares and the side to move.
pub(super) fn read_fen(text: &str) -> Option<Placed> {
    if !text.contains('/') {
        return parse_board(text).ok();
    }
    let mut words = text.split_whitespace();
    let rows: Vec<&str> = words.next()?.split('/').collect();
    let side = match words.next()? {
        "b" | "B" => Side::Black,
        "w" | "W" => Side::White,
        _ => return None,
    };
    if rows.len() != 8 {
        return None;
    }
    let (mut black, mut white) = (0_u64, 0_u64);
    for (row, text) in rows.iter().rev().enumerate() {
        let mut column = 0;
        for character in text.chars() {
            let square = u8::try_from(8 * row + column).ok().and_then(Square::try_new);
            let bit = square.filter(|_| column < 8).map(Square::bit);
            match character {
                'p' => black |= bit?,
                'P' => white |= bit?,
                '1'..='8' => column += character.to_digit(10)? as usize - 1,
                _ => return None,
            }
            column += 1;
        }
        if column != 8 {
            return None;
        }
    }
    let position = match side {
        Side::Black => Position { mover: black, opponent: white },
        Side::White => Position { mover: white, opponent: black },
    };
    Some(Placed { position, side })
}

/// A board as FEN.
pub(super) fn write_fen(placed: Placed) -> String {
    let squares: Vec<char> = placed.position.squares_text(placed.side).chars().collect();
    let rows = squares.chunks(8).rev().map(|row| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_edax_writes() {
        let start = "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1";
        assert_eq!(read_fen(start), Some(Placed::START));
        assert_eq!(write_fen(Placed::START), start);
        let line: crate::board::Line = "f5d6c3".parse().unwrap();
        let placed = line.board();
        assert_eq!(read_fen(&write_fen(placed)), Some(placed));
        assert_eq!(read_fen(&placed.position.board_text(placed.side)), Some(placed));
        for text in [
            "",
            "8/8/8/8/8/8/8 b",
            "8/8/8/3pP3/3Pp3/8/8/8",
            "8/8/8/3pP4/3Pp3/8/8/8 b",
            "9/8/8/8/8/8/8/8 b",
            "ppppppppp/8/8/8/8/8/8/8 b",
            "8/8/8/3kP3/3Pp3/8/8/8 b",
            "7/8/8/8/8/8/8/8 b",
        ] {
            assert_eq!(read_fen(text), None, "{text}");
        }
    }
}
