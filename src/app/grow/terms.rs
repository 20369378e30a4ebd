//! What growth is asked for, and what it answers.

use std::time::Duration;

use thiserror::Error;

use crate::app::facts::RefusedFact;
use crate::app::show::Shown;
use crate::openbook::Values;
use crate::openbook::policy::{Best, Leaf, Policy, Reason};
use crate::openbook::regret::{Regret, RegretLimits};
use crate::othello::board::Square;
use crate::othello::eval::WeightsError;
use crate::othello::score::Score;
use crate::othello::search::Level;
use crate::store::{Reader, StoreError};

use super::crew::{CrewError, CrewStatus, Refused};
use super::spent::Spent;
use super::start::{GrowStart, Target};
use super::work::{DEFAULT_LEVEL, Depth};

/// MiB of transposition table for each search thread by default.
pub(crate) const DEFAULT_TABLE_MEGABYTES: usize = 64;

/// What is to be grown, and how far.
pub struct GrowOptions {
    /// Where growth starts; none is the start position.
    pub from: Vec<GrowStart>,
    /// What is taken next.
    pub policy: Box<dyn Policy<Reader>>,
    /// What a line may give away.
    pub limits: RegretLimits,
    /// What a draw is worth to Black, so that growth follows what players that seek or avoid draws
    /// want; none follows the guess.
    pub contempt: Option<Score>,
    /// No position with more discs is added or searched deeper.
    pub max_discs: Option<u8>,
    /// How deep every position is searched.
    pub depth: Depth,
    pub time: Option<Duration>,
    /// The most new positions.
    pub positions: Option<u64>,
    /// The most searches of positions or of their other moves.
    pub searches: Option<u64>,
    /// Searches at once.
    pub threads: usize,
    /// MiB of transposition table for each thread.
    pub table_megabytes: usize,
    /// Pieces of work that are handed out at once; none is what suits the threads.
    pub in_flight: Option<usize>,
    /// The command, as the run is noted.
    pub asked: String,
}

impl Default for GrowOptions {
    /// From the start, by the best lines, at the default level, on one thread, without an end.
    fn default() -> Self {
        Self {
            from: Vec::new(),
            policy: Box::new(Best::default()),
            limits: RegretLimits::default(),
            contempt: None,
            max_discs: None,
            depth: Depth::Level(DEFAULT_LEVEL),
            time: None,
            positions: None,
            searches: None,
            threads: 1,
            table_megabytes: DEFAULT_TABLE_MEGABYTES,
            in_flight: None,
            asked: String::new(),
        }
    }
}

impl GrowOptions {
    /// How deep something is searched that is taken for this reason.
    pub(crate) fn depth_for(&self, reason: Reason) -> Depth {
        match (reason, self.policy.deeper()) {
            (Reason::Deepen, Some(level)) => Depth::Level(level),
            _ => self.depth,
        }
    }

    /// How deep positions are searched, whatever for.
    pub(crate) fn depths(&self) -> [Depth; 2] {
        [self.depth, self.depth_for(Reason::Deepen)]
    }
}

/// Why growth ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Time,
    /// As many positions as asked for were added.
    Positions,
    /// As many searches as asked for were done.
    Searches,
    /// Within the bounds there is nothing left to search.
    NothingLeft,
    Interrupted,
}

impl Ended {
    /// One word for it in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Positions => "positions",
            Self::Searches => "searches",
            Self::NothingLeft => "nothing_left",
            Self::Interrupted => "interrupted",
        }
    }

    pub const fn text(self) -> &'static str {
        match self {
            Self::Time => "stopped: time limit reached",
            Self::Positions => "stopped: limit of new positions reached",
            Self::Searches => "stopped: limit of searches reached",
            Self::NothingLeft => "nothing is left to search within the limits",
            Self::Interrupted => "interrupted",
        }
    }
}

/// How far growth has come.
#[derive(Clone, PartialEq, Debug)]
pub struct GrowStatus {
    /// Since the start of this run.
    pub elapsed: Duration,
    pub positions: u64,
    /// Positions added by work of this run.
    pub new_positions: u64,
    /// Searches done for this run.
    pub searches: u64,
    /// Nodes visited by them.
    pub nodes: u64,
    /// What others had searched for an earlier run, and what this one has taken into the book beside its
    /// own work.
    pub earlier: EarlierWork,
    /// The values of the first position that growth starts from.
    pub root: Option<Values>,
    /// Its moves, the best first, with their guesses for the side that makes them.
    pub root_moves: Vec<(Square, Score)>,
    /// Positions in the book that outlast the end of this process: those of the last commit.
    pub kept: u64,
    /// What was taken last.
    pub latest: Option<Taken>,
    /// The search that has been under way longest.
    pub searching: Option<Searching>,
    /// The state of workers elsewhere; none without any.
    pub crew: Option<CrewStatus>,
    /// Pieces of work under way.
    pub in_flight: u64,
    /// Results that did not count.
    pub refused: Refused,
    /// What the thread that owns the book did.
    pub spent: Spent,
}

/// What an earlier run had handed out to others, and what came into the book only now. The limits of
/// this run do not count it.
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EarlierWork {
    pub positions: u64,
    pub searches: u64,
}

/// What was taken to be searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    pub target: Target,
    /// What the line to it gives away.
    pub regret: Regret,
}

/// A search that is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searching {
    pub target: Target,
    /// How many plies it looks ahead just now.
    pub depth: u8,
    /// How many plies it is to look ahead in the end.
    pub goal: u8,
    /// Since it began.
    pub elapsed: Duration,
}

/// What growth would search.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// What the policy says of it.
    pub leaf: Leaf,
    pub target: Target,
    /// What the book expects of the node that it belongs to, for the side to move there; none when
    /// it is not in the book yet.
    pub guess: Option<Score>,
    /// The policy's rank, smallest first: discs where it goes by what lines give away, else what it counts. None
    /// for what is added whatever the policy says.
    pub priority: Option<f64>,
}

#[derive(Clone, Debug)]
pub struct GrowSummary {
    /// The figures at the end.
    pub status: GrowStatus,
    pub ended: Ended,
    /// The values of the first position that growth starts from, before this run.
    pub before: Option<Values>,
    /// The first position that growth starts from, as it is now.
    pub first: Shown,
    /// Facts that are not believed, because of what the book proves by now.
    pub refused_facts: Vec<RefusedFact>,
    /// What to ask for instead, when time ran out before a single search was done.
    pub easier: Option<Easier>,
    /// What no worker could search, and why: such positions are left alone.
    pub set_aside: Vec<(Target, String)>,
    /// The most bytes that may be kept of one choice for the next one, where it would have taken more: then each
    /// choice was made anew, which takes longer.
    pub chosen_anew: Option<usize>,
}

/// What can be done in the time that was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Easier {
    Level(Level),
    Depth(u8),
    /// Nothing: it needs more time.
    Time(Duration),
}

/// Why growth failed.
#[derive(Debug, Error)]
pub enum GrowError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("nothing can be grown from '{0}': the game is over there")]
    Over(GrowStart),
    /// No book holds such a board.
    #[error(
        "nothing can be grown from '{start}': no disc on {square}, expected discs on the four \
         center squares"
    )]
    NoCentre {
        /// Where growth was to start.
        start: GrowStart,
        square: Square,
    },
    /// A fault in the program.
    #[error(
        "a search of {0} failed because of a fault in rosebill; what was found before is in the book"
    )]
    Panic(String),
    #[error(transparent)]
    Evaluator(WeightsError),
    #[error("cannot start the searching threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error(transparent)]
    Crew(CrewError),
}
