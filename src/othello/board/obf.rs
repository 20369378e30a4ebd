//! OBF: a position a line, with scores of its moves.
//!
//! A line is 64 squares, the side to move, then fields ended by `;`: `MOVE:SCORE`, `PS:SCORE` for a
//! forced pass, `--:SCORE` for a finished game, or a bare `SCORE`. `%` and `#` start comments.
//! Colours are absolute: `X` is black. Scores are discs for the side to move.

use thiserror::Error;

use super::{BoardError, Placed, Square, Squares, read_board};
use crate::othello::text_lines::lines_of;

/// One line of an OBF file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObfPosition {
    /// The board and the side to move.
    pub placed: Placed,
    /// Moves with their scores in discs, in the order of the file.
    pub moves: Vec<(Square, i8)>,
    /// Score in discs of a position without moves of its own (forced pass, finished game) or given
    /// without a move.
    pub score: Option<i8>,
    /// The line number, from 1.
    pub line: usize,
}

impl ObfPosition {
    /// The best score that the line gives, in discs.
    pub fn best_score(&self) -> Option<i8> {
        self.moves.iter().map(|&(_, score)| score).max().or(self.score)
    }
}

/// A line that is no OBF.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("line {line}: {kind}")]
pub struct ObfError {
    /// The line number, from 1.
    pub line: usize,
    pub kind: ObfErrorKind,
}

/// What is wrong with a line.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum ObfErrorKind {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error("'{0}': expected MOVE:SCORE such as 'F5:+2', 'PS:+2' or a score within -64..64")]
    Field(String),
    #[error("illegal move {square}; legal are {legal}")]
    Illegal { square: Square, legal: Squares },
}

/// Reads a whole file; empty lines and comments are left out.
pub fn parse_obf(text: &str) -> Result<Vec<ObfPosition>, ObfError> {
    lines_of(text)
        .enumerate()
        .filter_map(|(index, line)| parse_obf_line(line, index + 1).transpose())
        .collect()
}

/// Reads one line; none when it is empty or a comment. `line` is its number, for messages.
pub(crate) fn parse_obf_line(text: &str, line: usize) -> Result<Option<ObfPosition>, ObfError> {
    let text = text.trim_start_matches('\u{feff}');
    let text = text.split(['%', '#']).next().unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    parse_fields(text, line).map(Some).map_err(|kind| ObfError { line, kind })
}

fn parse_fields(text: &str, line: usize) -> Result<ObfPosition, ObfErrorKind> {
    let board = read_board(text)?;
    ObfPosition::scored(board.placed_as_said()?, board.behind, line)
}

impl ObfPosition {
    /// A board with the scores that follow it: `; F5:+2; D3:-4;`, `; +2`.
    pub(crate) fn scored(placed: Placed, fields: &str, line: usize) -> Result<Self, ObfErrorKind> {
        let mut entry = Self { placed, moves: Vec::new(), score: None, line };
        for field in fields.split(';').map(str::trim).filter(|field| !field.is_empty()) {
            let bad = || ObfErrorKind::Field(field.to_owned());
            let (name, score) = match field.split_once(':') {
                Some((name, score)) => (Some(name.trim()), score.trim()),
                None => (None, field),
            };
            let score = score.parse::<i8>().ok().filter(|score| score.unsigned_abs() <= 64);
            let score = score.ok_or_else(bad)?;
            match name.map(str::to_ascii_lowercase).as_deref() {
                None | Some("ps" | "pa" | "pass" | "--") => entry.score = Some(score),
                Some(name) => {
                    let square: Square = name.parse().map_err(|_| bad())?;
                    if placed.position.play(square).is_none() {
                        let legal = placed.position.legal_moves();
                        return Err(ObfErrorKind::Illegal { square, legal });
                    }
                    entry.moves.push((square, score));
                }
            }
        }
        Ok(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO---------------------------";

    #[test]
    fn reads_moves_passes_and_comments() {
        let text = format!("% a comment\n\n{START} X; F5:+2; D3:-4;\n{START} X; PS:-6;\n");
        let entries = parse_obf(&text).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0].line, 3);
        assert_eq!(entries[0].best_score(), Some(2));
        assert_eq!(entries[0].moves[1].0.to_string(), "d3");
        assert_eq!(entries[1].best_score(), Some(-6));
    }

    #[test]
    fn says_the_line() {
        let error = parse_obf(&format!("{START} X;\n{START} X; A1:+2;")).unwrap_err();
        assert_eq!(error.to_string(), "line 2: illegal move a1; legal are d3 c4 f5 e6");
        let error = parse_obf(&format!("{START} X; F5:+99;")).unwrap_err();
        assert!(error.to_string().starts_with("line 1: 'F5:+99': expected"), "{error}");
    }
}
