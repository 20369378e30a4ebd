//! Which moves of a position: one bit for each legal move.

use crate::othello::board::Key;

/// A set of legal moves: the `i`-th bit is the `i`-th legal move in ascending square order, in the
/// key's orientation. Symmetric moves that lead to the same node are all in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct MoveMask(u64);

impl MoveMask {
    /// No move.
    pub const NONE: Self = Self(0);

    /// The set of which these are the bits, as files hold it.
    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of these squares, all of them legal moves of the key's position.
    pub fn of_squares(key: Key, squares: u64) -> Self {
        let legal = key.position().legal_moves().enumerate();
        legal
            .filter(|(_, square)| squares & square.bit() != 0)
            .fold(Self::NONE, |mask, (index, _)| mask.with(index))
    }

    /// The set of the first `count` legal moves.
    pub(crate) const fn all_of(count: usize) -> Self {
        Self(if count >= 64 { u64::MAX } else { (1 << count) - 1 })
    }

    pub fn squares(self, key: Key) -> u64 {
        let legal = key.position().legal_moves().enumerate();
        legal
            .filter(|&(index, _)| self.contains(index))
            .fold(0, |squares, (_, square)| squares | square.bit())
    }

    /// The places of its moves among the legal ones, ascending.
    pub(crate) fn indices(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let index = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (index < 64).then_some(index as usize)
        })
    }

    /// How many moves it holds.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it holds no move.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it holds the legal move of this index.
    #[inline]
    pub const fn contains(self, index: usize) -> bool {
        index < 64 && self.0 >> index & 1 != 0
    }

    /// The set with the legal move of this index, which is below 64.
    #[inline]
    pub const fn with(self, index: usize) -> Self {
        Self(self.0 | 1 << index)
    }

    /// The moves of both sets.
    #[must_use]
    #[inline]
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The moves of this set that are not in the other.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;

    #[test]
    fn a_set_of_moves_is_a_set_of_squares() {
        let key = Key::of(Position::START);
        let squares: Vec<u64> = key.position().legal_moves().map(|square| square.bit()).collect();
        let some = MoveMask::of_squares(key, squares[0] | squares[2]);
        assert_eq!((some.bits(), some.len(), some.is_empty()), (0b101, 2, false));
        assert_eq!(some.squares(key), squares[0] | squares[2]);
        assert!(some.contains(0) && !some.contains(1) && some.contains(2) && !some.contains(64));
        let all = MoveMask::all_of(4);
        assert_eq!(all.without(some), MoveMask::from_bits(0b1010));
        assert_eq!(some.union(MoveMask::NONE.with(1)).with(3), all);
        assert_eq!(MoveMask::all_of(64).len(), 64);
        assert!(MoveMask::NONE.is_empty());
    }
}
