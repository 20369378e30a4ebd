//! Rules, evaluation and search against known truth.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

mod naive;
mod perft;
mod random;
mod solve_positions;
