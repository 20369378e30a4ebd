//! The players of a match.

use std::path::PathBuf;
use std::time::Duration;

use crate::othello::eval::AnyEvaluator;
use crate::othello::search::{Goal, Level, Limits, MoveOrdering, Selectivity};

/// How far a player looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pace {
    /// As long as this for each move, in processor time.
    Time(Duration),
    Level(Level),
    /// The same everywhere, but ends are solved.
    Depth {
        /// Plies.
        depth: u8,
        selectivity: Selectivity,
        /// Positions with at most so many empties are solved.
        solve_from: u8,
    },
}

impl Pace {
    /// The limits for a position with so many empties.
    pub fn limits(self, empties: u8) -> Limits {
        match self {
            Self::Time(time) => Limits { cpu_time: Some(time), ..Limits::solve(Goal::Score) },
            Self::Level(level) => Limits::level(level, empties),
            Self::Depth { solve_from, .. } if empties <= solve_from => Limits::solve(Goal::Score),
            Self::Depth { depth, selectivity, .. } => Limits::depth(depth, selectivity),
        }
    }
}

#[derive(Clone)]
pub struct Player {
    /// What judges positions.
    pub evaluator: AnyEvaluator,
    /// How far it looks out of the book.
    pub pace: Pace,
    /// How its searches sort moves.
    pub ordering: MoveOrdering,
    /// A book that is played from while the position is in it.
    pub book: Option<PathBuf>,
}
