//! Games: files in all formats, replay, identity, and names of openings.
//!
//! ```
//! use rosebill::files::games::{self, GameFormat, Identity, ReadOptions};
//!
//! let text = "one 25-39 two : f5d6c3\nc4e3f6\nf5a1\n";
//! let reader = games::read(text.as_bytes(), "club.txt", &ReadOptions::default())?;
//! let (games, refused): (Vec<_>, Vec<_>) = reader.partition(Result::is_ok);
//! let games: Vec<_> = games.into_iter().flatten().map(|read| read.game).collect();
//!
//! // A bad game costs itself only.
//! let refused: Vec<_> = refused.into_iter().filter_map(Result::err).collect();
//! assert_eq!(
//!     refused[0].to_string(),
//!     "club.txt:3 (game 3): move 2 \"a1\": turns no disc; expected one of f4 d6 f6 (white)"
//! );
//! // The first two are one line in two orientations.
//! assert_eq!(games[0].black.name.as_deref(), Some("one"));
//! assert_eq!(Identity::of(&games[0]), Identity::of(&games[1]));
//!
//! let mut pgn = Vec::new();
//! let written = games::write(GameFormat::Pgn, &games, &mut pgn)?;
//! assert_eq!(written.games, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asked;
mod asked_name;
mod brackets;
mod date;
mod defect;
mod draft;
mod format;
mod game;
mod ggf;
mod identity;
mod json;
mod lines;
mod loss;
mod move_text;
mod name_words;
mod names;
mod opening_language;
mod opening_letters;
mod opening_list;
mod outline;
mod packed;
mod pgn;
mod positions;
mod reader;
mod replay;
mod result_words;
mod richer;
mod sgf;
mod sniff;
mod spelled;
mod start_board;
mod stated;
mod stated_text;
mod table;
#[cfg(test)]
mod testing;
mod transcript;
mod writer;
mod writing;
pub mod wthor;

pub(crate) use crate::files::charset::text_of;
pub use crate::othello::board::Identity;
pub use asked::{Asked, AskedError};
pub(crate) use asked_name::AskedName;
pub use date::Date;
pub use defect::{Defect, Note, Place, Why};
pub use format::GameFormat;
pub use game::{Game, GameResult, Player, Theoretical};
pub(crate) use ggf::ggf_move;
pub use identity::same_game;
pub(crate) use identity::{differs_in_detail, facts_number, is_telling, same_facts};
pub use loss::{Loss, Losses};
pub use name_words::folded_name;
pub use names::NameError;
pub(crate) use names::{
    find_openings, find_openings_in, find_openings_nearest_first, similar_names,
};
pub use opening_language::Language;
pub use opening_list::Opening;
pub(crate) use opening_list::{
    opening_name, opening_of_line, openings, openings_along, openings_in,
};
pub(crate) use outline::Outline;
pub(crate) use packed::unpack_at_most;
pub(crate) use pgn::commented_pgn;
pub(crate) use positions::{one_position, read_positions};
pub use reader::{GameReader, OpenError, ReadGame, ReadOptions, open, read};
pub(crate) use replay::replay;
pub use replay::{Entry, MoveError, MoveFault, Played};
pub use richer::Richer;
pub use stated::{Stated, StatedScore};
pub(crate) use transcript::are_positions;
pub(crate) use writer::GameWriter;
pub use writer::{Written, write};
