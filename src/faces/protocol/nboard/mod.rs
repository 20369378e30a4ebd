//! NBoard's protocol, version 2.

mod command;
mod reply;
mod request;
mod session;
mod worker;

pub use session::{Options, Session, Then, serve};
