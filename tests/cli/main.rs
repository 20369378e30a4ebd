//! The program as a user runs it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

mod bench;
mod commands;
mod damage;
mod desk;
mod durability;
mod engine;
#[cfg(target_os = "linux")]
mod file_names;
#[cfg(unix)]
mod full_disk;
mod games;
#[cfg(unix)]
mod gone;
mod growth;
mod hints;
mod kill;
mod own_files;
mod positions;
mod prune;
mod readme;
mod snapshots;
mod terminal;
mod undo;
