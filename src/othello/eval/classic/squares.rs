//! `squares`: a weight for each square.

use super::{Term, Terms, count, term};
use crate::othello::board::{Bitboard, Position};

/// Static square weights ("Othello Heuristics for Evaluation Functions", V.-M. Bogdan, 2024).
///
/// The matrix as it is printed: symmetric but at g2 and g7, which have -25 where b2 and b7 have -24.
pub struct Squares;

/// The squares of each weight; those in the middle of the board have none.
const WEIGHTS: [(&str, Bitboard, f64); 10] = [
    ("corners (a1)", 0x8100_0000_0000_0081, 99.0),
    ("squares like b1", 0x4281_0000_0000_8142, -8.0),
    ("squares like c1", 0x2400_8100_0081_0024, 8.0),
    ("squares like d1", 0x1800_0081_8100_0018, 6.0),
    ("X-squares b2, b7", 0x0002_0000_0000_0200, -24.0),
    ("X-squares g2, g7", 0x0040_0000_0000_4000, -25.0),
    ("squares like c2", 0x0024_4200_0042_2400, -4.0),
    ("squares like d2", 0x0018_0042_4200_1800, -3.0),
    ("squares like c3", 0x0000_2400_0024_0000, 7.0),
    ("squares like d3", 0x0000_1824_2418_0000, 4.0),
];

impl Terms for Squares {
    const NAME: &'static str = "squares";
    const DISCS_PER_UNIT: f64 = 0.09;

    fn terms(&self, position: Position) -> Vec<Term> {
        let Position { mover, opponent } = position;
        let more = |squares: Bitboard| count(mover & squares) - count(opponent & squares);
        WEIGHTS.iter().map(|&(name, squares, weight)| term(name, more(squares), weight)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Square;

    /// The matrix row by row.
    #[test]
    fn the_published_weights() {
        const QUARTER: [[f64; 4]; 4] = [
            [99.0, -8.0, 8.0, 6.0],
            [-8.0, -24.0, -4.0, -3.0],
            [8.0, -4.0, 7.0, 4.0],
            [6.0, -3.0, 4.0, 0.0],
        ];
        let fold = |place: u8| usize::from(place.min(7 - place));
        for square in Square::all() {
            let alone = Position { mover: square.bit(), opponent: 0 };
            let weight = match square.to_string().as_str() {
                "g2" | "g7" => -25.0,
                _ => QUARTER[fold(square.row())][fold(square.column())],
            };
            assert_eq!(Squares.sum(alone), weight, "{square}");
        }
    }
}
