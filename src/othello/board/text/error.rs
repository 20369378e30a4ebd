//! What is wrong with a text that should be a board.

use thiserror::Error;

/// A text that is no board.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum BoardError {
    #[error("{found} squares, 64 needed, and then the side to move")]
    Squares {
        /// How many squares there were.
        found: usize,
    },
    #[error("a board of size {found}: expected 8")]
    Size { found: String },
    /// A character that means neither colour nor an empty square.
    #[error(
        "'{found}' at character {at} of the board: expected X, * or B (black), \
         O or W (white), - or . (empty), or digits: 0 (empty), 1 (black), 2 (white)"
    )]
    Character {
        found: char,
        /// Its position in the text, from 1.
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
        found: String,
    },
    #[error("a board of {found} rows: expected 8 rows of 8 squares")]
    Rows { found: usize },
    #[error("the rows of the board are not numbered from 1 to 8")]
    Numbers,
    #[error("there are {found} boards: expected one")]
    Several { found: usize },
    #[error("the side to move is missing after the 64 squares: expected X or O, found '{found}'")]
    Side { found: String },
    /// No side to move is given, and the number of discs does not suggest Black's turn.
    #[error(
        "nothing says whose turn it is with {discs} discs: expected X or O behind the board, or a \
         line such as 'Black to move' below it"
    )]
    Turn {
        /// Discs on the board.
        discs: u32,
    },
    #[error("the text beside the board says both that Black and that White is to move")]
    BothSides,
    #[error("'{found}' behind the board and the side to move: expected the end")]
    Behind { found: String },
}
