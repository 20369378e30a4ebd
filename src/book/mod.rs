//! The book as values and graph, without any storage.

pub(crate) mod edit;
mod fold;
mod graph;
mod layer;
mod memory;
pub mod merge;
mod move_mask;
mod moves;
mod node;
pub mod policy;
pub mod propagate;
pub mod regret;
mod source;
mod values;
pub mod verify;

pub use edit::{Inserted, NodeError, check_node};
pub use fold::Legacy;
pub use graph::{BookMove, MoveKind, NodeSource, NodeStore, NodeView, child_of, line_from};
pub use layer::{LayerValues, deepest_first};
pub use memory::MemoryBook;
pub use move_mask::MoveMask;
pub use moves::{Link, NodeMove, ReadOnce, links_of};
pub use node::{Node, Rest, Searched};
pub use propagate::{UNKNOWN, node_values, values_with_rest};
pub use source::{Source, SourceId};
pub use values::{PROVEN_BONUS, Values};
