//! Sets of squares as 64 bits.

use std::fmt;

use super::Square;

/// A set of squares, bit 0 = a1, bit 7 = h1, bit 63 = h8.
pub type Bitboard = u64;

/// The four corners.
pub(crate) const CORNERS: Bitboard = 0x8100_0000_0000_0081;

/// All columns but a and h: a run of discs that goes sideways may only cross these.
///
/// ```text
/// . 1 1 1 1 1 1 .
/// . 1 1 1 1 1 1 .   (all eight rows alike)
/// ```
pub(super) const INNER_COLUMNS: Bitboard = 0x7e7e_7e7e_7e7e_7e7e;

/// A set of squares with all that are beside one of them, also diagonally.
#[inline(always)]
pub(crate) const fn with_neighbours(squares: Bitboard) -> Bitboard {
    const NOT_FIRST_COLUMN: Bitboard = 0xfefe_fefe_fefe_fefe;
    const NOT_LAST_COLUMN: Bitboard = 0x7f7f_7f7f_7f7f_7f7f;
    let row = squares | squares << 1 & NOT_FIRST_COLUMN | squares >> 1 & NOT_LAST_COLUMN;
    row | row << 8 | row >> 8
}

/// The squares of a set, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Squares(pub Bitboard);

impl Squares {
    /// How many squares the set holds.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// How many squares of the set come before this one: its place among them.
    pub(crate) const fn index_of(self, square: Square) -> usize {
        (self.0 & (square.bit() - 1)).count_ones() as usize
    }

    /// Whether the set holds no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set holds this square.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit() != 0
    }
}

/// The names with blanks between them: `d3 c4`.
impl fmt::Display for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.map(|square| square.to_string()).collect();
        f.write_str(&names.join(" "))
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::lowest_of(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}
