//! One book grown by many machines, against a real `nats-server` and through the real program, with
//! everything that can go wrong. Without `nats-server` each test says loudly that it was left out.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing
#![cfg(all(feature = "fleet", unix))]

mod away;
mod chaos;
mod client;
mod creds;
mod desk;
#[path = "../book/dice.rs"]
mod dice;
mod failures;
mod fakes;
mod faults;
mod fixtures;
mod frames;
mod lies;
mod proxy;
mod secure;
mod server;
mod whole;
