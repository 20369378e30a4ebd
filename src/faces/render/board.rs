//! A board as text.

use crate::othello::board::{Bitboard, Placed, Square};

/// The board as nine lines: column letters, then the rows with their numbers. Black is `X`, White
/// `O`, an empty square `.`, and a square of `marked` (the legal moves, say) `+`.
///
/// ```
/// use rosebill::othello::board::Placed;
/// let lines = rosebill::faces::render::board_lines(Placed::START, 1 << 37);
/// assert_eq!(lines[0], "  a b c d e f g h");
/// assert_eq!(lines[5], "5 . . . X O + . .");
/// ```
pub fn board_lines(placed: Placed, marked: Bitboard) -> Vec<String> {
    let mut lines = vec!["  a b c d e f g h".to_owned()];
    let squares: Vec<char> = placed.position.squares_text(placed.side).chars().collect();
    for (row, cells) in squares.chunks(8).enumerate() {
        let mut line = (row + 1).to_string();
        for (column, &cell) in cells.iter().enumerate() {
            let square = Square::try_new((row * 8 + column) as u8);
            let is_marked = square.is_some_and(|square| marked & square.bit() != 0);
            line.push(' ');
            line.push(match cell {
                '-' if is_marked => '+',
                '-' => '.',
                disc => disc,
            });
        }
        lines.push(line);
    }
    lines
}
