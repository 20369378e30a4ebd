//! How far a book's values are off, beside what was to be expected.

use super::quality::KnownValue;
use crate::app::expected_error;
use crate::openbook::regret::of_move;
use crate::openbook::{NodeMove, NodeSource};
use crate::store::{Reader, StoreError};

/// Groups of equally many values, by the error that was to be expected.
const GROUPS: usize = 6;
/// Moves that give away less than this count as equally good, in centidiscs.
const EQUAL: i32 = 100;
/// Positions of more such moves are counted together.
const MOST_MOVES: usize = 5;

/// What was expected of a group of values, and what was found. All in discs.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct ErrorGroup {
    /// How many values.
    pub positions: u64,
    /// The root of the mean square of the expected errors.
    pub expected: f64,
    /// The root of the mean square of the differences from what is known.
    pub found: f64,
    /// The mean difference: above zero when the book is too hopeful for the side to move.
    pub bias: f64,
}

/// How far the values of a book are off.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Errors {
    /// By the expected error, the smallest first.
    pub by_expected: Vec<ErrorGroup>,
    /// By the number of moves within a disc of the best one, from 1; the last group has all beyond it.
    pub by_good_moves: Vec<ErrorGroup>,
}

/// A value of a book beside what is known.
#[derive(Clone, Copy)]
struct Seen {
    expected: f64,
    difference: f64,
    good_moves: usize,
}

/// Compares the values of a book with known ones.
pub(crate) fn measure_errors(book: &Reader, known: &[KnownValue]) -> Result<Errors, StoreError> {
    let book = book.snapshot()?;
    let mut seen = Vec::new();
    for known in known {
        let (Some(node), Some(value)) = (book.node(&known.key)?, known.value) else { continue };
        let Some(expected) = expected_error(&node) else { continue };
        let moves = node.moves(&*book)?;
        let is_good = |found: &&NodeMove| of_move(node.values, found.values.guess) < EQUAL;
        let good_moves = moves.iter().filter(is_good).count();
        let difference = node.values.guess.discs() - value;
        seen.push(Seen { expected, difference, good_moves });
    }
    Ok(grouped(seen))
}

fn grouped(mut seen: Vec<Seen>) -> Errors {
    seen.sort_by(|a, b| a.expected.total_cmp(&b.expected));
    let size = seen.len().div_ceil(GROUPS).max(1);
    let of_moves = |moves: usize| -> Vec<Seen> {
        let is_one = |one: &&Seen| one.good_moves.clamp(1, MOST_MOVES) == moves;
        seen.iter().filter(is_one).copied().collect()
    };
    Errors {
        by_expected: seen.chunks(size).map(group).collect(),
        by_good_moves: (1..=MOST_MOVES).map(|moves| group(&of_moves(moves))).collect(),
    }
}

fn group(seen: &[Seen]) -> ErrorGroup {
    let mean = |of: fn(&Seen) -> f64| seen.iter().map(of).sum::<f64>() / seen.len().max(1) as f64;
    ErrorGroup {
        positions: seen.len() as u64,
        expected: mean(|one| one.expected * one.expected).sqrt(),
        found: mean(|one| one.difference * one.difference).sqrt(),
        bias: mean(|one| one.difference),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_hold_equally_many_and_all() {
        let seen = |number: usize| Seen {
            expected: (40 - number) as f64,
            difference: if number.is_multiple_of(2) { 3.0 } else { -4.0 },
            good_moves: number % 8,
        };
        let errors = grouped((0..40).map(seen).collect());
        let sizes: Vec<u64> = errors.by_expected.iter().map(|group| group.positions).collect();
        assert_eq!(sizes, [7, 7, 7, 7, 7, 5]);
        assert!(errors.by_expected.is_sorted_by(|a, b| a.expected <= b.expected));
        let by_moves: Vec<u64> = errors.by_good_moves.iter().map(|group| group.positions).collect();
        assert_eq!(by_moves, [10, 5, 5, 5, 15]);
        let even = errors.by_good_moves[1];
        assert_eq!((even.found, even.bias), (3.0, 3.0));
        assert_eq!(grouped(Vec::new()).by_expected, []);
    }
}
