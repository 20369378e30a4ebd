//! One function for each thing that a user can ask for; nothing here prints.

pub mod bench;
mod clock;
pub mod contest;
pub mod convert;
mod engine;
pub mod export;
mod grow;
pub mod import;
mod lines;
mod merge;
mod prune;
mod show;
pub mod snapshot;
mod starter;
mod stats;
pub mod train;

pub use clock::{this_second, today};
pub use engine::{EngineError, Question, Task, TaskResult, read_questions, run_task};
pub use grow::{
    Depth, Ended, GamesError, GrowError, GrowOptions, GrowStatus, GrowSummary, Taken, grow,
    next_leaves, read_game_lines,
};
pub use lines::{BookLine, By, lines};
pub use merge::{MergeReport, merge};
pub use prune::{PruneOptions, plan_prune, prune};
pub use show::{Shown, best_play, move_chances, show};
pub use starter::{StarterError, take_starter};
pub use stats::{LayerStats, SearchedAs, Stats, stats};
