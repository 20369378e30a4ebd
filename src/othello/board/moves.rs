//! Legal moves, portable code: the reference for every fast path.

use super::Bitboard;
use super::bitboard::INNER_COLUMNS;

/// The squares on which the side to move may play: empty, and a run of opposing discs beside it
/// ends at one of the mover's own.
#[inline]
pub const fn legal_moves(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    flanked_from(mover, opponent) & !(mover | opponent)
}

/// Whether there is a legal move. Nearly every board has one along a column or a row, which is found
/// at a fraction of the price of all.
#[inline]
pub(super) const fn can_move(mover: Bitboard, opponent: Bitboard) -> bool {
    let empty = !(mover | opponent);
    let inner = opponent & INNER_COLUMNS;
    along(mover, opponent, 8) & empty != 0
        || along(mover, inner, 1) & empty != 0
        || along(mover, inner, 7) & empty != 0
        || along(mover, inner, 9) & empty != 0
}

/// The squares, empty or not, beside which a run of opposing discs ends at one of the mover's own.
#[inline]
pub(super) const fn flanked_from(mover: Bitboard, opponent: Bitboard) -> Bitboard {
    let inner = opponent & INNER_COLUMNS;
    along(mover, inner, 1)
        | along(mover, opponent, 8)
        | along(mover, inner, 7)
        | along(mover, inner, 9)
}

/// The squares just past a run of `through` from `from`, both ways along one line direction.
#[inline]
const fn along(from: Bitboard, through: Bitboard, shift: u32) -> Bitboard {
    // Parallel prefix: after three steps every run of up to six discs is covered.
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
    (up << shift) | (down >> shift)
}
