//! The books of other engines.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

mod cli;
mod cross;
mod edax;
mod egaroucid;
mod import;
mod input;
mod min_level;
mod ntest;
mod zebra;
