//! Our own book as JSON Lines: complete, readable, deterministic.
//!
//! The first line is a header: format, version, number of positions, sources. Each further line is
//! a node, in the order of discs and then of keys. `board` shows the side to move as `X`; scores
//! are discs for the side to move. `links` and `values` follow from the other fields: a reader
//! recomputes them.
//!
//! `values` are with facts, beside `searched_values` where these are others. `rest`, `depth`, `selectivity` and
//! `source` are the search that answers for the moves which are no links. Where that is not all that is kept,
//! `records` are all searches, the greatest first, each with the moves that it left out; `bounds` what was proven
//! beyond them, and `judgement` what a person said. `evidence`, in discs, `held` and `search_due` follow from the rest, as
//! `values` do. After the nodes come a line of bounds for each position that is no node, and one for each fact.
//!
//! Versions 1 and 2 (with facts) know links and rests alone: each search left out what is a link.

mod book;
mod lines;
mod reader;
mod writer;

pub(super) use book::JsonBook;
pub(crate) use book::is_our_book;
pub(super) use book::known_from_facts;
pub use reader::JsonReader;
