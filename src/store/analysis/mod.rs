//! What moves of positions are worth, found when games were analysed.

mod check;
mod read;
mod write;

pub use check::{AnalysisInvariant, AnalysisReport, AnalysisViolation};
pub(super) use read::AnalysisRow;

use crate::othello::board::Square;
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};

/// The number of a [`PositionSearcher`] in a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct SearcherId(pub u32);

/// A searcher of positions of games.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct PositionSearcher {
    /// The program with its version.
    pub engine: String,
    /// The name and hash of the weights.
    pub evaluator: String,
    /// The day, as 2026-11-20.
    pub day: String,
}

/// What is kept of an analysed position. All its moves were searched with the same limits by the same
/// evaluator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionAnalysis {
    /// Plies from the position.
    pub depth: u8,
    pub selectivity: Selectivity,
    /// The searcher.
    pub searcher: SearcherId,
    /// The moves that were searched, by square; one of them is the best.
    pub moves: Vec<AnalysedSquare>,
}

/// A move of an analysed position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysedSquare {
    /// The move in the key's orientation; of moves that are images of each other the first.
    pub square: Square,
    /// Whether the search of all moves found this one.
    pub best: bool,
    /// What it is worth to the side that makes it.
    pub score: Score,
    /// What the score proves: [`Proof::Exact`] or nothing.
    pub proof: Proof,
}

impl PositionAnalysis {
    /// The move that the search of all moves found; none only in a damaged book.
    pub fn best(&self) -> Option<AnalysedSquare> {
        self.moves.iter().copied().find(|known| known.best)
    }

    /// What is known of a move.
    pub fn of(&self, square: Square) -> Option<AnalysedSquare> {
        self.moves.iter().copied().find(|known| known.square == square)
    }

    /// Whether all its values are proven.
    pub fn is_exact(&self) -> bool {
        self.moves.iter().all(|known| known.proof == Proof::Exact)
    }

    /// How strong it is; more is better. Exact values are stronger than all others, then depth
    /// counts, then selectivity.
    pub fn strength(&self) -> impl Ord + use<> {
        (self.is_exact(), self.depth, self.selectivity)
    }

    /// Takes moves in that it does not have; their limits and their evaluator must be the same.
    pub(crate) fn take_moves_of(&mut self, other: &Self) {
        for known in &other.moves {
            if self.of(known.square).is_none() {
                self.moves.push(AnalysedSquare { best: false, ..*known });
            }
        }
        self.moves.sort_by_key(|known| known.square);
    }
}
