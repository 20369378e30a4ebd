//! Looking ahead: a position, excluded moves, limits and an evaluator in, a result out.
//!
//! ```
//! use rosebill::othello::board::Line;
//! use rosebill::othello::eval::by_name;
//! use rosebill::othello::search::{AnySearcher, Goal, Limits, Proof, Selectivity, Stop};
//!
//! // A searcher has one evaluator and, here, a transposition table of 16 MiB.
//! let mut searcher = AnySearcher::new(by_name("rosebill")?, 16);
//! let line: Line = "f5d6c3d3c4".parse()?;
//! let position = line.board().position;
//!
//! // Eight plies ahead at full width; no move is excluded, and nothing stops the search.
//! let limits = Limits::depth(8, Selectivity::FULL);
//! let outcome = searcher.search(position, 0, &limits, &Stop::new());
//! let best = outcome.best.ok_or("there is no move")?;
//! println!("{best} {} for the side to move", outcome.score);
//! assert_eq!((outcome.depth, outcome.line[0]), (8, best));
//!
//! // The best of the other moves, then every move by itself.
//! let next = searcher.search(position, best.bit(), &limits, &Stop::new());
//! assert!(next.best != Some(best) && next.score <= outcome.score);
//! let all = searcher.all_moves(position, &Limits::depth(4, Selectivity::FULL), &Stop::new());
//! assert_eq!(all.len(), position.legal_moves().len());
//!
//! // Near the end a score can be proven.
//! let end = rosebill::othello::board::parse_board(
//!     "-XXXXXXX--XXOOOO-OXOXXOOOXXOXOOOXXOXXOOOXXXXOOOOX-XXOOOO--XXXXXX O",
//! )?;
//! let outcome = searcher.search(end.position, 0, &Limits::solve(Goal::Score), &Stop::new());
//! assert_eq!(outcome.proof, Proof::Exact);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_searcher;
mod confidence;
mod context;
mod cpu_time;
mod depth;
mod endgame;
mod huge_pages;
mod last_empties;
mod last_moves;
#[cfg(feature = "workshop")]
mod leaf;
mod limits;
mod midgame;
mod near;
mod node;
mod ordering;
mod outcome;
mod plain;
pub(super) mod probcut;
#[cfg(feature = "workshop")]
pub mod probcut_fit;
mod root;
mod searcher;
mod shallow;
mod share;
mod shared_node;
mod stop;
mod table;
mod team;
mod watch;

#[cfg(test)]
mod tests;

pub use any_searcher::AnySearcher;
pub use confidence::{Chances, chances};
pub(crate) use confidence::{
    ErrorCurve, SearchError, chance_above, fit_error_curve, standard_error,
};
pub use cpu_time::CpuTime;
pub(crate) use cpu_time::ThreadTime;
pub use depth::Depth;
#[cfg(feature = "workshop")]
pub use leaf::Leaf;
#[cfg(feature = "workshop")]
pub(crate) use leaf::deciding_leaf;
pub use limits::{Goal, Level, LevelError, Limits, Selectivity, SelectivityError};
pub use ordering::{MoveOrdering, MoveOrderingError};
pub use outcome::{MoveScore, Outcome, Proof};
pub use plain::PlainSearcher;
pub use searcher::Searcher;
pub use stop::Stop;
pub use watch::{Progress, Watch};
