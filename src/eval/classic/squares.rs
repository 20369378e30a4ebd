//! `squares`: a weight for each square.

use super::Terms;
use crate::board::{Position, Square};

/// Static square weights ("Othello Heuristics for Evaluation Functions", V.-M. Bogdan, 2024).
///
/// The published matrix is symmetric but for g2 and g7, which have -25 where b2 and b7 have -24.
/// Nothing in the text gives a reason, so it is taken for a slip: all four X-squares have -24 here.
/// Its infinite values for decided games are the final score.
pub struct Squares;

/// A quarter of the board, row by row from a corner.
const QUARTER: [[i32; 4]; 4] = [[99, -8, 8, 6], [-8, -24, -4, -3], [8, -4, 7, 4], [6, -3, 4, 0]];

fn weight(square: Square) -> f64 {
    let fold = |place: u8| usize::from(place.min(7 - place));
    f64::from(QUARTER[fold(square.row())][fold(square.column())])
}

impl Terms for Squares {
    const NAME: &'static str = "squares";
    const DISCS_PER_UNIT: f64 = 0.09;

    fn terms(&self, position: Position) -> Vec<(&'static str, f64)> {
        let sum = |discs: u64| crate::board::Squares(discs).map(weight).sum::<f64>();
        vec![
            ("squares of the mover", sum(position.mover)),
            ("squares of the opponent", -sum(position.opponent)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_weights() {
        let row = |name: &str| weight(name.parse().unwrap());
        for (square, units) in
            [("a1", 99.0), ("h8", 99.0), ("g2", -24.0), ("b7", -24.0), ("d4", 0.0), ("c6", 7.0)]
        {
            assert_eq!(row(square), units, "{square}");
        }
    }
}
