//! One function for each thing that a user can ask for; nothing here prints.

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
mod draw_tree;
mod ending;
pub(crate) mod engine;
pub mod export;
mod facts;
mod file_kind;
pub mod games;
pub(crate) mod grow;
mod grower;
mod held_move;
mod history;
pub mod import;
mod lines;
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
mod thin;
mod trust;
mod undo;
mod verify;
mod way;
mod whole_line;
mod within;

pub use answer::Engine;
pub use book_file::BookFile;
pub use change::{
    ChangeError, Removed, judge_position, remove_position, remove_source, removed_with,
};
pub use clock::{this_second, today};
pub use complete::Completion;
pub use diff::{
    BookDiff, ChangedPosition, DiffOptions, DiffPlace, LayerDiff, MoveSizes, Said, SinglePosition,
    diff,
};
pub use draw_tree::{DrawPosition, DrawTree, draw_tree, is_on_draw_tree};
pub use engine::{EngineError, Question, Task, TaskResult, read_questions};
pub use facts::{FactReport, ProvenHere, RefusedFact, proven_here};
pub use file_kind::FileKind;
pub use grow::{
    Assignment, BookLevel, Candidate, Claim, Contact, Crew, CrewError, CrewStatus, DEFAULT_LEVEL,
    DEFAULT_TABLE_MEGABYTES, Depth, Done, EarlierWork, Easier, Ended, GamesError, GrowError,
    GrowOptions, GrowStart, GrowStatus, GrowSummary, PolicyError, PolicyName, PolicyNeed,
    PolicyRequest, RaisePlan, Refusal, Refused, Report, Searching, Spent, Spot, SpotResult, Taken,
    Target, Threads, Work, check_starts, grow, grow_with, next_leaves, plan_raise, read_game_lines,
    run_work,
};
pub use grower::{GrowRequest, Grower, GrowerError, GrowerState, GrowthEnd};
pub use held_move::HeldMove;
pub use history::{PastPosition, PositionHistory, history};
pub use lines::{BookLine, By, LineTerms, lines};
pub use live_search::{LiveStep, deepen};
pub use merge::{MergeError, MergeReport, merge, merge_files, try_merge};
pub use propagate::{Propagated, propagate};
pub use prune::{
    PruneError, PruneOptions, Subtree, check_prune, compact, plan_prune, prune, prune_book,
    prune_to,
};
pub use restore::{restore, restore_file};
pub use salvage::{SalvageError, SalvageReport, salvage_to};
pub use saved_games::{SaveError, SavedGames};
pub use search_missing::{missing_on, search_missing, weighed};
pub use show::{
    ShowOptions, Shown, ShownMove, best_play, is_transposition, line_in_book, show, source_of,
};
pub use starter::{StarterError, new_book, open_or_begin, starter_positions, take_starter};
pub use stats::{LayerStats, SearchedAs, Stats, stats, value_of_start};
pub use thin::thin_lines;
pub use trust::{Grade, Sure, Trust, expected_error};
pub use undo::{redo, undo};
pub use verify::{Verified, verify};

// What faces print, or hand in, of the floors below: plain data, and a book that is only read.
pub use crate::openbook::propagate::LessSure;
pub use crate::openbook::regret::{BadLossLimit, LossLimit, Regret, RegretLimits, parse_loss};
pub use crate::openbook::verify::Violation;
pub use crate::openbook::{
    BookMove, Bounds, Evidence, Judgement, MoveKind, Searched, Source, Values,
};
pub use crate::store::{
    Book, Durability, HistoryViolation, Reader, Run, StoreError, UndoEntry, UndoViolation,
    book_beside, saved_path,
};
