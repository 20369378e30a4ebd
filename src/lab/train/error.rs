//! How training fails.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::games::wthor::WthorError;
use crate::othello::board::ObfError;
use crate::othello::eval::train::FitError;
use crate::othello::eval::weights::WeightsError;

/// A step of the training that failed.
#[derive(Debug, Error)]
pub(crate) enum TrainError {
    #[error("{}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{}", path.display())]
    Games { path: PathBuf, source: WthorError },
    #[error("{}", path.display())]
    Positions { path: PathBuf, source: ObfError },
    #[error("{}, line {line}: {what}", path.display())]
    Table {
        path: PathBuf,
        /// From 1.
        line: usize,
        what: String,
    },
    #[error("nothing to learn from: no position of the games and labels given has a known value")]
    NoSamples,
    #[error("no game in {}: expected files of games (*.wtb, or our own) or folders of them", listed(.0))]
    NoGames(Vec<PathBuf>),
    #[error("no game was found that reaches {0} discs: expected longer games, or more empties")]
    NoneReaches(u8),
    #[error("{}: expected weights for the patterns and scalars of the spec {spec}", path.display())]
    Start { path: PathBuf, spec: String },
    #[error("no position has {0} to {1} discs: expected 4 to 63, the lower number first")]
    Discs(u8, u8),
    #[error("stopped before its end")]
    Stopped,
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    Fit(#[from] FitError),
}

fn listed(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no files".to_owned();
    }
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
