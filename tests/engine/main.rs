//! Rules, evaluation and search against known truth.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

mod perft;
mod solve_positions;
