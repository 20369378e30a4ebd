//! Discs that a move turns, portable code: the reference for every fast path.

use super::bitboard::INNER_COLUMNS;
use super::{Bitboard, Square};

/// The opposing discs that turn when the mover plays on `square`; empty when none would (the move
/// is then illegal). The square itself is not looked at: it must be empty.
#[inline]
pub(crate) const fn flips(square: Square, mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let from = square.bit();
    let inner = opponent & INNER_COLUMNS;
    both_ways(from, mover, inner, 1)
        | both_ways(from, mover, opponent, 8)
        | both_ways(from, mover, inner, 7)
        | both_ways(from, mover, inner, 9)
}

#[inline]
const fn both_ways(from: Bitboard, mover: Bitboard, through: Bitboard, shift: u32) -> Bitboard {
    let mut up = through & (from << shift);
    let mut down = through & (from >> shift);
    up |= through & (up << shift);
    down |= through & (down >> shift);
    let up_pairs = through & (through << shift);
    let down_pairs = up_pairs >> shift;
    up |= up_pairs & (up << (2 * shift));
    down |= down_pairs & (down >> (2 * shift));
    up |= up_pairs & (up << (2 * shift));
    down |= down_pairs & (down >> (2 * shift));
    let mut turned = 0;
    if mover & (up << shift) != 0 {
        turned |= up;
    }
    if mover & (down >> shift) != 0 {
        turned |= down;
    }
    turned
}
