//! What a search found.

use crate::board::Square;
use crate::score::Score;

use super::Selectivity;

/// What a score proves about the result of perfect play. Only searches to the end at full width
/// prove anything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Proof {
    /// Nothing: the score is an estimate.
    #[default]
    None,
    /// The score is the exact result, a whole and even number of discs.
    Exact,
    /// The side to move wins; by how much is not known.
    Win,
    /// The side to move loses; by how much is not known.
    Loss,
    /// The side to move does not lose.
    NotLost,
    /// The side to move does not win.
    NotWon,
}

impl Proof {
    /// Proven bounds of the result in discs, -64..=64, where `score` is the score that the proof
    /// came with.
    #[must_use]
    pub const fn bounds(self, score: Score) -> (i8, i8) {
        match self {
            Self::None => (-64, 64),
            Self::Exact => (score.rounded_discs(), score.rounded_discs()),
            // Results are always even, so the smallest win is by two discs.
            Self::Win => (2, 64),
            Self::Loss => (-64, -2),
            Self::NotLost => (0, 64),
            Self::NotWon => (-64, 0),
        }
    }
}

/// The value of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveScore {
    /// The move.
    pub square: Square,
    /// For the side that makes the move.
    pub score: Score,
    /// What the score proves.
    pub proof: Proof,
}

/// The result of a search, from the point of view of the side to move in the searched position.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The best move among those that were not excluded; none when there was no move to make
    /// (forced pass, finished game).
    pub best: Option<Square>,
    /// Its score. With [`Proof::Win`] or [`Proof::Loss`] it is the best estimate inside the proven
    /// bounds, not the size of the proof.
    pub score: Score,
    /// What the score proves.
    pub proof: Proof,
    /// Plies that were looked ahead in the last finished iteration.
    pub depth: u8,
    /// Confidence of the last finished iteration.
    pub selectivity: Selectivity,
    /// The expected line, the best move first; passes are left out.
    pub line: Vec<Square>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether the limits of depth and selectivity were met: false when time, nodes or a
    /// cancellation cut the search short.
    pub complete: bool,
}
