//! The eight symmetries of the board.

use super::{Bitboard, Position, Square};

/// One of the eight symmetries, numbered as Edax numbers them: bit 0 mirrors left-right, bit 1
/// mirrors top-bottom, bit 2 then exchanges rows and columns, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The one that changes nothing.
    pub(crate) const IDENTITY: Self = Self(0);

    /// The symmetry of this number; only its lowest three bits count.
    pub const fn new(number: u8) -> Self {
        Self(number & 7)
    }

    /// 0..=7.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All eight, identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Self {
        match self.0 {
            // Mirrors, the half turn and the two plain transpositions undo themselves; the two
            // quarter turns undo each other.
            5 => Self(6),
            6 => Self(5),
            other => Self(other),
        }
    }

    /// The image of a set of squares.
    pub const fn bits(self, mut bits: Bitboard) -> Bitboard {
        if self.0 & 1 != 0 {
            bits = mirror_columns(bits);
        }
        if self.0 & 2 != 0 {
            bits = bits.swap_bytes();
        }
        if self.0 & 4 != 0 {
            bits = transpose(bits);
        }
        bits
    }

    pub const fn square(self, square: Square) -> Square {
        let mut number = square.number();
        if self.0 & 1 != 0 {
            number ^= 7;
        }
        if self.0 & 2 != 0 {
            number ^= 56;
        }
        if self.0 & 4 != 0 {
            number = (number >> 3) | ((number & 7) << 3);
        }
        Square::new(number)
    }

    pub const fn position(self, position: Position) -> Position {
        Position { mover: self.bits(position.mover), opponent: self.bits(position.opponent) }
    }
}

impl Position {
    /// Whether another symmetry than the identity leaves the board as it is.
    pub(crate) fn is_symmetric(self) -> bool {
        // Those that undo themselves are enough: a quarter turn comes with the half turn.
        [1, 2, 3, 4, 7].into_iter().map(Symmetry::new).any(|symmetry| {
            symmetry.bits(self.mover) == self.mover && symmetry.bits(self.opponent) == self.opponent
        })
    }
}

/// a <-> h, b <-> g, ...
pub(super) const fn mirror_columns(mut bits: Bitboard) -> Bitboard {
    bits = ((bits >> 1) & 0x5555_5555_5555_5555) | ((bits & 0x5555_5555_5555_5555) << 1);
    bits = ((bits >> 2) & 0x3333_3333_3333_3333) | ((bits & 0x3333_3333_3333_3333) << 2);
    ((bits >> 4) & 0x0f0f_0f0f_0f0f_0f0f) | ((bits & 0x0f0f_0f0f_0f0f_0f0f) << 4)
}

/// Rows <-> columns: b1 <-> a2 and so on.
pub(super) const fn transpose(mut bits: Bitboard) -> Bitboard {
    let mut swapped = (bits ^ (bits >> 7)) & 0x00aa_00aa_00aa_00aa;
    bits = bits ^ swapped ^ (swapped << 7);
    swapped = (bits ^ (bits >> 14)) & 0x0000_cccc_0000_cccc;
    bits = bits ^ swapped ^ (swapped << 14);
    swapped = (bits ^ (bits >> 28)) & 0x0000_0000_f0f0_f0f0;
    bits ^ swapped ^ (swapped << 28)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn inverses_undo() {
        for symmetry in Symmetry::all() {
            for square in Square::all() {
                assert_eq!(symmetry.inverse().square(symmetry.square(square)), square);
            }
        }
    }

    proptest! {
        #[test]
        fn sets_and_squares_move_alike(bits: u64) {
            for symmetry in Symmetry::all() {
                let by_square = super::super::Squares(bits)
                    .fold(0, |set, square| set | symmetry.square(square).bit());
                prop_assert_eq!(symmetry.bits(bits), by_square);
            }
        }
    }
}
