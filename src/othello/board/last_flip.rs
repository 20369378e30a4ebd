//! How many discs the last move of a game turns.

use super::{Bitboard, Square};

/// How many discs the mover turns by filling the only empty square; 0 when the move is illegal.
/// Every other square that is not the mover's counts as the opponent's.
///
/// Each of the four lines through the square is gathered into eight bits and looked up.
#[inline]
pub(crate) fn last_flip_count(square: Square, mover: Bitboard) -> u32 {
    let (column, row) = (square.column() & 7, square.row() & 7);
    let (by_column, by_row) = (&COUNTS[column as usize], &COUNTS[row as usize]);
    let [falling, rising] = DIAGONALS[square.index() & 63];
    let on_row = (mover >> (8 * row)) as u8;
    let on_column = ((mover >> column) & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    // No two squares of a diagonal share a column: adding up the rows gathers it.
    let on_falling = (mover & falling).wrapping_mul(COLUMN_A) >> 56;
    let on_rising = (mover & rising).wrapping_mul(COLUMN_A) >> 56;
    u32::from(by_column[on_row as usize])
        + u32::from(by_row[on_column as usize])
        + u32::from(by_column[on_falling as usize])
        + u32::from(by_column[on_rising as usize])
}

const COLUMN_A: Bitboard = 0x0101_0101_0101_0101;

/// Discs turned on a line of eight by filling a place, for each place and each set of the mover's
/// discs. On shorter lines the places past the ends belong to neither side: they close no run.
static COUNTS: [[u8; 256]; 8] = {
    let mut counts = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut discs = 0;
        while discs < 256 {
            // The nearest of the mover's discs on either side, if there is one.
            let above = discs >> (place + 1);
            let below = discs & ((1 << place) - 1);
            if above != 0 {
                counts[place][discs] += above.trailing_zeros() as u8;
            }
            if below != 0 {
                counts[place][discs] += place as u8 - 1 - below.ilog2() as u8;
            }
            discs += 1;
        }
        place += 1;
    }
    counts
};

/// The two diagonals through each square, the square included.
static DIAGONALS: [[Bitboard; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (column, row) = (square % 8, square / 8);
            let (other_column, other_row) = (other % 8, other / 8);
            if column + other_row == other_column + row {
                diagonals[square as usize][0] |= 1 << other;
            }
            if column + row == other_column + other_row {
                diagonals[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    diagonals
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_what_a_move_turns(mover: u64, more: u64, sparse: bool) {
            let mover = if sparse { mover & more } else { mover | more };
            for square in Square::all() {
                let mover = mover & !square.bit();
                let opponent = !(mover | square.bit());
                prop_assert_eq!(
                    last_flip_count(square, mover),
                    crate::othello::board::flips(square, mover, opponent).count_ones(),
                    "{} {:#x}", square, mover
                );
            }
        }
    }
}
