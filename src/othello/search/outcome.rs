//! What a search found.

use crate::othello::board::Square;
use crate::othello::score::Score;

use super::Selectivity;

/// What a score proves about the result of perfect play. Only searches to the end at full width
/// prove anything.
///
/// The numbers are those in files: they never change.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Proof {
    /// Nothing: the score is an estimate.
    #[default]
    None = 0,
    /// The score is the exact result, a whole and even number of discs.
    Exact = 1,
    /// The side to move wins; by how much is not known.
    Win = 2,
    /// The side to move loses; by how much is not known.
    Loss = 3,
    /// The side to move does not lose.
    NotLost = 4,
    /// The side to move does not win.
    NotWon = 5,
}

impl Proof {
    /// All of them, by number.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Exact, Self::Win, Self::Loss, Self::NotLost, Self::NotWon];

    /// What it says from the other side.
    pub(crate) const fn seen_by_other(self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Exact => Self::Exact,
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            Self::NotLost => Self::NotWon,
            Self::NotWon => Self::NotLost,
        }
    }

    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The proof of this number; none where there is no such proof.
    pub(crate) fn numbered(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Its name in files and in JSON: "none", "exact", "win", "loss", "not_lost", "not_won".
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Exact => "exact",
            Self::Win => "win",
            Self::Loss => "loss",
            Self::NotLost => "not_lost",
            Self::NotWon => "not_won",
        }
    }

    /// The proof of this name; none where there is no such proof.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|proof| proof.name() == name)
    }

    /// Proven bounds of the result in discs, -64..=64, where `score` is the score that the proof
    /// came with.
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

    /// The strongest proof of a result that is proven to be within these bounds, in discs. A size
    /// that is not exact is lost.
    pub(crate) const fn of_bounds(lower: i8, upper: i8) -> Self {
        match (lower, upper) {
            (lower, upper) if lower == upper => Self::Exact,
            (1.., _) => Self::Win,
            (_, ..=-1) => Self::Loss,
            (0, _) => Self::NotLost,
            (_, 0) => Self::NotWon,
            _ => Self::None,
        }
    }
}

/// The value of one move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveScore {
    pub square: Square,
    /// For the side that makes the move.
    pub score: Score,
    /// What is best believed of the move: see [`Outcome::value`].
    pub value: Score,
    /// What the score proves.
    pub proof: Proof,
    /// Plies that were looked ahead in the last finished iteration, the move itself among them.
    pub depth: u8,
    /// Selectivity of the last finished iteration.
    pub selectivity: Selectivity,
    /// The expected line, this move first; passes are left out.
    pub line: Vec<Square>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether the limits were met: see [`Outcome::complete`].
    pub complete: bool,
}

impl MoveScore {
    /// What a search found of this move.
    pub(crate) fn of(square: Square, found: Outcome) -> Self {
        let Outcome { score, value, proof, depth, selectivity, line, nodes, complete, .. } = found;
        Self { square, score, value, proof, depth, selectivity, line, nodes, complete }
    }
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
    /// The best estimate of the position, for books and people. Searches of odd and of even depth err to
    /// different sides, so where the last iteration ended before the game it is the mean of that and of one
    /// a ply less deep with the same selectivity, moved away from zero as far as results are further from
    /// it than searches say ([`Evaluator::stretched`](crate::othello::eval::Evaluator::stretched)); else it is the
    /// score.
    pub value: Score,
    /// What the score proves.
    pub proof: Proof,
    /// Plies that were looked ahead in the last finished iteration.
    pub depth: u8,
    /// Selectivity of the last finished iteration.
    pub selectivity: Selectivity,
    /// The expected line, the best move first; passes are left out.
    pub line: Vec<Square>,
    /// Positions visited.
    pub nodes: u64,
    /// Whether the limits of depth and selectivity were met: false when time, nodes or a
    /// cancellation cut the search short.
    pub complete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_has_one_number_one_name_and_one_other_side() {
        for (number, proof) in (0..).zip(Proof::ALL) {
            assert_eq!(proof.number(), number);
            assert_eq!(Proof::numbered(number), Some(proof));
            assert_eq!(Proof::named(proof.name()), Some(proof));
            assert_eq!(proof.seen_by_other().seen_by_other(), proof);
            // What is proven of the one is proven of the other, with the signs turned.
            let score = Score::from_discs(-6);
            let (lower, upper) = proof.bounds(score);
            assert_eq!(proof.seen_by_other().bounds(-score), (-upper, -lower));
            assert_eq!(Proof::of_bounds(lower, upper), proof);
        }
        assert_eq!((Proof::numbered(6), Proof::named("not won")), (None, None));
    }
}
