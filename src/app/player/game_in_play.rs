//! A game while it is played: moves and passes, one by one, and back.

use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use crate::files::games::{
    Entry, Game, MoveFault, Note, OpenError, Played, ReadOptions, RefusedGame, open,
};
use crate::othello::board::{Line, Placed, Side, Square};

/// A move, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The board before it, with the side that makes it.
    pub before: Placed,
    /// The move; none for a pass.
    pub square: Option<Square>,
    /// How long it took, as far as that is known.
    pub time: Duration,
}

/// Why no game can be taken from a file.
#[derive(Debug, Error)]
pub(crate) enum NoGame {
    #[error(transparent)]
    File(#[from] OpenError),
    #[error("it holds no game")]
    Empty,
    #[error("{0}")]
    Refused(RefusedGame),
    #[error("{0}")]
    Move(#[from] MoveFault),
}

/// A game while it is played. Unlike a line it knows whether a pass that is forced has been made: before
/// it the side to move has no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameInPlay {
    start: Placed,
    plies: Vec<Ply>,
    now: Placed,
}

/// No move from the start position.
impl Default for GameInPlay {
    fn default() -> Self {
        Self::from_board(Placed::START)
    }
}

impl GameInPlay {
    /// No move yet from a board, whose side to move may have to pass.
    pub const fn from_board(start: Placed) -> Self {
        Self { start, plies: Vec::new(), now: start }
    }

    /// A game that was read; `passed` says that it ends with a pass.
    pub fn of(game: &Game, passed: bool) -> Result<Self, MoveFault> {
        let mut whole = Self::from_board(game.start);
        for (index, &square) in game.moves.iter().enumerate() {
            whole.play(square)?;
            let milliseconds = game.milliseconds.get(index).copied().unwrap_or_default();
            whole.took(Duration::from_millis(milliseconds.into()));
        }
        if passed {
            whole.pass()?;
        }
        Ok(whole)
    }

    /// The first game of a file in any format, and what the file says of it.
    pub(crate) fn open(path: &Path) -> Result<(Self, Game), NoGame> {
        let read = open(path, &ReadOptions::default())?.next().ok_or(NoGame::Empty)?;
        let mut read = read.map_err(NoGame::Refused)?;
        // GoGui counts rows from below, and its files are mirrored by rows. By columns they have been mirrored.
        if read.notes.iter().any(|note| matches!(note, Note::Mirrored)) {
            for square in &mut read.game.moves {
                *square = Square::new(63 - square.number());
            }
        }
        let game = Self::of(&read.game, read.passed)?;
        Ok((game, read.game))
    }

    /// The board that the moves start from.
    pub const fn start(&self) -> Placed {
        self.start
    }

    /// Moves and passes in order.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The board as it is, and whose turn it is, even if only to pass.
    pub const fn now(&self) -> Placed {
        self.now
    }

    /// Whether neither side can move.
    pub const fn is_over(&self) -> bool {
        self.now.position.is_over()
    }

    /// Whether the side to move has no move but a pass.
    pub const fn must_pass(&self) -> bool {
        !self.now.position.can_move() && !self.is_over()
    }

    /// Black's discs less White's with the empties to the winner, in discs, of a finished game.
    pub fn final_score(&self) -> Option<i8> {
        let score = self.now.position.final_score();
        let for_black = if self.now.side == Side::Black { score } else { -score };
        self.is_over().then_some(for_black)
    }

    /// Plays a move. A pass that is forced before it is made, too.
    ///
    /// # Errors
    /// It is not legal; nothing is played then.
    pub fn play(&mut self, square: Square) -> Result<(), MoveFault> {
        if self.is_over() {
            return Err(MoveFault::Over);
        }
        let passes = self.must_pass();
        let before = if passes { self.now.passed() } else { self.now };
        let Placed { position, side } = before;
        let next = position.play(square).ok_or_else(|| before.fault_of(square))?;
        if passes {
            self.plies.push(Ply { before: self.now, square: None, time: Duration::ZERO });
        }
        self.plies.push(Ply { before, square: Some(square), time: Duration::ZERO });
        self.now = Placed { position: next, side: side.other() };
        Ok(())
    }

    /// Passes. Behind the end of the game that is allowed, and changes nothing.
    pub fn pass(&mut self) -> Result<(), MoveFault> {
        let Placed { position, side } = self.now;
        if position.can_move() {
            return Err(MoveFault::Pass { side, legal: position.legal_moves() });
        }
        if self.must_pass() {
            self.plies.push(Ply { before: self.now, square: None, time: Duration::ZERO });
            self.now = self.now.passed();
        }
        Ok(())
    }

    /// Notes how long the last move took.
    pub fn took(&mut self, time: Duration) {
        if let Some(last) = self.plies.last_mut() {
            last.time = time;
        }
    }

    /// Takes moves and passes back until only so many are left.
    pub(crate) fn take_back_to(&mut self, plies: usize) {
        while self.plies.len() > plies {
            if let Some(last) = self.plies.pop() {
                self.now = last.before;
            }
        }
    }

    /// The moves as a line, which knows no passes.
    pub fn line(&self) -> Line {
        let squares: Vec<Square> = self.plies.iter().filter_map(|ply| ply.square).collect();
        Line::from_board(self.start).then(&squares)
    }

    /// Start, moves with their times and result as a game, without any other fact.
    pub fn game(&self) -> Game {
        let entries = self.plies.iter().filter_map(|ply| {
            let milliseconds = u32::try_from(ply.time.as_millis()).ok();
            let played = Played::Square(ply.square?);
            Some(Entry { played, side: Some(ply.before.side), milliseconds })
        });
        let entries: Vec<Entry> = entries.collect();
        let mut game = Game { start: self.start, ..Game::default() };
        // They have been played on a board already.
        let _ = game.set_moves(&entries);
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After these moves Black has none.
    const FORCED_PASS: &str = "c4c3e6b4a4a5b2a3";

    fn game(moves: &str) -> GameInPlay {
        let mut game = GameInPlay::default();
        let line: Line = moves.parse().unwrap();
        line.squares().for_each(|square| game.play(square).unwrap());
        game
    }

    #[test]
    fn a_forced_pass_is_a_turn_of_its_own() {
        let mut before = game(FORCED_PASS);
        assert!(before.must_pass() && before.now().side == Side::Black);
        let mut played = before.clone();
        played.play("f4".parse().unwrap()).unwrap();
        before.pass().unwrap();
        assert_eq!((before.now().side, before.plies().len()), (Side::White, 9));
        assert!(before.pass().is_err(), "White can move");
        before.play("f4".parse().unwrap()).unwrap();
        assert_eq!(before, played);
        assert_eq!(played.line(), format!("{FORCED_PASS}f4").parse().unwrap());
        played.take_back_to(8);
        assert_eq!(played, game(FORCED_PASS));
        let read = Game { moves: game(FORCED_PASS).game().moves, ..Game::default() };
        assert_eq!(GameInPlay::of(&read, true).unwrap().now().side, Side::White);
        assert_eq!(GameInPlay::of(&read, false).unwrap().now().side, Side::Black);
    }

    #[test]
    fn what_is_illegal_changes_nothing() {
        let mut game = game(FORCED_PASS);
        let before = game.clone();
        for square in ["a1", "d4", "h8"] {
            assert!(game.play(square.parse().unwrap()).is_err(), "{square}");
            assert_eq!(game, before);
        }
        let mut start = GameInPlay::default();
        assert!(start.pass().is_err());
        start.take_back_to(0);
        assert_eq!(start, GameInPlay::default());
    }

    #[test]
    fn a_finished_game_has_a_score_and_times() {
        let mut game = game("e6f4e3f6g5d6e7f5c5");
        assert_eq!((game.is_over(), game.final_score()), (true, Some(64)));
        assert_eq!(game.play("a1".parse().unwrap()), Err(MoveFault::Over));
        assert_eq!(game.pass(), Ok(()));
        game.took(Duration::from_millis(1500));
        let read = game.game();
        assert_eq!((read.black_discs, read.milliseconds.last()), (Some(64), Some(&1500)));
        assert_eq!(GameInPlay::of(&read, false), Ok(game));
    }
}
