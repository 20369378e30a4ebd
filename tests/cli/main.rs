//! The program as a user runs it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

#[cfg(unix)]
mod alone;
mod analyze;
mod bench;
mod boards;
mod commands;
mod damage;
mod desk;
#[path = "../book/dice.rs"]
mod dice;
mod diff;
mod discover;
mod dry_run;
mod durability;
mod engine;
mod facts;
#[cfg(target_os = "linux")]
mod file_names;
#[cfg(unix)]
mod full_disk;
mod games;
mod games_carry;
mod games_choice;
mod games_export;
#[cfg(unix)]
mod gone;
#[path = "../book/graphs.rs"]
mod graphs;
mod growth;
mod held;
mod hints;
mod history;
mod kill;
mod kill_analyze;
mod kill_facts;
mod kill_games;
#[cfg(unix)]
mod kill_starts;
#[cfg(unix)]
mod logs;
mod match_engines;
mod matches;
mod openings;
mod own_files;
mod pictures;
mod players;
mod positions;
mod prune;
#[path = "../book/random_games.rs"]
mod random_games;
mod readme;
mod snapshots;
mod strange_rows;
mod terminal;
mod train;
mod typed;
mod undo;
mod version;
