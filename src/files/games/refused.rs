//! Why a game is refused, and the notes on one that is not.

use std::sync::Arc;

use thiserror::Error;

use super::replay::MoveError;
use crate::files::fault::{Fault, Place};
use crate::othello::one_line::one_line;

/// The most characters of a message that say what was found.
const MOST_FOUND: usize = 60;

/// A game that is refused, or an end of the file before its time.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("{}: {why}", self.head())]
pub struct RefusedGame {
    pub file: Arc<str>,
    /// Where the game begins, or where the fault is when that is known.
    pub place: Place,
    /// The game's number in the file, from 1, refused ones counted; none when the fault is not of
    /// one game.
    pub game: Option<u64>,
    pub why: Why,
}

impl RefusedGame {
    fn head(&self) -> String {
        let game = self.game.map(|game| format!(" (game {game})"));
        self.place.in_file(&self.file) + &game.unwrap_or_default()
    }

    /// Whether nothing behind it is read.
    pub const fn is_fatal(&self) -> bool {
        self.why.is_fatal()
    }
}

/// What is wrong with a game.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum Why {
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("a board of size {0} is not supported, only 8 x 8 is")]
    BoardSize(String),
    #[error("unreadable start position: {0}")]
    Start(String),
    #[error("not Othello: {0}")]
    OtherGame(String),
    #[error("the file ends inside a header tag")]
    CutTag,
    #[error("the file ends inside the game")]
    Cut,
    #[error("nothing closes the '{0}' here")]
    Unclosed(char),
    /// The file ends before the games that its header counts.
    #[error(
        "the header announces {announced} games, but the file holds {whole} whole ones{}",
        if *part { " and a part" } else { "" }
    )]
    Missing {
        /// Games that the header counts.
        announced: u64,
        whole: u64,
        /// Whether there are bytes of one more.
        part: bool,
    },
    #[error(transparent)]
    Content(#[from] Fault),
    #[error("a game of more than {0} bytes")]
    TooLong(usize),
    /// A line without an end. Nothing behind it is read.
    #[error("a line of more than {0} bytes; the rest of the file is not read")]
    EndlessLine(usize),
    /// The packed file is broken at the place. Nothing behind it is read.
    #[error("{0}; the rest of the file is not read")]
    Packed(Fault),
    /// The system failed. Nothing behind it is read.
    #[error("{0}; the rest of the file is not read")]
    Io(String),
}

impl Why {
    pub(super) fn content(found: &str, expected: &'static str) -> Self {
        Fault::new(format!("\"{}\"", one_line(found, MOST_FOUND)), expected).into()
    }

    pub(super) fn start(found: &str) -> Self {
        Self::Start(one_line(found, MOST_FOUND))
    }

    /// A start that was drawn by lot, and is not given.
    pub(super) fn unknown_start() -> Self {
        Self::Start("it was drawn by lot, and no board is given".to_owned())
    }

    pub(super) fn board_size(found: &str) -> Self {
        Self::BoardSize(one_line(found, 10))
    }

    pub(super) fn anti() -> Self {
        Self::OtherGame("anti-Othello, in which the fewest discs win".to_owned())
    }

    /// Whether nothing shows that it is a game of Othello at all: another content, another game, or a first move that
    /// cannot be played.
    pub(crate) const fn is_of_no_game(&self) -> bool {
        match self {
            Self::Move(MoveError { number, .. }) => *number == 1,
            Self::Content(_) | Self::OtherGame(_) => true,
            _ => false,
        }
    }

    pub(super) const fn is_fatal(&self) -> bool {
        matches!(self, Self::EndlessLine(_) | Self::Packed(_) | Self::Io(_))
    }
}

/// A note on a game that was taken.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum Note {
    /// The header states another result than the board: the board counts.
    #[error("the header's result {stated} differs from the board's {}-{}", board.0, board.1)]
    ResultDiffers {
        stated: String,
        /// Discs of Black and White on the board.
        board: (u8, u8),
    },
    /// A game says twice how it ended, as in its header and behind its moves, and not the same.
    #[error("two results, {first} and {second}: the first is kept")]
    TwoResults { first: String, second: String },
    /// A result in words that nothing is known of.
    #[error("the result \"{0}\" is not understood: kept as it is")]
    Result(String),
    /// The event is called one of XOT, but a tag says that the game is none.
    #[error("the event is called one of XOT, but a tag says that the game is none: the tag counts")]
    NoXot,
    /// The moves are legal only from the mirror image of the start, with Black on d4 and e5: they
    /// have been turned.
    #[error("played from the mirrored start (black on d4 and e5): the moves have been mirrored")]
    Mirrored,
    /// A name whose letters look as if they were in another encoding than those that are known.
    #[error(
        "the letters of \"{0}\" may be wrong: the encoding of the file is not known, so that it was read as Latin-1"
    )]
    Letters(String),
    /// Lines of moves that can be played only one behind the other, and do not end the game.
    #[error(
        "several lines are taken as one game that is not over: not all can be played from the start"
    )]
    Wrapped,
    #[error("an unreadable tag is left out: {0}")]
    Tag(String),
    #[error("more than {0} comments and moves beside the game: the others are left out")]
    Remarks(usize),
    /// A number that stands for no name: the list of names is missing or older than the games.
    #[error("number {number} is not in the list of {list}")]
    NoName {
        /// What a WTHOR file holds instead of a name.
        number: u16,
        /// `players` or `tournaments`.
        list: &'static str,
    },
    #[error("a score of {0} discs is none: left out")]
    NoScore(u8),
    /// No list of names lies beside a WTHOR file.
    #[error(
        "no names of {of}: they are in the {files} of WTHOR; put them beside it, and import it again"
    )]
    NamesMissing {
        of: &'static str,
        /// The endings of what is missing.
        files: &'static str,
    },
    /// Several lists of names lie beside a WTHOR file, and none is named like it.
    #[error("none of the lists {files} is named like the file of games: their names are left out")]
    WhichNames {
        /// Their file names.
        files: String,
    },
    /// The game is in a part of the file that no header counts.
    #[error("the header announces {0} games only")]
    Uncounted(u64),
}
