//! GTP, version 2, with what GoGui asks of games other than Go.

mod command;
mod gogui;
mod session;

pub use command::is_interrupt;
pub use session::{Session, serve};
