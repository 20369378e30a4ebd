//! Lists of positions, which begin as games that do not start as usual do: a board on each line, and
//! behind it no moves but what they are worth, or nothing.

use super::comment::is_comment;
use super::line::{from_board, looks_like_a_transcript};
use crate::files::fault::Place;
use crate::othello::board::board_in;
use crate::othello::board::move_text::whole_move;
use crate::othello::text_lines::lines_of;

/// Lines that are looked at.
const MOST_LINES: usize = 50;

/// Whether a text is a list of positions, OBF or boards alone, with no game among its first lines.
pub(crate) fn are_positions(text: &str) -> bool {
    let lines = || {
        let lines = lines_of(text.trim_start_matches('\u{feff}')).map(str::trim);
        lines.filter(|line| !is_comment(line)).take(MOST_LINES)
    };
    lines().any(is_position) && !lines().any(looks_like_a_transcript)
}

/// Whether a line is a position: a board that no move follows.
fn is_position(line: &str) -> bool {
    matches!(board_in(line), Some(Ok(_))) && from_board(line, Place::Line(1)).is_err()
}

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

/// Whether a line is one of Edax's text of a book: a board, a level, a move and its score.
pub(in crate::files::games) fn is_of_edax(line: &str) -> bool {
    let Some(Ok(board)) = board_in(line) else { return false };
    let is_number = |text: &str| text.trim().parse::<i8>().is_ok();
    let fields: Vec<&str> = board.behind.splitn(5, ',').collect();
    matches!(fields[..], ["", level, _, score] if is_number(level) && is_number(score))
        && board.said.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::read_all;

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
    fn positions_among_games_are_refused() {
        let text = format!("f5d6\n{BOARD}; F5:+0; D3:-2;\n{BOARD} d3c5\n{BOARD}\n");
        let (games, defects) = read_all(&text);
        assert_eq!((games.len(), defects.len()), (2, 2));
        let told = "test:2 (game 2): found \"; F5:+0; D3:-2;\", expected moves behind the board";
        assert!(defects[0].starts_with(told), "{}", defects[0]);
        assert!(defects[1].starts_with("test:4 (game 4): found \"-----"), "{}", defects[1]);
    }
}
