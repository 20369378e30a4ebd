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
//!     "club.txt:3 (game 3): move 2 \"a1\": flips no disc; expected one of f4 d6 f6 (white)"
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
mod draft;
mod format;
mod game;
mod ggf;
mod identity;
mod json;
mod lines;
mod loss;
mod name_words;
mod names;
mod opening_language;
mod opening_letters;
mod opening_list;
mod outline;
mod pgn;
mod positions;
mod reader;
mod refused;
mod remarks;
mod replay;
mod result_words;
mod richer;
mod said;
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
mod variant;
mod vocabulary;
mod writer;
mod writing;
pub mod wthor;
mod xof;

pub(crate) use crate::files::charset::text_of;
pub use crate::files::fault::Place;
pub use crate::othello::board::Identity;
pub use crate::othello::board::{MoveFault, Played};
pub use asked::{Asked, AskedError};
pub(crate) use asked_name::AskedName;
pub use date::Date;
use format::GameRoom;
pub use game::{Game, GameResult, Player, Theoretical};
use ggf::kind_of as bracketed_format;
pub(crate) use ggf::timed_move;
pub use identity::same_game;
pub(crate) use identity::{
    alike_number, bare_number, differs_in_detail, is_bare_copy, is_cut_short_of,
    is_named_as_program, is_telling, same_facts, without_names,
};
pub use loss::{Loss, Losses};
pub use name_words::folded_name;
pub use names::NameError;
pub(crate) use names::{
    find_openings, find_openings_in, find_openings_nearest_first, openings_meant, similar_names,
};
pub use opening_language::Language;
pub use opening_list::Opening;
pub(crate) use opening_list::{
    opening_name, opening_of_line, openings, openings_along, openings_in,
};
pub(crate) use outline::Outline;
pub(crate) use pgn::{commented_pgn, remarked_moves};
pub(crate) use positions::{one_position, read_positions};
pub use reader::{GameReader, OpenError, ReadGame, ReadOptions, open, read};
pub use refused::{Note, RefusedGame, Why};
pub use remarks::{Remark, Remarks, Variation, VariationMove};
pub(crate) use replay::replay;
pub use replay::{Entry, MoveError};
pub use richer::Richer;
pub use stated::{Stated, StatedScore};
pub(crate) use transcript::are_positions;
pub(crate) use writer::{BATCH, GameWriter};
pub use writer::{Written, write};

/// A format of games that can be read and written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameFormat {
    /// The database of the French federation, with names in files beside it.
    Wthor,
    /// The format of GGS and NBoard.
    Ggf,
    /// Tags and numbered moves.
    Pgn,
    /// Game 2 of SGF.
    Sgf,
    /// A game a line.
    Transcript,
    /// CSV, or with tabs or semicolons.
    Table,
    /// Our JSON Lines; read are games of Othello Quest, too.
    Json,
    /// XML.
    Xof,
}

/// The formats in words.
pub(crate) const KINDS: &str = "WTHOR, GGF, PGN, SGF, transcripts, tables, JSON, XOF";

/// What a file of games may be.
const EXPECTED: &str =
    "expected WTHOR, GGF, PGN, SGF, JSON, XOF, a table with a column of moves, or a game a line";

/// The endings of games that are saved one by one.
pub(crate) const SAVED_ENDINGS: &str = ".pgn, .ggf, .sgf, .txt, .csv or .json";

impl GameFormat {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Wthor,
        Self::Ggf,
        Self::Pgn,
        Self::Sgf,
        Self::Transcript,
        Self::Table,
        Self::Json,
        Self::Xof,
    ];

    /// The one in which NBoard sends games, with a short example.
    pub(crate) const NBOARD: (Self, &str) = (Self::Ggf, "GGF, such as (;GM[Othello]TY[8]B[f5];)");

    /// What reads and writes it.
    fn room(self) -> &'static dyn GameRoom {
        match self {
            Self::Wthor => &wthor::Wthor,
            Self::Ggf => &ggf::Ggf,
            Self::Pgn => &pgn::Pgn,
            Self::Sgf => &sgf::Sgf,
            Self::Transcript => &transcript::Transcript,
            Self::Table => &table::Table,
            Self::Json => &json::Json,
            Self::Xof => &xof::Xof,
        }
    }
}
