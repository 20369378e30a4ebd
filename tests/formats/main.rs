//! The books of other engines.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

mod back;
mod checkers;
mod cli;
mod cross;
#[path = "../book/dice.rs"]
mod dice;
mod edax;
mod edax_books;
mod edax_rules;
mod egaroucid;
mod egaroucid_books;
mod egaroucid_rules;
mod exports;
mod game_dialects;
mod games;
#[path = "../book/graphs.rs"]
mod graphs;
mod hostile;
mod import;
mod import_stopped;
mod input;
mod made;
mod min_level;
mod ntest;
mod ntest_rules;
mod odd;
mod packed;
mod shared;
mod shelf;
mod zebra;
mod zebra_bytes;
mod zebra_export;
mod zebra_rules;
