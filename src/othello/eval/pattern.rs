//! A pattern: a set of squares whose configuration has a weight.

use crate::othello::board::{Bitboard, Square, SquareError, Symmetry};

/// The longest pattern, in squares: 3^10 configurations fit sixteen bits.
pub(crate) const LONGEST_PATTERN: usize = 10;

/// A set of squares whose configuration has a weight. All its images under the eight symmetries
/// share one table; a symmetry that maps the set onto itself folds the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern {
    /// What it is called in reports.
    pub name: String,
    /// The squares of one image, in the order of the digits of its index, the lowest first, in
    /// [`Pattern::classes`].
    pub squares: Vec<Square>,
}

impl Pattern {
    /// A pattern of squares written as "a1 b1 c1"; none where there is none, where there are too many,
    /// or one of them twice. The error is that of a square that cannot be read.
    pub(super) fn read(name: &str, text: &str) -> Result<Option<Self>, SquareError> {
        let squares: Vec<Square> =
            text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let distinct = set_of(&squares).count_ones() as usize == squares.len();
        let is_pattern = !squares.is_empty() && squares.len() <= LONGEST_PATTERN && distinct;
        Ok(is_pattern.then(|| Self { name: name.to_owned(), squares }))
    }

    /// Number of configurations: 3 to the number of squares.
    pub(crate) fn configurations(&self) -> usize {
        3_usize.pow(self.squares.len() as u32)
    }

    /// The distinct images under the eight symmetries, each in the order of the digits.
    pub(crate) fn images(&self) -> Vec<Vec<Square>> {
        let mut images: Vec<Vec<Square>> = Vec::new();
        for symmetry in Symmetry::all() {
            let image: Vec<_> = self.squares.iter().map(|&s| symmetry.square(s)).collect();
            if !images.iter().any(|known| set_of(known) == set_of(&image)) {
                images.push(image);
            }
        }
        images
    }

    /// For each configuration the number of its class: configurations that a symmetry of the
    /// pattern maps onto each other are in one class. Also the number of classes.
    pub(crate) fn classes(&self) -> (Vec<u16>, usize) {
        let images: Vec<_> =
            self.own_symmetries().iter().map(|order| with_digits_moved(order)).collect();
        let mut class = vec![0_u16; self.configurations()];
        let mut classes = 0_usize;
        for index in 0..self.configurations() {
            let first = images.iter().map(|image| image[index]).min().unwrap_or(index);
            if first == index {
                class[index] = classes as u16;
                classes += 1;
            } else {
                class[index] = class[first];
            }
        }
        (class, classes)
    }

    /// Number of classes of [`Self::classes`]: the mean number of configurations that a symmetry of
    /// the pattern leaves as they are (Burnside's lemma).
    pub(crate) fn class_count(&self) -> usize {
        let orders = self.own_symmetries();
        let left_alone = |order: &Vec<usize>| 3_usize.pow(cycles(order));
        orders.iter().map(left_alone).sum::<usize>() / orders.len().max(1)
    }

    /// For each symmetry that maps the pattern onto itself: where each square goes.
    fn own_symmetries(&self) -> Vec<Vec<usize>> {
        let whole = set_of(&self.squares);
        Symmetry::all()
            .filter(|symmetry| symmetry.bits(whole) == whole)
            .map(|symmetry| {
                let place = |square| self.squares.iter().position(|&other| other == square);
                self.squares.iter().filter_map(|&s| place(symmetry.square(s))).collect()
            })
            .collect()
    }
}

fn set_of(squares: &[Square]) -> Bitboard {
    squares.iter().fold(0, |set, square| set | square.bit())
}

/// For each index of a configuration the index of that with digit `i` moved to place `order[i]`.
pub(super) fn with_digits_moved(order: &[usize]) -> Vec<usize> {
    let mut moved = vec![0];
    for &place in order {
        // The digits so far are followed by this one, which is 0, 1 or 2.
        let lower = moved.clone();
        for digit in [1, 2] {
            moved.extend(lower.iter().map(|index| index + digit * 3_usize.pow(place as u32)));
        }
    }
    moved
}

/// Number of cycles of a permutation.
fn cycles(order: &[usize]) -> u32 {
    let mut seen = vec![false; order.len()];
    let mut cycles = 0;
    for start in 0..order.len() {
        if seen[start] {
            continue;
        }
        cycles += 1;
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            at = order[at];
        }
    }
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of distinct configurations that are known from the literature.
    #[test]
    fn symmetry_folds_the_tables() {
        for (squares, classes) in [
            ("a1 b1 c1 d1 e1 f1 g1 h1", 3321),
            ("a1 b1 c1 d1 e1 f1 g1 h1 b2 g2", 29_646),
            ("b1 c2 d3 e4 f5 g6 h7", 1134),
            ("a1 b1 c1 a2 b2 c2 a3 b3 c3", 10_206),
            ("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2", 59_049),
        ] {
            let pattern = Pattern::read("test", squares).unwrap().unwrap();
            assert_eq!(pattern.classes().1, classes, "{squares}");
            assert_eq!(pattern.class_count(), classes, "{squares}");
        }
    }

    #[test]
    fn digits_are_moved() {
        assert_eq!(with_digits_moved(&[1, 0]), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
        assert_eq!(with_digits_moved(&[0, 1]), (0..9).collect::<Vec<_>>());
        // 102 in base three: its lowest digit 2 goes to place 2, 0 to place 0, 1 to place 1: 210.
        assert_eq!(with_digits_moved(&[2, 0, 1])[2 + 9], 2 * 9 + 3);
    }
}
