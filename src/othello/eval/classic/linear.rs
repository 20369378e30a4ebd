//! `linear`: five weighted terms.

use super::{Term, Terms, count, term};
use crate::othello::board::{Bitboard, CORNERS, Position, Square, legal_moves};

/// Corners 25, stability 15, mobility 10, edges 5 and scaled discs ("Othello AI Heuristics
/// Overview"). Stability counts corners and the edge discs that reach one unbroken, and only with
/// more than 20 discs on the board.
pub(crate) struct Linear;

const EDGES: Bitboard = 0xff81_8181_8181_81ff & !CORNERS;

/// Up to so many discs stability is not looked at.
const OPENING_DISCS: u8 = 20;

impl Terms for Linear {
    const NAME: &'static str = "linear";
    const DISCS_PER_UNIT: f64 = 0.07;

    fn terms(&self, position: Position) -> Vec<Term> {
        let Position { mover, opponent } = position;
        let more = |of: &dyn Fn(Bitboard) -> f64| of(mover) - of(opponent);
        let mobility = count(legal_moves(mover, opponent)) - count(legal_moves(opponent, mover));
        let stability = if position.discs() > OPENING_DISCS {
            more(&|discs| count(anchored(discs)))
        } else {
            0.0
        };
        vec![
            term("corners", more(&|discs| count(discs & CORNERS)), 25.0),
            term("stability", stability, 15.0),
            term("mobility", mobility, 10.0),
            term("edges", more(&|discs| count(discs & EDGES)), 5.0),
            term("discs", more(&count), f64::from(position.discs()) / 64.0),
        ]
    }
}

/// The move ordering of the same text: corners 100, edges 10, all else 1.
pub(crate) const fn quick_rating(square: Square) -> i32 {
    if square.bit() & CORNERS != 0 {
        100
    } else if square.bit() & EDGES != 0 {
        10
    } else {
        1
    }
}

/// Corners of the set, and its edge discs that are joined to one of them along the edge.
fn anchored(discs: Bitboard) -> Bitboard {
    let border = discs & (EDGES | CORNERS);
    let mut found = discs & CORNERS;
    for _ in 0..6 {
        let sideways = (found << 1 & 0xfefe_fefe_fefe_fefe) | (found >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
        found |= (sideways | found << 8 | found >> 8) & border;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_hold_by_their_corner() {
        let row = 0b0110_0111;
        assert_eq!(anchored(row), 0b0000_0111);
        assert_eq!(anchored(0xff), 0xff);
        assert_eq!(anchored(0x0001_0100_0000_0001), 0x0000_0000_0000_0001);
        assert_eq!(anchored(0x0101_0100_0000_0000), 0x0101_0100_0000_0000);
    }

    #[test]
    fn the_quick_ordering() {
        let rating = |name: &str| quick_rating(name.parse().unwrap());
        assert_eq!([rating("a1"), rating("d1"), rating("h5"), rating("e4")], [100, 10, 10, 1]);
    }
}
