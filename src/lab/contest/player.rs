//! The players of a match.

use std::path::PathBuf;
use std::time::Duration;

use crate::app::player::TimeControl;
use crate::othello::eval::AnyEvaluator;
use crate::othello::search::{Goal, Level, Limits, MoveOrdering, Selectivity};

/// How far a player looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pace {
    /// As long as this for each move: our own in processor time.
    Time(Duration),
    /// A clock for the whole game, which runs as clocks on the wall do.
    Clock(TimeControl),
    Level(Level),
    /// The same everywhere, but ends are solved.
    Depth {
        /// Plies.
        depth: u8,
        selectivity: Selectivity,
        /// Positions with at most this many empties are solved.
        solve_from: u8,
    },
}

impl Pace {
    /// The limits for a position with so many empties; `share` is what the clock gives to the move.
    pub(super) fn limits(self, empties: u8, share: Option<Duration>) -> Limits {
        match self {
            Self::Time(time) => Limits { cpu_time: Some(time), ..Limits::solve(Goal::Score) },
            Self::Clock(_) => {
                crate::app::player::Pace { level: None, time: share, nodes: None }.limits(empties)
            }
            Self::Level(level) => Limits::level(level, empties),
            Self::Depth { solve_from, .. } if empties <= solve_from => Limits::solve(Goal::Score),
            Self::Depth { depth, selectivity, .. } => Limits::depth(depth, selectivity),
        }
    }

    /// The clock, where there is one.
    pub(super) const fn control(self) -> Option<TimeControl> {
        if let Self::Clock(control) = self { Some(control) } else { None }
    }
}

/// A player of a match.
#[derive(Clone)]
pub enum Player {
    Own(OwnPlayer),
    Engine(EnginePlayer),
}

/// Our own search.
#[derive(Clone)]
pub struct OwnPlayer {
    /// What judges positions.
    pub evaluator: AnyEvaluator,
    /// How far it looks out of the book.
    pub pace: Pace,
    /// How its searches sort moves.
    pub ordering: MoveOrdering,
    /// A book that is played from while the position is in it.
    pub book: Option<PathBuf>,
}

/// Another program.
#[derive(Clone, PartialEq, Debug)]
pub struct EnginePlayer {
    pub protocol: Protocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it is told of its pace; none leaves it as it is.
    pub pace: Option<Pace>,
    /// A move that takes longer loses the game.
    pub limit: Duration,
}

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    Gtp,
    NBoard,
    /// Edax' own console.
    Edax,
}

impl Protocol {
    pub(crate) const ALL: [(&'static str, Self); 3] =
        [("gtp", Self::Gtp), ("nboard", Self::NBoard), ("edax", Self::Edax)];
}
