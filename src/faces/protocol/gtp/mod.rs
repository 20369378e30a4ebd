//! GTP, version 2, with what GoGui asks of games other than Go.

mod command;
mod gogui;
mod running;
mod session;

pub use running::Running;
pub use session::{Session, serve};
