//! The position hash: two 32-bit words, the smallest over the eight orientations.

use std::sync::LazyLock;

use crate::board::{Bitboard, Square, Symmetry};

/// Patterns of a line of eight cells.
const PATTERNS: usize = 6561;
/// Lines of a board.
const LINES: usize = 8;

/// The two words of a position.
pub type ZebraHash = (i32, i32);

/// Which of the eight orientations gives the hash: moves of a node are stored in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orientation(u8);

impl Orientation {
    /// 0..=7, in Zebra's numbering.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Where a square of the real board lands.
    #[must_use]
    pub const fn square(self, square: Square) -> Square {
        Square::new(map(self.0, square.number()))
    }

    /// The real square of one that is in this orientation.
    #[must_use]
    pub const fn real(self, square: Square) -> Square {
        let inverse = match self.0 {
            5 => 7,
            7 => 5,
            other => other,
        };
        Square::new(map(inverse, square.number()))
    }
}

const fn map(orientation: u8, number: u8) -> u8 {
    let (row, column) = (number >> 3, number & 7);
    let (row, column) = match orientation {
        0 => (row, column),
        1 => (row, 7 - column),
        2 => (7 - row, 7 - column),
        3 => (7 - row, column),
        4 => (column, row),
        5 => (column, 7 - row),
        6 => (7 - column, 7 - row),
        _ => (7 - column, row),
    };
    row << 3 | column
}

/// Random keys by word, line and pattern.
static KEYS: LazyLock<Vec<[i32; 2]>> = LazyLock::new(|| {
    let mut generator = Generator::new();
    let mut key = || {
        let sign = generator.draw();
        let value = generator.draw();
        if sign % 2 == 1 { value } else { -value }
    };
    let mut keys = vec![[0; 2]; LINES * PATTERNS];
    for word in 0..2 {
        for pair in &mut keys {
            if let Some(slot) = pair.get_mut(word) {
                *slot = key();
            }
        }
    }
    keys
});

/// The additive feedback generator of old BSD systems, degree 31 and separation 3, from seed 0.
struct Generator {
    state: [u32; 31],
    front: usize,
    rear: usize,
}

impl Generator {
    fn new() -> Self {
        let mut state = [0u32; 31];
        let mut last = 0u32;
        for slot in state.iter_mut().skip(1) {
            last = last.wrapping_mul(1_103_515_245).wrapping_add(12345);
            *slot = last;
        }
        let mut generator = Self { state, front: 3, rear: 0 };
        for _ in 0..310 {
            generator.draw();
        }
        generator
    }

    fn draw(&mut self) -> i32 {
        let rear = self.state.get(self.rear).copied().unwrap_or_default();
        let mut drawn = 0;
        if let Some(front) = self.state.get_mut(self.front) {
            *front = front.wrapping_add(rear);
            drawn = *front >> 1;
        }
        self.front = (self.front + 1) % 31;
        self.rear = (self.rear + 1) % 31;
        drawn.cast_signed()
    }
}

/// Sum of 3^k over the set bits of a byte.
static TERNARY: LazyLock<[u16; 256]> = LazyLock::new(|| {
    let mut sums = [0; 256];
    for (byte, sum) in sums.iter_mut().enumerate() {
        *sum = (0..8).filter(|bit| byte >> bit & 1 != 0).map(|bit| 3u16.pow(bit)).sum();
    }
    sums
});

/// The hash of a board and the orientation that gives it.
#[must_use]
pub fn zebra_hash(black: Bitboard, white: Bitboard) -> (ZebraHash, Orientation) {
    let ternary = &*TERNARY;
    let sum = |byte: u8| ternary.get(usize::from(byte)).copied().unwrap_or_default();
    let patterns = |black: Bitboard, white: Bitboard, reversed: bool| -> [u16; 8] {
        let (blacks, whites) = (black.to_le_bytes(), white.to_le_bytes());
        let mut lines = [0; 8];
        for (line, (mut black, mut white)) in lines.iter_mut().zip(blacks.into_iter().zip(whites)) {
            if reversed {
                (black, white) = (black.reverse_bits(), white.reverse_bits());
            }
            *line = sum(black) + 2 * sum(white);
        }
        lines
    };
    let transposed = Symmetry::new(4);
    let (tall_black, tall_white) = (transposed.bits(black), transposed.bits(white));
    let rows = patterns(black, white, false);
    let rows_back = patterns(black, white, true);
    let columns = patterns(tall_black, tall_white, false);
    let columns_back = patterns(tall_black, tall_white, true);
    let from_end = |mut lines: [u16; 8]| {
        lines.reverse();
        lines
    };
    let images = [
        rows,
        rows_back,
        from_end(rows_back),
        from_end(rows),
        columns,
        columns_back,
        from_end(columns_back),
        from_end(columns),
    ];
    let keys = &*KEYS;
    let mut best = ((i32::MAX, i32::MAX), Orientation(0));
    for (number, lines) in images.iter().enumerate() {
        let mut words = [0i32; 2];
        for (line, pattern) in lines.iter().enumerate() {
            let at = line * PATTERNS + usize::from(*pattern);
            let key = keys.get(at).copied().unwrap_or_default();
            for (word, key) in words.iter_mut().zip(key) {
                *word ^= key;
            }
        }
        let [first, second] = words;
        if (first, second) < best.0 {
            best = ((first, second), Orientation(number as u8));
        }
    }
    let ((first, second), orientation) = best;
    ((first.wrapping_abs(), second.wrapping_abs()), orientation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Line, Side};

    #[test]
    fn hashes_are_zebras() {
        for (line, first, second, orientation) in [
            ("", 1_367_877_565, 1_384_641_267, 1),
            ("f5", 1_432_552_204, 801_822_288, 5),
            ("d3", 1_432_552_204, 801_822_288, 3),
            ("c4", 1_432_552_204, 801_822_288, 7),
            ("e6", 1_432_552_204, 801_822_288, 1),
            ("f5d6", 1_851_744_936, 1_258_123_872, 0),
            ("f5f6", 1_659_994_584, 1_512_627_031, 6),
            ("f5f4", 829_656_535, 1_764_123_977, 7),
            ("f5d6c3d3c4", 1_497_408_290, 1_946_403_171, 3),
            ("f5f6e6d6e7", 1_803_937_853, 850_730_059, 0),
        ] {
            let placed = line.parse::<Line>().unwrap().board();
            let (black, white) = match placed.side {
                Side::Black => (placed.position.mover, placed.position.opponent),
                Side::White => (placed.position.opponent, placed.position.mover),
            };
            let (hash, found) = zebra_hash(black, white);
            assert_eq!((hash, found.number()), ((first, second), orientation), "{line}");
        }
    }

    #[test]
    fn orientations_are_undone() {
        for orientation in (0..8).map(Orientation) {
            for square in Square::all() {
                assert_eq!(orientation.real(orientation.square(square)), square);
            }
        }
    }
}
