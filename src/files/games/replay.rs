//! Moves played through by the rules: passes are put in where they are forced.

use std::cmp::Ordering;

use thiserror::Error;

use crate::othello::board::{Line, MoveFault, Placed, Played, Side, Square};
use crate::othello::one_line::one_line;

/// The most characters that a message shows of what is no move.
const MOST_SHOWN: usize = 20;

/// One item of a game's moves as a file gives them.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub played: Played,
    /// The side, where the file names it.
    pub side: Option<Side>,
    /// Milliseconds that the move took, where the file says so.
    pub milliseconds: Option<u32>,
}

impl From<Played> for Entry {
    fn from(played: Played) -> Self {
        Self { played, side: None, milliseconds: None }
    }
}

impl From<Square> for Entry {
    fn from(square: Square) -> Self {
        Played::Square(square).into()
    }
}

/// A game played to the end of what is recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Replay {
    /// The moves without passes.
    pub moves: Vec<Square>,
    /// Milliseconds of each move, 0 where not known; empty when none is known.
    pub milliseconds: Vec<u32>,
    /// Discs of Black and of White on the board after the last move.
    pub discs: (u8, u8),
    /// Black's discs with the empties to the winner, 0..=64, when the game was played to its end.
    pub black_discs: Option<u8>,
}

/// A move that cannot have been played.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("move {number}{found}: {fault}", found = quoted(found))]
pub struct MoveError {
    /// Its number, from 1; passes are not counted.
    pub number: usize,
    pub found: String,
    pub fault: MoveFault,
}

fn quoted(found: &str) -> String {
    if found.is_empty() || found.chars().all(char::is_control) {
        return String::new();
    }
    format!(" \"{}\"", one_line(found, MOST_SHOWN))
}

/// Plays entries from a board. Passes may be written where they are forced, or left out.
pub(crate) fn replay(start: Placed, entries: &[Entry]) -> Result<Replay, MoveError> {
    let mut line = Line::from_board(start);
    let mut milliseconds = Vec::new();
    // Whether the pass that is forced now has been written.
    let mut passed = false;
    for entry in entries {
        let number = line.len() + 1;
        let error = |found: &str, fault| MoveError { number, found: found.to_owned(), fault };
        match &entry.played {
            Played::Square(square) => {
                let played = line.play(*square, entry.side);
                played.map_err(|fault| error(&square.to_string(), fault))?;
                milliseconds.push(entry.milliseconds.unwrap_or_default());
            }
            Played::Pass => line.check_pass(passed).map_err(|fault| error("pass", fault))?,
            Played::Unreadable(found) => {
                let control = found.bytes().next().filter(u8::is_ascii_control);
                return Err(error(found, control.map_or(MoveFault::Unreadable, MoveFault::Byte)));
            }
            Played::Cut(found) => return Err(error(found, MoveFault::Cut)),
        }
        passed = entry.played == Played::Pass;
    }
    if milliseconds.iter().all(|&each| each == 0) {
        milliseconds.clear();
    }
    let Placed { position, side } = line.board();
    let counts = [position.mover, position.opponent].map(|discs| discs.count_ones() as u8);
    let [black, white] = if side == Side::Black { counts } else { [counts[1], counts[0]] };
    let black_discs = line.end().is_none().then(|| match black.cmp(&white) {
        Ordering::Less => black,
        Ordering::Equal => 32,
        Ordering::Greater => 64 - white,
    });
    Ok(Replay { moves: line.squares().collect(), milliseconds, discs: (black, white), black_discs })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After these moves Black has none.
    const FORCED_PASS: &str = "c4c3e6b4a4a5b2a3";

    fn entries(text: &str) -> Vec<Entry> {
        let squares = text.as_bytes().chunks(2).map(|pair| match pair {
            b"--" => Played::Pass,
            pair => Played::Square(Square::from_ascii(pair[0], pair[1]).unwrap()),
        });
        squares.map(Entry::from).collect()
    }

    fn play(text: &str) -> Result<Replay, String> {
        replay(Placed::START, &entries(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn says_what_is_wrong_and_what_was_legal() {
        let message = |text: &str| play(text).unwrap_err();
        assert_eq!(
            message("f5d6a1"),
            "move 3 \"a1\": flips no disc; expected one of c3 c4 c5 c6 c7 (black)"
        );
        assert_eq!(
            message("f5f5"),
            "move 2 \"f5\": the square is occupied; expected one of f4 d6 f6 (white)"
        );
        assert_eq!(
            message("f5--"),
            "move 2 \"pass\": a pass, but white can move; expected one of f4 d6 f6"
        );
        // A wipe-out after nine moves.
        assert_eq!(message("e6f4e3f6g5d6e7f5c5a1"), "move 10 \"a1\": the game is already over");
        let mut stated = entries("f5d6");
        stated[1].side = Some(Side::Black);
        assert_eq!(
            replay(Placed::START, &stated).unwrap_err().to_string(),
            "move 2 \"d6\": a move of black, but white is to move; expected one of f4 d6 f6"
        );
        let bad = |played| replay(Placed::START, &[Entry::from(played)]).unwrap_err().to_string();
        assert!(bad(Played::Unreadable("i9".into())).starts_with("move 1 \"i9\": no such square"));
        assert_eq!(bad(Played::Unreadable("\0".into())), "move 1: unexpected byte 0x00");
        assert!(bad(Played::Unreadable("x".repeat(1000))).len() < 120);
        assert!(bad(Played::Cut("g".into())).ends_with("the text ends in the middle of a move"));
    }

    #[test]
    fn passes_follow_from_the_rules() {
        let plain = play(&format!("{FORCED_PASS}f4")).unwrap();
        assert_eq!(plain.moves.len(), 9);
        assert_eq!(play(&format!("{FORCED_PASS}--f4")).unwrap(), plain);
        assert!(play(&format!("{FORCED_PASS}----f4")).is_err());
        assert_eq!(plain.black_discs, None);
    }

    #[test]
    fn the_end_is_told_for_black() {
        let over = play("e6f4e3f6g5d6e7f5c5").unwrap();
        assert_eq!(over.black_discs, Some(64));
        assert_eq!(play("e6f4e3f6g5d6e7f5c5----").unwrap(), over);
        assert_eq!(play("").unwrap().black_discs, None);
    }
}
