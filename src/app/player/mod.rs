//! Rosebill as a player: what the faces share that play, give hints and explain a game.
//!
//! ```
//! use rosebill::app::player::{GameInPlay, Pace, Player, PlayerOptions};
//! use rosebill::othello::score::Score;
//! use rosebill::othello::search::{Level, Stop};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut player = Player::new(PlayerOptions { table_megabytes: 4, ..PlayerOptions::default() })?;
//! let mut game = GameInPlay::default();
//! game.play("f5".parse()?)?;
//! let pace = Pace { level: Level::new(4), time: None, nodes: None };
//! let choice = player.choose(&game, &pace, Score::ZERO, &Stop::new(), &mut |_| ())?;
//! game.play(choice.square.ok_or("White can move")?)?;
//! assert_eq!(game.plies().len(), 2);
//! # Ok(())
//! # }
//! ```

mod book_moves;
mod choose;
mod clock;
mod game_counts;
mod game_in_play;
mod hints;
mod learn;
mod pace;
mod person;
mod values_along;

#[cfg(feature = "workshop")]
pub(crate) use book_moves::book_moves;
pub use choose::{Choice, Reason, Thought};
pub(crate) use clock::LONGEST_TIME;
pub use clock::{Clock, Period, TimeControl, TimeControlError};
pub use game_in_play::{GameInPlay, Ply};
pub(crate) use hints::{BookHint, Hint, KnownMoves, Surety, with_passes};
pub use learn::{LearnError, Learning};
pub use pace::{Pace, USUAL_TIME};
pub use person::{Player, PlayerError, PlayerOptions};
