//! What an analysis is asked for, its events on the way, and its result.

use std::time::Duration;

use thiserror::Error;

use crate::app::games::FilterError;
use crate::app::{DEFAULT_LEVEL, DEFAULT_TABLE_MEGABYTES};
use crate::files::games::Game;
use crate::othello::eval::EvaluatorError;
use crate::othello::search::{Level, Limits, Selectivity, Stop};
use crate::store::{GameId, StoreError};

use super::analysed_game::AnalysedGame;

/// From so many empties on values are exact, unless something else is said.
pub(crate) const DEFAULT_EXACT_FROM: u8 = 20;

/// How games are analysed.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// How deep positions are searched that are not solved.
    pub level: Level,
    /// Positions with so many empties or fewer are solved.
    pub exact_from: u8,
    /// The longest time that the searches of one game take together.
    pub time: Option<Duration>,
    /// How many positions are searched at once.
    pub threads: usize,
    /// MiB of transposition table for each thread.
    pub table_megabytes: usize,
    pub stop: Stop,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            level: DEFAULT_LEVEL,
            exact_from: DEFAULT_EXACT_FROM,
            time: None,
            threads: 1,
            table_megabytes: DEFAULT_TABLE_MEGABYTES,
            stop: Stop::new(),
        }
    }
}

impl AnalysisOptions {
    /// What is asked of a position with so many empties.
    pub fn limits(&self, empties: u8) -> Limits {
        if empties <= self.exact_from {
            return Limits::depth(empties, Selectivity::FULL);
        }
        let limits = Limits::level(self.level, empties);
        // Without any ply every move would be worth the same.
        Limits { depth: limits.depth.max(1), ..limits }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct GameToAnalyse {
    pub game: Game,
    /// Its number in the game database, where it is from there.
    pub id: Option<GameId>,
}

/// An event of an analysis.
#[derive(Debug)]
pub enum AnalysisEvent<'a> {
    /// A game is begun: it has all but the values of its moves.
    Begun(&'a AnalysedGame),
    /// The value of the move with this index became known, or will not be known.
    Move(&'a AnalysedGame, usize),
    /// A game is done; games come in their order.
    Game(&'a AnalysedGame),
    /// How far it has come, a few times a second.
    Progress(&'a AnalysisSummary),
}

/// What became of what was found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Stored {
    /// All of it is in the book, or nothing was to be stored.
    #[default]
    All,
    NoBook,
    /// Some is not in the book: how many positions, and why.
    Not {
        /// Positions that will be searched again.
        positions: u64,
        /// Why, in a few words.
        why: String,
    },
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AnalysisSummary {
    pub games: u64,
    /// Moves of these games.
    pub moves: u64,
    /// Positions that were searched.
    pub searched: u64,
    /// Positions visited by the searches.
    pub nodes: u64,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// What became of what was found.
    pub stored: Stored,
}

/// Why an analysis ended before its time.
#[derive(Debug, Error)]
pub enum AnalysisError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Filter(#[from] FilterError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("the search of position {0} failed: please report it")]
    Panic(String),
    #[error("cannot write {file}")]
    File {
        file: String,
        #[source]
        error: std::io::Error,
    },
    #[error("cannot write the results")]
    Output(#[from] std::io::Error),
}
