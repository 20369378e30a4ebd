//! What is wrong with a text that should be a board.

use thiserror::Error;

/// A text that is no board.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum BoardError {
    /// Not 64 squares.
    #[error("{found} squares, 64 needed, and then the side to move")]
    Squares {
        /// How many squares there were.
        found: usize,
    },
    /// A board of another size, as GGS and GGF say it.
    #[error("a board of size {found}: expected 8")]
    Size {
        /// Squares in a row.
        found: String,
    },
    /// A character that stands for neither colour nor an empty square.
    #[error(
        "'{found}' at character {at} of the board: expected X, * or B (black), \
         O or W (white), - or . (empty), or digits: 0 (empty), 1 (black), 2 (white)"
    )]
    Character {
        /// The character.
        found: char,
        /// Where it stands, from 1.
        at: usize,
    },
    /// A row of a FEN that is none.
    #[error(
        "row {row} of the FEN is '{found}': expected 8 squares, p (black), P (white) or 1 to 8 \
         empty ones"
    )]
    Fen {
        /// Its number on the board, from 1.
        row: usize,
        /// The row.
        found: String,
    },
    /// Too few rows, or too many.
    #[error("a board of {found} rows: expected 8 rows of 8 squares")]
    Rows {
        /// How many there were.
        found: usize,
    },
    /// The numbers before the rows are not those of a board.
    #[error("the rows of the board are not numbered from 1 to 8")]
    Numbers,
    /// More than one drawn board.
    #[error("there are {found} boards: expected one")]
    Several {
        /// How many there were.
        found: usize,
    },
    /// The side to move is missing or unknown.
    #[error("the side to move is missing after the 64 squares: expected X or O, found '{found}'")]
    Side {
        /// What stands there.
        found: String,
    },
    /// No side to move is given, and the number of discs does not suggest Black's turn.
    #[error(
        "nothing says whose turn it is with {discs} discs: expected X or O behind the board, or a \
         line such as 'Black to move' below it"
    )]
    Turn {
        /// Discs on the board.
        discs: u32,
    },
    /// Both sides are to move.
    #[error("the text beside the board says both that Black and that White is to move")]
    BothSides,
    /// Something else behind a board than what can stand there.
    #[error("'{found}' behind the board and the side to move: expected nothing")]
    Behind {
        /// What stands there.
        found: String,
    },
}
