//! A board at the beginning of a line, and what stands behind it.

use crate::games::move_text::whole_move;

/// A board with its side to move, and what stands behind it.
pub(super) fn split_board(line: &str) -> (&str, &str) {
    let is_square = |&(_, character): &(usize, char)| !character.is_whitespace();
    // 64 squares and the side.
    let end = line.char_indices().filter(is_square).nth(65).map_or(line.len(), |(at, _)| at);
    line.split_at(end)
}

/// Whether what stands behind a board is what its moves are worth, as OBF has it: `; A6:+10; H1:-4;`,
/// `; +12;`.
pub(super) fn has_values(behind: &str) -> bool {
    let is_number = |text: &str| {
        let text = text.trim();
        text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'))
            && text.parse::<f64>().is_ok()
    };
    let first = behind.split(';').map(str::trim).find(|field| !field.is_empty());
    first.is_some_and(|field| match field.split_once(':') {
        // Values may have words behind them.
        Some((played, value)) => {
            whole_move(played).is_some() && value.split_whitespace().next().is_some_and(is_number)
        }
        None => is_number(field),
    })
}
