//! The position hash: two 32-bit words, the smallest over the eight orientations.

use std::sync::LazyLock;

use crate::othello::board::{Bitboard, Square, Symmetry};

/// Patterns of a line of eight cells.
const PATTERNS: usize = 6561;
/// Lines of a board.
const LINES: usize = 8;

/// The two words of a position.
pub(crate) type ZebraHash = (i32, i32);

/// Which of the eight orientations gives the hash: moves of a node are stored in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orientation(u8);

impl Orientation {
    /// 0..=7, in Zebra's numbering.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Where a square of the real board lands.
    pub const fn square(self, square: Square) -> Square {
        Square::new(map(self.0, square.number()))
    }

    /// The real square of one that is in this orientation.
    pub(crate) const fn real(self, square: Square) -> Square {
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

/// What a line of the board gives to the two words in the four orientations in which it is a row, side by side:
/// one look into the memory instead of four. Forwards and backwards from the top, then backwards and forwards
/// from the bottom; by line and pattern.
type LineKeys = [[i32; 2]; 4];

static KEYS: LazyLock<Vec<LineKeys>> = LazyLock::new(|| {
    let keys = random_keys();
    let key = |line: usize, pattern: usize| {
        keys.get(line * PATTERNS + pattern).copied().unwrap_or_default()
    };
    let all = (0..LINES).flat_map(|line| (0..PATTERNS).map(move |pattern| (line, pattern)));
    all.map(|(line, pattern)| {
        let (back, from_end) = (reversed(pattern), LINES - 1 - line);
        [key(line, pattern), key(line, back), key(from_end, back), key(from_end, pattern)]
    })
    .collect()
});

/// The pattern of the same cells from the other end.
fn reversed(pattern: usize) -> usize {
    (0..8).fold((pattern, 0), |(left, back), _| (left / 3, 3 * back + left % 3)).1
}

/// Random keys by line and pattern, one for each word.
fn random_keys() -> Vec<[i32; 2]> {
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
}

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
pub fn zebra_hash(black: Bitboard, white: Bitboard) -> (ZebraHash, Orientation) {
    let (ternary, keys) = (&*TERNARY, &*KEYS);
    let sum = |byte: u8| ternary.get(usize::from(byte)).copied().unwrap_or_default();
    let words_of = |black: Bitboard, white: Bitboard| -> LineKeys {
        let lines = black.to_le_bytes().into_iter().zip(white.to_le_bytes());
        let mut words = LineKeys::default();
        for (line, (black, white)) in lines.enumerate() {
            let pattern = usize::from(sum(black) + 2 * sum(white));
            let keys = keys.get(line * PATTERNS + pattern).copied().unwrap_or_default();
            for (words, keys) in words.iter_mut().zip(keys) {
                for (word, key) in words.iter_mut().zip(keys) {
                    *word ^= key;
                }
            }
        }
        words
    };
    let transposed = Symmetry::new(4);
    let rows = words_of(black, white);
    let columns = words_of(transposed.bits(black), transposed.bits(white));
    let mut best = ((i32::MAX, i32::MAX), Orientation(0));
    for (number, &[first, second]) in (0..).zip(rows.iter().chain(&columns)) {
        if (first, second) < best.0 {
            best = ((first, second), Orientation(number));
        }
    }
    let ((first, second), orientation) = best;
    ((first.wrapping_abs(), second.wrapping_abs()), orientation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::{Line, Side};

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
