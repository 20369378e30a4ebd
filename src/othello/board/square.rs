//! One of the 64 squares.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A square, numbered by row: a1 = 0, b1 = 1, h1 = 7, a2 = 8, h8 = 63. Row 1 is the top row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A text that names no square.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("'{0}' is not a square: expected a column a-h and a row 1-8, such as f5")]
pub struct SquareError(pub String);

impl Square {
    /// The square of this number, 0..=63.
    ///
    /// # Panics
    /// When the number is above 63.
    pub const fn new(index: u8) -> Self {
        assert!(index < 64, "a square number is 0..=63");
        Self(index)
    }

    /// The square of this number, or none above 63.
    pub const fn try_new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The lowest square of a set that is not empty.
    pub(crate) const fn lowest_of(bits: u64) -> Self {
        debug_assert!(bits != 0);
        Self(bits.trailing_zeros() as u8 & 63)
    }

    /// 0..=63, by row from a1.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0..=63, by row from a1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// 0 for column a to 7 for column h.
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// 0 for row 1 (the top) to 7 for row 8.
    pub const fn row(self) -> u8 {
        self.0 >> 3
    }

    /// The set that holds only this square.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Reads the two characters of a square, in either case.
    pub const fn from_ascii(column: u8, row: u8) -> Option<Self> {
        let column = column.to_ascii_lowercase();
        if column >= b'a' && column <= b'h' && row >= b'1' && row <= b'8' {
            Some(Self((row - b'1') * 8 + (column - b'a')))
        } else {
            None
        }
    }

    /// All squares in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = [b'a' + self.column(), b'1' + self.row()];
        f.pad(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match *text.as_bytes() {
            [column, row] => Self::from_ascii(column, row),
            _ => None,
        }
        .ok_or_else(|| SquareError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for (name, number) in [("a1", 0), ("h1", 7), ("a2", 8), ("F5", 37), ("h8", 63)] {
            let square: Square = name.parse().unwrap();
            assert_eq!(square.number(), number);
            assert_eq!(square.to_string(), name.to_ascii_lowercase());
        }
        for name in ["", "i1", "a9", "a0", "f55", "5f", "é1"] {
            assert!(name.parse::<Square>().is_err(), "{name}");
        }
    }
}
