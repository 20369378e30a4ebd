//! What the moves of games are worth, and what they cost.

mod analysed_game;
mod analysed_move;
mod carry;
mod commented;
mod frame;
mod input;
mod job;
mod keeper;
mod knowledge;
mod losses;
mod nodes;
mod phase;
mod run;
mod sums;
mod terms;

pub use analysed_game::{AnalysedGame, OtherGame};
pub use analysed_move::{AnalysedMove, Known, MoveValue, Turn, Winner};
pub(super) use carry::{merge_analyses, salvage_analyses};
pub(crate) use commented::CommentedPgn;
pub(crate) use input::{FileGames, numbered_games, stored_games};
pub use losses::{LossGroup, LossOptions, LossReport, LossYear, Recurring, losses};
pub use phase::Phase;
pub use run::{AnalysisBook, analyse_games};
pub use sums::{LossSum, SideSums};
pub(crate) use terms::DEFAULT_EXACT_FROM;
pub use terms::{
    AnalysisError, AnalysisEvent, AnalysisOptions, AnalysisSummary, GameToAnalyse, Stored,
};

// What faces print of the floor below.
pub use crate::store::{AnalysisReport, AnalysisViolation};
