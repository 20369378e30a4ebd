//! Which program may search for a book: one whose searches find the same.

use std::fmt;

use crate::othello::board::Position;
use crate::othello::eval::{Evaluator, PatternEvaluator};
use crate::othello::program::VERSION;
use crate::othello::random::Random;
use crate::othello::search::{Limits, Searcher, Selectivity, Stop};

use super::message::MESSAGE_FORMAT;

/// Positions that are searched.
const SEARCHES: u64 = 20;
/// The seed of the games that lead to them; it never changes.
const SEED: u64 = 0x726f_7365_6269_6c6c;
/// Their plies, and plies of selective search.
const DEPTH: u8 = 8;
/// Memory for the table, in MiB.
const TABLE: usize = 16;

/// A number that two programs share only if they are of one version, speak of jobs in the same format,
/// have the same weights, and find the same by 20 searches: the weights alone fix no result, since it
/// also depends on how a machine counts with fractions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signature(u64);

impl Signature {
    /// Of this program on this machine: takes a fraction of a second.
    pub(crate) fn of(evaluator: &std::sync::Arc<PatternEvaluator>) -> Self {
        let mut hash = Hash::new();
        hash.add(VERSION.as_bytes());
        hash.add(&MESSAGE_FORMAT.to_be_bytes());
        hash.add(evaluator.name().as_bytes());
        let mut searcher = Searcher::new(std::sync::Arc::clone(evaluator), TABLE);
        for index in 0..SEARCHES {
            // From the opening to where a search sees the end.
            let position = drawn(index, 4 + 2 * index);
            let limits = Limits::depth(DEPTH.min(position.empties()), Selectivity::OURS[0]);
            let found = searcher.search(position, 0, &limits, &Stop::new());
            hash.add(&found.value.centidiscs().to_be_bytes());
            hash.add(&found.best.map_or(64, |square| square.number()).to_be_bytes());
        }
        Self(hash.0)
    }
}

/// A position after so many drawn moves, or the last one before that with a move.
fn drawn(index: u64, plies: u64) -> Position {
    let mut random = Random::for_item(SEED, index);
    let mut position = Position::START;
    for _ in 0..plies {
        let moves: Vec<_> = position.legal_moves().collect();
        let chosen = moves.get(random.below(moves.len()));
        let next = chosen.and_then(|&square| position.after(square)?.position());
        let Some(next) = next else { break };
        position = next;
    }
    position
}

/// 16 hexadecimal digits.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// FNV-1a of 64 bits: the same everywhere and for ever.
struct Hash(u64);

impl Hash {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_program_has_one_signature() {
        let evaluator = PatternEvaluator::embedded().unwrap();
        let signature = Signature::of(&evaluator);
        assert_eq!(signature, Signature::of(&evaluator));
        assert_eq!(signature.to_string().len(), 16);
        // Other weights, other searches.
        assert_ne!(signature, Signature::of(&PatternEvaluator::zebra().unwrap()));
    }

    #[test]
    fn its_searches_are_of_all_stages() {
        let empties: Vec<u8> = (0..SEARCHES).map(|i| drawn(i, 4 + 2 * i).empties()).collect();
        assert!(empties.iter().any(|&empties| empties > 50), "{empties:?}");
        assert!(empties.iter().any(|&empties| empties < 25), "{empties:?}");
        assert!((0..SEARCHES).all(|i| drawn(i, 4 + 2 * i).can_move()));
    }
}
