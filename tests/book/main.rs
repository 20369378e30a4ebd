//! The graph of a book, its store, and what is done to a whole book.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

mod analysis;
mod analysis_carry;
mod analysis_wthor;
mod crew;
mod deeper;
mod dice;
mod discover;
mod edits;
mod evidence;
mod facts;
mod frontier;
mod games;
mod games_carry;
mod games_check;
mod games_salvage;
mod graph;
mod graphs;
mod grow;
mod grower;
mod in_flight;
mod kept;
mod losses;
mod ops;
mod policies;
mod random_games;
mod store;
mod store_damage;
mod store_graph;
mod store_parallel;
mod tables;
