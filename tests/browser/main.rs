//! The explorer as people use it, in headless Chromium: found by roles and labels, as a screen reader
//! finds it. Without Chromium and its driver each test says loudly that it was left out.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

mod access;
mod club;
mod editing;
mod filters;
mod finding;
mod live;
mod page;
mod phone;
mod picture;
mod server;
mod sides;
mod sizes;
mod ties;
mod training;
mod visits;
