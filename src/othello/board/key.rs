//! The canonical form of a position: one of its eight images stands for all.

use std::fmt;

use super::symmetry::{mirror_columns, transpose};
use super::{Bitboard, Position, Square, Symmetry};
use crate::othello::random::Random;

/// The smallest (mover, opponent), compared as unsigned integers, of a position's eight images.
///
/// Its order is numeric, and equals the order of its 16 bytes ([`Key::to_bytes`], big-endian).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Position);

impl Key {
    /// Size of a key in bytes.
    pub(crate) const SIZE: usize = 16;

    pub fn of(position: Position) -> Self {
        // Three rounds of comparisons side by side, not a row of seven.
        let [a, b, c, d, e, f, g, h] = images(position);
        Self::from_number(a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h))))
    }

    /// The key of a position and the symmetry that turns the position into it: a square `s` of the
    /// position is `symmetry.square(s)` in the key's orientation. Of several the lowest number.
    pub fn with_symmetry(position: Position) -> (Self, Symmetry) {
        let [a, b, c, d, e, f, g, h] = images(position);
        let first = earlier(earlier((a, 0), (b, 1)), earlier((c, 2), (d, 3)));
        let second = earlier(earlier((e, 4), (f, 5)), earlier((g, 6), (h, 7)));
        let (number, symmetry) = earlier(first, second);
        (Self::from_number(number), Symmetry::new(symmetry))
    }

    /// Takes a position that is its own key, or none when it is not.
    pub(crate) fn from_canonical(position: Position) -> Option<Self> {
        let key = Self::of(position);
        (key.0 == position).then_some(key)
    }

    /// Takes a position that is known to be canonical, because it was stored as a key: unchecked.
    pub(crate) const fn from_stored(position: Position) -> Self {
        Self(position)
    }

    /// The position in the key's orientation.
    pub const fn position(self) -> Position {
        self.0
    }

    /// The symmetries that leave the position as it is; the identity always does.
    pub(crate) fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        Symmetry::all().filter(move |symmetry| symmetry.position(self.0) == self.0)
    }

    /// Of the images of a square under these symmetries the first: of moves that are images of each
    /// other one stands for all.
    pub fn first_image(self, square: Square) -> Square {
        self.symmetries().map(|symmetry| symmetry.square(square)).min().unwrap_or(square)
    }

    /// The number of the position in tables for other programs, the same for ever: its discs, and 57 bits that depend
    /// on every square. Two positions may share one, though hardly ever: a table that holds both must notice.
    pub(crate) const fn table_key(self) -> i64 {
        let mover = Random::new(self.0.mover).number();
        let both = Random::new(mover ^ self.0.opponent).number();
        ((self.discs() as u64) << 57 | both >> 7).cast_signed()
    }

    const fn from_number(number: u128) -> Self {
        Self(Position { mover: (number >> 64) as Bitboard, opponent: number as Bitboard })
    }

    /// Number of discs on the board.
    pub const fn discs(self) -> u8 {
        self.0.discs()
    }

    /// Mover, then opponent, each big-endian, so that byte order is numeric order.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.0.mover.to_be_bytes());
        bytes[8..].copy_from_slice(&self.0.opponent.to_be_bytes());
        bytes
    }

    /// Takes what [`Key::to_bytes`] gives; none where it is no key: the two sides share a square, or the position
    /// is another image of its key.
    pub(crate) fn from_bytes(bytes: [u8; Self::SIZE]) -> Option<Self> {
        let Self(position) = Self::from_number(u128::from_be_bytes(bytes));
        if position.mover & position.opponent != 0 {
            return None;
        }
        Self::from_canonical(position)
    }
}

/// The smaller image; of equal ones the first.
#[inline]
const fn earlier(first: (u128, u8), second: (u128, u8)) -> (u128, u8) {
    if second.0 < first.0 { second } else { first }
}

/// Two sets as one number, to be compared at once.
#[inline(always)]
const fn number(mover: Bitboard, opponent: Bitboard) -> u128 {
    ((mover as u128) << 64) | opponent as u128
}

/// The eight images of a position as numbers, in the order of [`Symmetry::all`].
///
/// A board is transposed once only: to mirror it and then transpose it is to transpose it and then
/// turn it upside down.
#[inline(always)]
const fn images(position: Position) -> [u128; 8] {
    let plain = mirrored(position.mover, position.opponent);
    let transposed = mirrored(transpose(position.mover), transpose(position.opponent));
    [
        plain[0],
        plain[1],
        plain[2],
        plain[3],
        transposed[0],
        transposed[2],
        transposed[1],
        transposed[3],
    ]
}

/// A board, mirrored left-right, top-bottom, and both ways.
#[inline(always)]
const fn mirrored(mover: Bitboard, opponent: Bitboard) -> [u128; 4] {
    let (mover_mirrored, opponent_mirrored) = (mirror_columns(mover), mirror_columns(opponent));
    [
        number(mover, opponent),
        number(mover_mirrored, opponent_mirrored),
        number(mover.swap_bytes(), opponent.swap_bytes()),
        number(mover_mirrored.swap_bytes(), opponent_mirrored.swap_bytes()),
    ]
}

/// Whether two moves of a position are one: images of each other under a symmetry that leaves the
/// position as it is.
pub(crate) fn same_move(position: Position, one: Square, other: Square) -> bool {
    one == other
        || Symmetry::all().any(|symmetry| {
            symmetry.square(one) == other && symmetry.position(position) == position
        })
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({:?})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn disjoint()(mover: u64, other: u64) -> Position {
            Position { mover, opponent: other & !mover }
        }
    }

    proptest! {
        #[test]
        fn all_images_share_one_key(position in disjoint()) {
            let key = Key::of(position);
            for symmetry in Symmetry::all() {
                prop_assert_eq!(Key::of(symmetry.position(position)), key);
            }
            let (same, symmetry) = Key::with_symmetry(position);
            prop_assert_eq!(same, key);
            prop_assert_eq!(symmetry.position(position), key.position());
        }

        #[test]
        fn images_are_those_of_the_symmetries(position in disjoint()) {
            for (image, symmetry) in images(position).into_iter().zip(Symmetry::all()) {
                let expected = symmetry.position(position);
                prop_assert_eq!(image, number(expected.mover, expected.opponent));
            }
        }

        /// Boards that are their own image in some way: several symmetries lead to the key.
        #[test]
        fn the_lowest_symmetry_of_several(position in disjoint(), through in 1u8..8) {
            let image = Symmetry::new(through).position(position);
            let both = Position {
                mover: position.mover & image.mover,
                opponent: position.opponent & image.opponent,
            };
            let (key, symmetry) = Key::with_symmetry(both);
            let lowest = Symmetry::all().find(|each| each.position(both) == key.position());
            prop_assert_eq!(Some(symmetry), lowest);
            prop_assert_eq!(key, Key::of(both));
        }

        #[test]
        fn byte_order_is_numeric_order(a in disjoint(), b in disjoint()) {
            let (a, b) = (Key::of(a), Key::of(b));
            prop_assert_eq!(a.cmp(&b), a.to_bytes().cmp(&b.to_bytes()));
        }
    }

    /// Files that were written once name positions by them.
    #[test]
    fn the_keys_of_tables_stay_what_they_are() {
        let start = Key::of(Position::START);
        assert_eq!(start.table_key(), 641_558_241_629_136_898);
        let five =
            Position::START.legal_moves().map(|square| Position::START.play(square).unwrap());
        assert!(five.into_iter().all(|next| Key::of(next).table_key() == 769_218_982_556_739_925));
        assert_eq!(start.table_key() >> 57, 4);
    }

    #[test]
    fn keys_come_back_from_their_bytes_and_nothing_else_does() {
        let key = Key::of(Position::START);
        assert_eq!(Key::from_bytes(key.to_bytes()), Some(key));
        let image = Symmetry::all().map(|symmetry| symmetry.position(key.position()));
        let image = image.into_iter().find(|&image| image != key.position()).unwrap();
        assert_eq!(Key::from_bytes(Key::from_stored(image).to_bytes()), None);
        assert_eq!(Key::from_bytes([0xff; Key::SIZE]), None, "the sides share squares");
    }
}
