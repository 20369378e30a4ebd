//! Why a game, or a match, does not go on.

use std::time::Duration;

use thiserror::Error;

use crate::store::StoreError;

/// What a player did against the rules: it loses the game by it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    #[error("the program ended{}", last_words.as_ref().map(|words| format!(": {words}")).unwrap_or_default())]
    Ended {
        /// The last line of its standard error.
        last_words: Option<String>,
    },
    #[error("no answer in {} s", .0.as_secs_f64())]
    Silent(Duration),
    #[error("its time ran out")]
    Clock,
    #[error("illegal move '{0}'")]
    Illegal(String),
    #[error("it refused '{command}': {answer}")]
    Refused { command: String, answer: String },
    #[error("it resigned")]
    Resigned,
}

impl Fault {
    /// How the game ended by it, as headers of games say it.
    pub(super) const fn how(&self) -> &'static str {
        match self {
            Self::Clock => "time",
            Self::Resigned => "resigned",
            _ => "forfeit",
        }
    }
}

/// Why there is no move.
#[derive(Debug)]
pub(super) enum NoMove {
    /// The match was stopped.
    Stopped,
    Fault(Fault),
    Failed(MatchError),
}

impl From<Fault> for NoMove {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<StoreError> for NoMove {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub(crate) enum MatchError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("'{engine}' cannot be started: {why}")]
    Start { engine: String, why: String },
    #[error("an engine of GTP cannot play from another board: expected openings that are moves")]
    Board,
}
