//! GTP, version 2, with what GoGui asks of games other than Go.

mod command;
mod session;

pub use session::{Session, serve};
