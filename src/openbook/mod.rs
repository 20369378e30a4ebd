//! The book as values and graph, without any storage.
//!
//! A node has links, the moves to other nodes, and a record: the best move that its own search found, with
//! its score. Links count where they are as sure as the record; its values are the maximum of those that count
//! and of the record while that is valid, and flow up from where something changes:
//!
//! ```
//! use rosebill::othello::board::{Key, Line, Position};
//! use rosebill::openbook::{MemoryBook, NodeSource, Rest, Searched, SourceId};
//! use rosebill::othello::score::Score;
//! use rosebill::othello::search::{Proof, Selectivity};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let searched = Searched { depth: 12, selectivity: Selectivity::FULL, source: SourceId(0) };
//! let rest = |key: Key, discs, proof| {
//!     let square = key.position().legal_moves().next();
//!     Some(Rest { square, score: Score::from_discs(discs), proof })
//! };
//! let start = Key::of(Position::START);
//! let after_f5 = Key::of("f5".parse::<Line>()?.board().position);
//! let mut book = MemoryBook::new();
//!
//! // All four first moves lead to one position. With that in the book they are links of the start,
//! // and no other move is left for its rest.
//! book.insert(start, rest(start, 0, Proof::None), searched)?;
//! book.insert(after_f5, rest(after_f5, 2, Proof::None), searched)?;
//! book.settle();
//! let Ok(Some(node)) = book.node(&start) else { return Err("the start is missing".into()) };
//! assert_eq!((node.links.len(), node.rest()), (4, None));
//!
//! // What is worth two discs to White then is worth two less to Black now.
//! assert_eq!(node.values.guess, Score::from_discs(-2));
//!
//! // What is proven then is proven now: the start changes, too.
//! book.set_rest(after_f5, rest(after_f5, 0, Proof::Exact), searched)?;
//! assert_eq!(book.settle(), 1);
//! let Ok(Some(node)) = book.node(&start) else { return Err("the start is missing".into()) };
//! assert!(node.values.is_exact());
//! # Ok(())
//! # }
//! ```

mod bounds;
mod derive;
pub(crate) mod draw_tree;
pub(crate) mod edit;
pub(crate) mod ending;
mod evidence;
pub mod facts;
mod fold;
mod graph;
pub(crate) mod held_move;
mod hint;
mod layer;
mod line_ends;
pub(crate) mod lines;
mod memory;
mod move_mask;
mod moves;
mod node;
pub mod policy;
pub mod propagate;
mod raise;
mod record;
pub mod regret;
mod source;
pub(crate) mod thin;
pub(crate) mod trust;
mod values;
pub mod verify;
mod view;
pub(crate) mod way;

pub use bounds::Bounds;
pub(crate) use derive::{Child, Derived, holding_record, is_best_move};
pub(crate) use derive::{Deriver, Leads};
pub(crate) use edit::check_node;
pub use edit::{Found, Inserted, NodeError};
pub use evidence::Evidence;
pub(crate) use evidence::error_to_expect;
pub use facts::WithFacts;
pub(crate) use fold::Legacy;
pub(crate) use graph::{Link, NodeStore, links_of, links_once};
pub use graph::{NodeSource, child_of, line_from};
pub use hint::Hint;
pub(crate) use layer::{LayerValues, deepest_first};
pub use line_ends::LineEnds;
pub use memory::MemoryBook;
pub use move_mask::MoveMask;
pub use moves::{MoveKind, NodeMove};
pub(crate) use moves::{ReadOnce, end_of_best_line};
pub use node::Node;
pub(crate) use raise::raising_depth;
pub use record::{Held, Judgement, Record, Rest, Searched, SourceOrder, SourcedBounds, strength};
pub use source::{Source, SourceId};
pub(crate) use values::PROVEN_BONUS;
pub use values::{UNKNOWN, Values};
pub use view::{BookMove, NodeView};
