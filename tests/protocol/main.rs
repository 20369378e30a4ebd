//! Rosebill as an engine of other programs, and as an opponent in the terminal.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

#[path = "../cli/desk.rs"]
#[allow(dead_code)]
mod desk;
#[path = "../book/dice.rs"]
mod dice;
mod engine;
mod games;
mod gogui;
mod gtp;
mod nboard;
mod nboard_learn;
mod pings;
mod play;
mod talk;
mod ugi;
