//! rosebill grows, keeps, queries and exports Othello opening books.
//!
//! Data flows one way; a module imports only from those before it:
//!
//! ```text
//! one_line, score, unfinished, board -> eval -> search -> book -> store -> formats, games -> ops -> render, cli -> main
//! ```
//!
//! `board` knows the rules, `eval` judges a position, `search` looks ahead, `book` holds the
//! three values and the graph they flow through, `store` keeps them in SQLite, `formats` and
//! `games` read and write files, `ops` does what a user can ask for, and `cli` is its face.
//! `tests/architecture.rs` fails on an import against this order.

pub mod one_line;
pub mod score;
mod unfinished;

pub mod board;

pub mod eval;

pub mod search;

pub mod book;

pub mod store;

pub mod formats;
pub mod games;

pub mod ops;

pub mod cli;
pub mod render;
