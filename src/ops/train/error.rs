//! How training fails.

use std::path::PathBuf;

use thiserror::Error;

use crate::board::ObfError;
use crate::eval::train::FitError;
use crate::eval::weights::WeightsError;
use crate::games::wthor::WthorError;

/// A step of the training that failed.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file cannot be read or written.
    #[error("{}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A game file is damaged.
    #[error("{}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: WthorError,
    },
    /// A file of positions is damaged.
    #[error("{}", path.display())]
    Positions {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ObfError,
    },
    /// A table of positions with values is damaged.
    #[error("{}, line {line}: {what}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Nothing to learn from.
    #[error("nothing to learn from: no position of the games and labels given has a known value")]
    NoSamples,
    /// No game to take positions from.
    #[error("no game in {}: expected files of games (*.wtb, or our own) or folders of them", listed(.0))]
    NoGames(Vec<PathBuf>),
    /// Games that all end before so many discs are on the board.
    #[error("no game was found that reaches {0} discs: expected longer games, or more empties")]
    NoneReaches(u8),
    /// Weights to start from that are for other patterns.
    #[error("{}: expected weights for the patterns and scalars of the spec {spec}", path.display())]
    Start {
        /// Their file.
        path: PathBuf,
        /// The name of the spec.
        spec: String,
    },
    /// A range of discs that holds none.
    #[error("no position has {0} to {1} discs: expected 4 to 63, the lower number first")]
    Discs(u8, u8),
    /// It was to stop.
    #[error("stopped before its end")]
    Stopped,
    /// Weights cannot be read or written.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The fit gave no weights.
    #[error(transparent)]
    Fit(#[from] FitError),
}

fn listed(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no files".to_owned();
    }
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
