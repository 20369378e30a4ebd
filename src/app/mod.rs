//! One function for each thing that a user can ask for; nothing here prints.

#[cfg(feature = "cli")]
pub(crate) mod amounts;
pub mod analysis;
mod answer;
mod book_file;
mod bytes;
mod change;
mod clock;
mod complete;
pub mod convert;
mod diff;
pub mod discover;
pub(crate) mod engine;
pub mod export;
mod facts;
pub mod games;
pub(crate) mod grow;
mod grower;
mod history;
pub mod import;
pub(crate) mod json;
mod live_search;
mod merge;
pub(crate) mod output;
pub mod pasted;
pub mod player;
mod propagate;
mod prune;
mod restore;
mod salvage;
mod same_file;
mod saved_games;
mod saved_state;
mod search_missing;
mod searched_by;
mod show;
pub mod snapshot;
mod starter;
mod stats;
mod summed;
mod undo;
mod verify;
mod whole_line;
mod within;

pub(crate) use answer::{Answer, Engine};
pub use book_file::BookFile;
pub use change::ChangeError;
pub(crate) use change::{Removed, judge_position, remove_position, remove_source, removed_with};
pub(crate) use clock::{time_of_day, today};
pub use complete::Completion;
pub use diff::{BookDiff, ChangedPosition, DiffPlace, LayerDiff, MoveSizes, Said, SinglePosition};
pub(crate) use diff::{DiffOptions, diff};
pub(crate) use engine::{Question, Task, TaskProgress, TaskResult, read_questions};
pub(crate) use facts::proven_here;
pub use facts::{FactReport, ProvenHere, RefusedFact};
pub use grow::{
    Assignment, Candidate, Claim, Contact, Crew, CrewError, CrewStatus, DEFAULT_LEVEL, Depth, Done,
    EarlierWork, Easier, Ended, GamesError, GrowError, GrowOptions, GrowStart, GrowStatus,
    GrowSummary, PlayedGames, PolicyError, PolicyNeed, PolicySpec, Refusal, Report, Searching,
    Spent, Spot, SpotResult, Taken, Target, Work, grow, grow_with, next_leaves, run_work,
};
pub(crate) use grow::{
    BookLevel, DEFAULT_TABLE_MEGABYTES, PolicyOption, RaisePlan, Refused, Threads, check_starts,
    plan_raise, read_game_lines,
};
pub use grower::{GrowRequest, Grower, GrowerError, GrowerState, GrowthEnd};
pub(crate) use history::history;
pub use history::{PastPosition, PositionHistory};
pub(crate) use live_search::{LiveStep, deepen};
pub use merge::{MergeError, MergeReport, merge, merge_files};
pub(crate) use merge::{merge_into, try_merge};
pub(crate) use propagate::{Propagated, propagate};
pub use prune::{
    PruneError, PruneOptions, Subtree, check_prune, compact, plan_prune, prune, prune_book,
    prune_to,
};
pub use restore::{restore, restore_file};
pub use salvage::{SalvageError, SalvageReport, salvage_to};
pub(crate) use saved_games::{SaveError, SavedGames};
pub(crate) use search_missing::{missing_on, search_missing, weighed};
pub use show::{ShowOptions, Shown, ShownMove, show};
pub(crate) use show::{best_play, is_transposition, line_in_book, source_of};
pub use starter::{StarterError, take_starter};
pub(crate) use starter::{new_book, open_or_begin, starter_positions, unpacked_starter};
pub(crate) use stats::{Stats, stats, value_of_start};
pub use undo::{redo, undo};
pub use verify::{Verified, verify};

// What faces print, or hand in, of the floors below: plain data, and a book that is only read.
pub(crate) use crate::files::kind::FileKind;
pub use crate::openbook::draw_tree::{DrawPosition, DrawTree, draw_tree};
pub(crate) use crate::openbook::error_to_expect;
pub use crate::openbook::held_move::HeldMove;
pub use crate::openbook::lines::{BookLine, By, LineTerms, lines};
pub use crate::openbook::propagate::LessSure;
pub(crate) use crate::openbook::regret::parse_loss;
pub use crate::openbook::regret::{BadLossLimit, LossLimit, Regret, RegretLimits};
pub(crate) use crate::openbook::thin::thin_lines;
pub(crate) use crate::openbook::trust::expected_error;
pub use crate::openbook::trust::{Grade, Sure, Trust};
pub use crate::openbook::verify::Violation;
pub use crate::openbook::{
    BookMove, Bounds, Evidence, Judgement, MoveKind, Searched, Source, Values,
};
pub(crate) use crate::store::book_beside;
pub use crate::store::{
    Book, Durability, HistoryViolation, Reader, Run, StoreError, UndoEntry, UndoViolation,
    saved_path,
};
