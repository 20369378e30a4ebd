//! Lists of positions, which begin as games that do not start as usual do: a board on each line, and
//! behind it no moves but what they are worth, or nothing.

use super::reader::{from_board, is_comment, looks_like_a_transcript};
use crate::board::looks_like_a_board;
use crate::games::defect::Place;
use crate::games::move_text::whole_move;
use crate::text_lines::lines_of;

/// Lines that are looked at.
const MOST_LINES: usize = 50;

/// Whether a text is a list of positions, OBF or boards alone, with no game among its first lines.
#[must_use]
pub fn are_positions(text: &str) -> bool {
    let lines = || {
        let lines = lines_of(text.trim_start_matches('\u{feff}')).map(str::trim);
        lines.filter(|line| !is_comment(line)).take(MOST_LINES)
    };
    lines().any(is_position) && !lines().any(looks_like_a_transcript)
}

/// Whether a line is a position: a board that no move stands behind.
fn is_position(line: &str) -> bool {
    if !looks_like_a_board(line) {
        return false;
    }
    let (board, behind) = split_board(line);
    let without_values = if has_values(behind) { board } else { line };
    from_board(without_values, Place::Line(1)).is_ok_and(|draft| draft.entries.is_empty())
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::testing::{read_all, read_text};

    const BOARD: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn positions_are_no_games() {
        for behind in
            ["", ";", "; F5:+0; D3:-2;", "; ps:+2", "; +12;", " -14", "; 1 ; f5:+2 (x)", "; % f5"]
        {
            for text in
                [format!("{BOARD}{behind}"), format!("% 40\n% 123 456\n{BOARD}{behind}\n%\n")]
            {
                assert!(are_positions(&text), "{text}");
                assert!(are_positions(&format!("\u{feff}{text}\r\n{BOARD}; C4:+0")), "{text}");
            }
        }
        for text in [
            format!("{BOARD} f5d6"),
            format!("{BOARD};f5d6"),
            format!("{BOARD} 1. f5 d6 -14"),
            format!("{BOARD}\nf5d6\n"),
            format!("{BOARD}\n{BOARD} f5d6\n"),
            "f5d6\n".to_owned(),
            "| file | not f5 |\n|---|---|---|---|\n".to_owned(),
            String::new(),
        ] {
            assert!(!are_positions(&text), "{text}");
        }
    }

    #[test]
    fn values_among_games_are_no_moves() {
        let (games, defects) = read_all(&format!("f5d6\n{BOARD}; F5:+0; D3:-2;\n{BOARD} d3c5\n"));
        assert_eq!(games.len(), 2);
        assert!(
            defects[0].starts_with("test:2 (game 2): found \"; F5:+0; D3:-2;\", expected moves")
        );
        // A game may end before its first move.
        assert_eq!(read_text(&format!("f5d6\n{BOARD}\n")).len(), 2);
    }
}
