//! One function for each thing that a user can ask for; nothing here prints.

pub mod bench;
mod clock;
pub mod contest;
pub mod convert;
mod draw_tree;
mod ending;
mod engine;
pub mod export;
mod folder;
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
mod trust;
mod whole_line;

pub use clock::{this_second, today};
pub use draw_tree::{DrawPosition, DrawTree, draw_tree, is_on_draw_tree};
pub use engine::{EngineError, Question, Task, TaskResult, read_questions, run_task};
pub use grow::{
    Depth, Ended, GamesError, GrowError, GrowOptions, GrowStatus, GrowSummary, Taken, grow,
    next_leaves, read_game_lines,
};
pub use lines::{BookLine, By, lines};
pub use merge::{MergeReport, merge};
pub use prune::{PruneError, PruneOptions, Subtree, check_prune, plan_prune, prune, prune_to};
pub use show::{ShowOptions, Shown, ShownMove, best_play, show};
pub use starter::{StarterError, take_starter};
pub use stats::{LayerStats, SearchedAs, Stats, stats};
pub use trust::{Grade, Trust, expected_error, trust};
