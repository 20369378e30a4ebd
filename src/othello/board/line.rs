//! Lines of play such as `f5d6c3`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::othello::one_line::one_line;

use super::move_text::MoveText;
use super::{After, MoveFault, Placed, Played, Position, Side, Square, Symmetry};

/// Legal moves from the start position or from another board, in the orientation in which they were
/// given. Passes are not part of it: they follow from the rules.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Line {
    start: Placed,
    steps: Vec<Step>,
}

/// No move from the start position.
impl Default for Line {
    fn default() -> Self {
        Self::from_board(Placed::START)
    }
}

/// One move of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The board before the move, with the side that moves.
    pub before: Placed,
    pub square: Square,
    pub after: After,
}

/// A text that is no line of play.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum LineError {
    /// A character that starts neither a square nor a pass.
    #[error(
        "unreadable move '{found}' at ply {ply} of '{line}' (character {at}): \
         expected a column a-h and a row 1-8, such as c3"
    )]
    Unreadable {
        found: String,
        /// From 1; passes are not counted.
        ply: usize,
        /// Its character in the text, from 1.
        at: usize,
        line: String,
    },
    #[error("illegal move {square} at ply {ply} of '{line}': {}", in_a_line(fault))]
    Illegal {
        square: Square,
        /// From 1; passes are not counted.
        ply: usize,
        line: String,
        fault: MoveFault,
    },
    #[error("illegal pass after ply {ply} of '{line}': {}", in_a_line(fault))]
    Pass { ply: usize, line: String, fault: MoveFault },
}

/// Why a move of a line is illegal.
fn in_a_line(fault: &MoveFault) -> String {
    match fault {
        MoveFault::Occupied { side, legal } => {
            format!("the square is occupied; {side} can play {legal}")
        }
        MoveFault::NothingTurned { side, legal } => {
            format!("it flips no disc; {side} can play {legal}")
        }
        MoveFault::Pass { side, .. } => format!("{side} can move"),
        MoveFault::Over => "the game is over".to_owned(),
        fault => fault.to_string(),
    }
}

impl Line {
    /// No move yet from a board, whose side to move may have to pass.
    pub const fn from_board(start: Placed) -> Self {
        Self { start, steps: Vec::new() }
    }

    /// The board that the moves start from.
    pub const fn start(&self) -> Placed {
        self.start
    }

    /// The moves, with the boards that they are played on.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Number of moves; passes are not counted.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether no move has been played.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub fn squares(&self) -> impl Iterator<Item = Square> {
        self.steps.iter().map(|step| step.square)
    }

    /// The board that is to be played on next; none when the game is over.
    pub fn end(&self) -> Option<Placed> {
        match self.steps.last() {
            Some(last) => last.before.followed_by(last.after),
            None => self.start.to_play(),
        }
    }

    /// The board after the last move with its colours: the position to be played on, or the final
    /// one of a finished game, then seen by the side that did not make the last move. Without any
    /// move it is the board that the line starts from, as it is.
    pub fn board(&self) -> Placed {
        let Some(last) = self.steps.last() else { return self.start };
        self.end().unwrap_or_else(|| Placed {
            position: last.before.position.play(last.square).unwrap_or(Position::START),
            side: last.before.side.other(),
        })
    }

    /// The line with more moves, as far as they are legal.
    #[must_use]
    pub fn then(&self, moves: &[Square]) -> Self {
        let mut whole = self.clone();
        for &square in moves {
            if !whole.push(square) {
                break;
            }
        }
        whole
    }

    /// All that is needed to find its end again: the moves, and before them the board where they do
    /// not start from the start position.
    pub(crate) fn whole_text(&self) -> String {
        if self.start == Placed::START {
            return self.to_string();
        }
        let board = self.start.position.board_text(self.start.side);
        format!("{board} {self}").trim_end().to_owned()
    }

    /// Adds a move; false, and nothing added, when it is illegal.
    pub fn push(&mut self, square: Square) -> bool {
        let Some(before) = self.end() else { return false };
        let Some(after) = before.position.after(square) else { return false };
        self.steps.push(Step { before, square, after });
        true
    }

    /// The line without its last move.
    pub(crate) fn pop(&mut self) {
        self.steps.pop();
    }
}

/// The moves glued together: `f5d6c3`.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.squares().map(|square| square.to_string()).collect();
        f.pad(&text)
    }
}

/// Reads moves from the start position as [`Line::read_on`] does.
impl FromStr for Line {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        let mut line = Self::default();
        line.read_on(text)?;
        Ok(line)
    }
}

impl Line {
    /// Plays the moves of a text in any spelling that files of games have. Passes may be written or left
    /// out; one that is written where there is a move is an error.
    ///
    /// # Errors
    /// The first move that cannot be read or played; the moves before it have been.
    pub(crate) fn read_on(&mut self, text: &str) -> Result<(), LineError> {
        let mut moves = MoveText::new(text);
        // Whether the pass that the last move forced has been written.
        let mut passed = false;
        while let Some(played) = moves.take() {
            let line = || quoted(text);
            match played {
                Played::Square(square) => {
                    let ply = self.len() + 1;
                    self.play(square, None).map_err(|fault| LineError::Illegal {
                        square,
                        ply,
                        line: line(),
                        fault,
                    })?;
                }
                _ => self.check_pass(passed).map_err(|fault| LineError::Pass {
                    ply: self.len(),
                    line: line(),
                    fault,
                })?,
            }
            passed = !matches!(played, Played::Square(_));
        }
        match moves.rest() {
            "" => Ok(()),
            rest => Err(unreadable(text, text.len() - rest.len(), self.len() + 1)),
        }
    }

    /// Whether a pass may be written: where the last move forced one, once, and after the end of the game.
    pub(crate) fn check_pass(&self, passed: bool) -> Result<(), MoveFault> {
        let forced = match self.steps.last() {
            Some(last) => matches!(last.after, After::Same(_)),
            None => !self.start.position.can_move(),
        };
        match self.end() {
            Some(Placed { position, side }) if !forced || passed => {
                Err(MoveFault::Pass { side, legal: position.legal_moves() })
            }
            _ => Ok(()),
        }
    }

    /// Adds a move, of this side where that is known; an illegal one adds nothing.
    pub(crate) fn play(&mut self, square: Square, stated: Option<Side>) -> Result<(), MoveFault> {
        let Some(now) = self.end() else { return Err(MoveFault::Over) };
        if let Some(stated) = stated.filter(|&stated| stated != now.side) {
            return Err(MoveFault::OtherSide { stated, legal: now.position.legal_moves() });
        }
        if self.push(square) { Ok(()) } else { Err(now.fault_of(square)) }
    }
}

fn unreadable(text: &str, at: usize, ply: usize) -> LineError {
    let (before, rest) = text.split_at(at);
    LineError::Unreadable {
        found: rest.chars().take(2).collect(),
        ply,
        at: before.chars().count() + 1,
        line: quoted(text),
    }
}

/// A text for a message: short, and without what a terminal would act on.
fn quoted(text: &str) -> String {
    one_line(text.trim(), 130)
}

/// Turns moves from the start position so that the first is f5, as players write them: the four
/// first moves are images of each other. Moves that start otherwise stay as they are.
pub(crate) fn write_from_f5(moves: &mut [Square]) {
    if let Some(turn) = moves.first().and_then(|&first| turn_to_f5(first)) {
        moves.iter_mut().for_each(|square| *square = turn.square(*square));
    }
}

/// How the start position is turned into itself so that this first move becomes f5; none where it is no first
/// move.
pub(crate) fn turn_to_f5(first: Square) -> Option<Symmetry> {
    turn_of_start_to_f5(Placed::START, first)
}

/// The symmetry that makes a first move from the start position, or from its mirror image, f5; none where it is
/// no first move, and of other boards.
pub(super) fn turn_of_start_to_f5(start: Placed, first: Square) -> Option<Symmetry> {
    const F5: Square = Square::new(37);
    let fits = |symmetry: &Symmetry| {
        symmetry.square(first) == F5 && symmetry.position(start.position) == Position::START
    };
    (start.side == Side::Black).then(|| Symmetry::all().find(fits)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_illegal_and_where() {
        let message = |text: &str| text.parse::<Line>().unwrap_err().to_string();
        assert_eq!(
            message("f5d6g1"),
            "illegal move g1 at ply 3 of 'f5d6g1': it flips no disc; \
             black can play c3 c4 c5 c6 c7"
        );
        assert_eq!(
            message("f5f5"),
            "illegal move f5 at ply 2 of 'f5f5': the square is occupied; white can play f4 d6 f6"
        );
        assert_eq!(
            message("f5d6zz"),
            "unreadable move 'zz' at ply 3 of 'f5d6zz' (character 5): \
             expected a column a-h and a row 1-8, such as c3"
        );
        for (text, start) in [
            ("f5é", "unreadable move 'é' at ply 2 of 'f5é' (character 3)"),
            ("é f5", "unreadable move 'é ' at ply 1 of 'é f5' (character 1)"),
            ("f5 d", "unreadable move 'd' at ply 2 of 'f5 d' (character 4)"),
            ("f5 d 6", "unreadable move 'd ' at ply 2 of 'f5 d 6' (character 4)"),
            ("f5i9", "unreadable move 'i9' at ply 2"),
            ("f5 6. 6", "unreadable move '6' at ply 2 of 'f5 6. 6' (character 7)"),
        ] {
            let message = message(text);
            assert!(message.starts_with(start), "{message}");
        }
        assert_eq!(message("f5pa"), "illegal pass after ply 1 of 'f5pa': white can move");
        assert_eq!(message("f5 -- d6"), "illegal pass after ply 1 of 'f5 -- d6': white can move");
        assert_eq!(message("pass"), "illegal pass after ply 0 of 'pass': black can move");
    }

    /// After these moves Black has none.
    const FORCED_PASS: &str = "c4c3e6b4a4a5b2a3";

    #[test]
    fn a_forced_pass_may_be_written_or_left_out() {
        for pass in ["", " ", "pa", "PS", " Pass ", "--", " -- ", " - "] {
            let text = format!("{FORCED_PASS}{pass}f4");
            let line: Line = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(line.to_string(), format!("{FORCED_PASS}f4"));
            assert_eq!(line.steps()[8].before.side, Side::White, "{text}");
            assert_eq!(line.end().map(|end| end.side), Some(Side::Black), "{text}");
        }
        // A pass that ends the text is a pass, too.
        assert_eq!(format!("{FORCED_PASS}ps").parse::<Line>().map(|line| line.len()), Ok(8));
        let error = format!("{FORCED_PASS}papa").parse::<Line>().unwrap_err().to_string();
        assert!(error.ends_with("white can move"), "{error}");
    }

    #[test]
    fn all_first_moves_are_written_as_f5() {
        let mut lines = Vec::new();
        for text in ["f5d6c3d3c4", "d3c5f6f5e6", "c4e3f6e6f5", "e6f4c3c4d3"] {
            let line: Line = text.parse().unwrap();
            let mut moves: Vec<Square> = line.squares().collect();
            write_from_f5(&mut moves);
            let mut turned = Line::default();
            assert!(moves.iter().all(|&square| turned.push(square)), "{text}");
            lines.push(turned.to_string());
        }
        assert_eq!(lines[0], "f5d6c3d3c4");
        assert!(lines.iter().all(|line| line == &lines[0]), "{lines:?}");
    }

    #[test]
    fn a_line_may_start_from_a_board() {
        let whole: Line = format!("{FORCED_PASS}f4").parse().unwrap();
        let board = FORCED_PASS.parse::<Line>().unwrap().steps()[7].before;
        let mut line = Line::from_board(board);
        assert_eq!(line.board(), board);
        line.read_on("1. a3 pass f4").unwrap();
        assert_eq!((line.len(), line.board()), (2, whole.board()));
        assert_eq!(line.whole_text(), format!("{} a3f4", board.position.board_text(board.side)));
        assert_eq!(whole.whole_text(), whole.to_string());
        // Where the side to move must pass, the other one moves.
        let Placed { position, side } = whole.steps()[8].before;
        let must_pass = Placed { position: position.passed(), side: side.other() };
        let mut line = Line::from_board(must_pass);
        assert_eq!((line.board(), line.end().map(|end| end.side)), (must_pass, Some(side)));
        line.read_on("pa f4").unwrap();
        assert_eq!(line.board(), whole.board());
    }

    /// The shortest finished game: nine moves, White is wiped out.
    #[test]
    fn a_finished_game_takes_no_more_moves() {
        let line: Line = "e6f4e3f6g5d6e7f5c5".parse().unwrap();
        assert_eq!(line.end(), None);
        assert_eq!(line.steps().last().map(|step| step.after), Some(After::Over(64)));
        let error = "e6f4e3f6g5d6e7f5c5a1".parse::<Line>().unwrap_err().to_string();
        assert!(error.ends_with("the game is over"), "{error}");
        let with_passes = "e6f4e3f6g5d6e7f5c5 pass pass".parse::<Line>();
        assert_eq!(with_passes, Ok(line), "both sides pass at the end");
    }
}
