//! The explorer's server: the program itself on a free port, asked over HTTP.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing
#![cfg(all(feature = "web", unix))]

mod answers;
#[allow(dead_code)]
#[path = "../cli/desk.rs"]
mod desk;
#[path = "../book/dice.rs"]
mod dice;
mod edit;
mod engines;
mod errors;
mod follows;
mod guard;
mod site;
