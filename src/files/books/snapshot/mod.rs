//! Snapshots: a whole book of ours in a few bytes a position.
//!
//! Nearly no key is stored. Layer by layer, in the order of the store, each node has one bit for
//! each legal move that says whether it leads to another node; the keys of the next layer follow
//! from these, and only nodes that no other leads to are written out. Values are not stored either:
//! they follow from the searches. These are stored column by column, each layer compressed by
//! zstd and guarded by a checksum.
//!
//! ```text
//! "RSBLSNAP"  version u32                         all numbers little-endian
//! header      length u32, checksum u32, zstd of JSON
//! original    length u32, checksum u32, zstd: an imported file, for each that the header names
//! facts       length u32, checksum u32, zstd of the facts, if the header counts any
//! held        length u32, checksum u32, zstd of JSON: what is kept beside searches, if the header counts any
//! layer       discs u8, nodes u32, written keys u32, raw u32, packed u32, checksum u32, zstd of:
//!             written keys 16 bytes each; link bits of all nodes; of all nodes a bit for each move that
//!             is a link or was left out of the search, but not both; then one byte for each node:
//!             rest (index of the move, 254 a value without a move, 255 none), depth, selectivity;
//!             source u32 for each node, byte planes; for each rest: proof, score low, score high
//! end         255 u8, nodes u64
//! ```
//!
//! Versions 1 to 3 have no held part, and no bits of what searches left out: that was what is a link.

mod bits;
mod header;
mod layer;
mod packed_held;
mod parts;
mod reader;
mod writer;

pub use header::SnapshotHeader;
pub(crate) use header::begins_as_snapshot;
pub use layer::SnapshotNode;
pub use parts::SnapshotError;
pub use reader::SnapshotReader;
pub(crate) use writer::SnapshotWriter;
