//! What people and other programs see: the command line, the explorer, NBoard and GTP, and guides to all of it.
//!
//! A face parses and prints; [`app`](crate::app) does. [`render`] turns what `app` reports into text, pictures and
//! JSON for all of them. Begin reading with `cli`, one file for each command.

#[cfg(feature = "cli")]
pub(crate) mod cli;
#[cfg(feature = "cli")]
pub(crate) mod figures;
#[cfg(any(feature = "cli", feature = "web"))]
pub(crate) mod guides;
pub mod protocol;
pub mod render;
#[cfg(feature = "web")]
pub mod web;
