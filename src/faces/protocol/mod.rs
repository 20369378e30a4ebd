//! The languages in which programs talk to engines, by lines: NBoard's, GTP and UGI. Lines in, lines out; what
//! is asked for is done by [`crate::app::player`].
//!
//! ```
//! use rosebill::app::player::{Player, PlayerOptions};
//! use rosebill::faces::protocol::gtp::Session;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let player = Player::new(PlayerOptions { table_megabytes: 4, ..PlayerOptions::default() })?;
//! let mut session = Session::new(player, None);
//! assert_eq!(session.answer("1 play black f5"), Some("=1\n\n".to_owned()));
//! assert_eq!(session.answer("gogui-rules_legal_moves"), Some("= F4 D6 F6\n\n".to_owned()));
//! # Ok(())
//! # }
//! ```

pub mod gtp;
mod lines;
pub mod nboard;
mod replies;
mod running;
pub mod ugi;

pub use lines::{Input, Lines, read_lines, read_lines_watched};
pub use replies::Replies;
pub use running::Running;
