//! The squares that are seen from a square, for the fast paths.

use crate::othello::board::Bitboard;

/// The eight rays from each square to the border, without the square itself: first those to higher
/// squares (right, down, down-left, down-right), then their opposites in the same order.
///
/// ```text
/// . 7 . 5 . 6 . .      from d3: 0 1 2 3 lead to
/// . . 7 5 6 . . .      higher squares, 4 5 6 7
/// 4 4 4 x 0 0 0 0      are their opposites
/// . . 2 1 3 . . .
/// . 2 . 1 . 3 . .
/// 2 . . 1 . . 3 .
/// . . . 1 . . . 3
/// . . . 1 . . . .
/// ```
pub(super) const RAYS: [[Bitboard; 8]; 64] = {
    let steps = [(1, 0), (0, 1), (-1, 1), (1, 1), (-1, 0), (0, -1), (1, -1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (across, down): (i32, i32) = steps[direction];
            let (mut column, mut row) = (square % 8 + across, square / 8 + down);
            while column >= 0 && column < 8 && row >= 0 && row < 8 {
                rays[square as usize][direction] |= 1 << (column + 8 * row);
                column += across;
                row += down;
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};
