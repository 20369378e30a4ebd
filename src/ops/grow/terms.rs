//! What growth is asked for, and what it answers.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use crate::board::{Line, Square};
use crate::book::Values;
use crate::book::policy::Policy;
use crate::book::regret::{Regret, RegretLimits};
use crate::score::Score;
use crate::store::{Reader, StoreError};

use super::Depth;

/// What is to be grown, and how far.
pub struct GrowOptions {
    /// Lines whose ends growth starts from; none is the start position.
    pub from: Vec<Line>,
    /// What is taken next.
    pub policy: Box<dyn Policy<Reader>>,
    /// What a line may give away.
    pub limits: RegretLimits,
    /// What a draw is worth to Black, so that growth follows what players want who seek or avoid
    /// draws; none follows the guess.
    pub contempt: Option<Score>,
    /// No position with more discs is added.
    pub max_discs: Option<u8>,
    /// How deep every position is searched.
    pub depth: Depth,
    /// The longest time.
    pub time: Option<Duration>,
    /// The most new positions.
    pub positions: Option<u64>,
    /// The most searches of positions or of their other moves.
    pub searches: Option<u64>,
    /// Searches at once.
    pub threads: usize,
    /// MiB of transposition table for each thread.
    pub table_megabytes: usize,
    /// The command, as the run is noted.
    pub asked: String,
}

/// Why growth ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The time is up.
    Time,
    /// As many positions as asked for were added.
    Positions,
    /// As many searches as asked for were done.
    Searches,
    /// Within the bounds there is nothing left to search.
    NothingLeft,
    /// By the user.
    Interrupted,
}

impl Ended {
    /// In words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Time => "time is up",
            Self::Positions => "positions reached",
            Self::Searches => "searches reached",
            Self::NothingLeft => "nothing is left to search within the bounds",
            Self::Interrupted => "interrupted",
        }
    }
}

/// How far growth has come.
#[derive(Clone, PartialEq, Debug)]
pub struct GrowStatus {
    /// Since the start of this run.
    pub elapsed: Duration,
    /// Positions in the book.
    pub positions: u64,
    /// Positions added in this run.
    pub new_positions: u64,
    /// Searches done in this run.
    pub searches: u64,
    /// Nodes visited by them.
    pub nodes: u64,
    /// The values of the first position that growth starts from.
    pub root: Option<Values>,
    /// What was taken last.
    pub latest: Option<Taken>,
}

/// A line whose end was taken to be searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The moves from the start position, or from where growth started.
    pub line: Vec<Square>,
    /// What they give away.
    pub regret: Regret,
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line.iter().try_for_each(|square| square.fmt(f))
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct GrowSummary {
    /// The figures at the end.
    pub status: GrowStatus,
    /// Why it ended.
    pub ended: Ended,
}

/// Why growth failed.
#[derive(Debug, Error)]
pub enum GrowError {
    /// The book cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing can be grown from here.
    #[error("nothing can be grown from '{0}': the game is over there")]
    Over(Line),
    /// A fault in the program.
    #[error(
        "a search of {0} failed by a fault in the program; what was found before is in the book"
    )]
    Panic(String),
    /// The threads cannot be started.
    #[error("cannot start the searching threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
