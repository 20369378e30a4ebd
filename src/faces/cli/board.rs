//! A board on the terminal.

use crate::faces::render::{Paint, Painted, board_lines};
use crate::files::games::Asked;
use crate::othello::board::{Placed, Square};

/// The board as lines, its legal moves as `+`, with some squares standing out.
pub fn painted_board(placed: Placed, marks: &[(Square, Paint)]) -> Vec<Painted> {
    let lines = board_lines(placed, placed.position.legal_moves().0);
    let paint_at = |row: usize, place: usize| {
        let is_there = |square: &Square| {
            let (of_row, column) = (square.index() / 8 + 1, square.index() % 8);
            (of_row, 2 + 2 * column) == (row, place)
        };
        marks.iter().find(|(square, _)| is_there(square)).map(|&(_, paint)| paint)
    };
    let painted = lines.iter().enumerate().map(|(row, line)| {
        line.chars().enumerate().fold(Painted::default(), |line, (place, character)| {
            line.then(paint_at(row, place), character)
        })
    });
    painted.collect()
}

/// The last move of a line, standing out.
pub fn last_move(asked: &Asked) -> Vec<(Square, Paint)> {
    asked.line.squares().last().map(|square| (square, Paint::Last)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_stand_out_without_moving_others() {
        let asked: Asked = "f5".parse().unwrap();
        let mut marks = last_move(&asked);
        marks.push(("d6".parse().unwrap(), Paint::Best));
        marks.push(("b5".parse().unwrap(), Paint::Best));
        let lines = painted_board(asked.placed(), &marks);
        let plain: Vec<_> = lines.iter().map(Painted::plain).collect();
        assert_eq!(plain, board_lines(asked.placed(), asked.placed().position.legal_moves().0));
        assert_eq!(plain[5], "5 . . . X X X . .");
        assert!(lines[5].parts().any(|part| part == (Some(Paint::Last), "X")), "{lines:?}");
        assert!(lines[6].parts().any(|part| part == (Some(Paint::Best), "+")), "the best move");
    }
}
