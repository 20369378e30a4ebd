//! The text behind a board at the beginning of a line.

use crate::othello::board::move_text::whole_move;

/// Whether the text behind a board gives the values of its moves, as OBF has it: `; A6:+10; H1:-4;`,
/// `; +12;`.
pub(in crate::files::games) fn has_values(behind: &str) -> bool {
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
