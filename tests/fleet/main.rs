//! One book grown by many machines, against a real `nats-server` and through the real program, with
//! everything that can go wrong. Without `nats-server` each test says loudly that it was left out.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing
#![cfg(unix)]

mod client;
mod fixtures;
mod frames;
mod proxy;
mod server;
mod whole;
