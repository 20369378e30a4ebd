//! The game itself: the rules, what a position is worth, and looking ahead.
//!
//! `board` knows the rules and all ways to write a position, `eval` judges one, `search` looks ahead; with
//! [`score`] they are of use without any book, and import nothing of ours. The rest are helpers that they need.
//! Begin reading with [`board::Position`], [`eval::Evaluator`] and [`search::Searcher`].

pub mod board;
pub mod eval;
pub mod score;
pub mod search;

pub(crate) mod lock;
pub(crate) mod one_line;
pub(crate) mod program;
pub(crate) mod random;
pub(crate) mod system_error;
pub(crate) mod text_lines;
pub(crate) mod whole_file;
