//! A board on the terminal.

use super::terminal::Paint;
use crate::faces::render::board_lines;
use crate::files::games::Asked;
use crate::othello::board::{Placed, Square};

/// The board as lines, its legal moves as `+`, with some squares standing out.
pub fn painted_board(placed: Placed, marks: &[(Square, Paint)]) -> Vec<String> {
    let mut lines = board_lines(placed, placed.position.legal_moves().0);
    for &(square, paint) in marks {
        let (row, column) = (square.index() / 8 + 1, square.index() % 8);
        if let Some(line) = lines.get_mut(row) {
            // What is marked already is longer: the place is counted in what is seen.
            let mut seen = 0;
            *line = line.chars().fold(String::new(), |mut text, character| {
                let has_width = !super::terminal::unmarked(&character.to_string()).is_empty();
                if has_width && seen == 2 + 2 * column {
                    text.push_str(&paint.mark(&character.to_string()));
                } else {
                    text.push(character);
                }
                seen += usize::from(has_width);
                text
            });
        }
    }
    lines
}

/// The last move of a line, standing out.
pub fn last_move(asked: &Asked) -> Vec<(Square, Paint)> {
    asked.line.squares().last().map(|square| (square, Paint::Last)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::cli::terminal::{painted, unmarked};

    #[test]
    fn squares_stand_out_without_moving_others() {
        let asked: Asked = "f5".parse().unwrap();
        let mut marks = last_move(&asked);
        marks.push(("d6".parse().unwrap(), Paint::Best));
        marks.push(("b5".parse().unwrap(), Paint::Best));
        let lines = painted_board(asked.placed(), &marks);
        let plain: Vec<_> = lines.iter().map(|line| unmarked(line)).collect();
        assert_eq!(plain, board_lines(asked.placed(), asked.placed().position.legal_moves().0));
        assert_eq!(plain[5], "5 . . . X X X . .");
        let row = painted(&lines[5], true);
        assert!(row.contains(&format!("X {}", painted(&Paint::Last.mark("X"), true))), "{row:?}");
        assert!(painted(&lines[6], true).contains("m+"), "the best move");
    }
}
