//! One game: players, date, place, and what was played.

use std::collections::BTreeMap;

use super::date::Date;
use super::remarks::Remarks;
use super::replay::{Entry, MoveError, replay};
use super::stated::{Stated, StatedScore};
use super::variant::says_xot;
use crate::othello::board::{Line, Placed, Square};

/// A game as it was played, in the orientation of its source.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Where it was read: the name of a file or of a collection.
    pub source: String,
    /// Other collections that have it, too.
    pub also_in: Vec<String>,
    /// The tournament or match.
    pub event: Option<String>,
    /// The round, in the source's words.
    pub round: Option<String>,
    /// When it was played.
    pub date: Option<Date>,
    /// The player of Black.
    pub black: Player,
    /// The player of White.
    pub white: Player,
    /// The board that the moves start from.
    pub start: Placed,
    /// The moves; passes follow from the rules.
    pub moves: Vec<Square>,
    /// Black's discs with the empties to the winner, 0..=64, when the moves reach the end of the
    /// game: what the board says.
    pub black_discs: Option<u8>,
    /// What the header says of the result.
    pub stated: Option<Stated>,
    /// What perfect play from some position of the game would have given.
    pub theoretical: Option<Theoretical>,
    /// The time that each side had, in the source's words.
    pub time_control: Option<String>,
    /// Milliseconds that each move took, 0 where not known; empty when the source has none.
    pub milliseconds: Vec<u32>,
    /// What is said of the moves, and other moves that are given.
    pub remarks: Remarks,
    /// Whether the source calls it an XOT game: its opening was drawn by lot.
    pub xot: bool,
    /// All other facts of the source, by its own names for them.
    pub extra: BTreeMap<String, String>,
}

/// One of the two players.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Player {
    /// The name; none when it is not known.
    pub name: Option<String>,
    /// The rating at that time, on the source's scale.
    pub rating: Option<f64>,
}

/// What perfect play of both sides would have given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theoretical {
    /// Black's discs at the end, the empties given to the winner, 0..=64.
    pub black_discs: u8,
    /// Empties of the position of the game that it is for.
    pub empties: u8,
}

/// How a game ended, the board before the header.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum GameResult<'a> {
    /// Played to the end: Black's discs with the empties to the winner, 0..=64.
    Board(u8),
    /// Not played to the end, and the header says what was made of it.
    Awarded(&'a Stated),
    /// Not played to the end, and nothing more is known.
    Unknown,
}

/// No move from the start position, and no facts.
impl Default for Game {
    fn default() -> Self {
        Self {
            source: String::new(),
            also_in: Vec::new(),
            event: None,
            round: None,
            date: None,
            black: Player::default(),
            white: Player::default(),
            start: Placed::START,
            moves: Vec::new(),
            black_discs: None,
            stated: None,
            theoretical: None,
            time_control: None,
            milliseconds: Vec::new(),
            remarks: Remarks::default(),
            xot: false,
            extra: BTreeMap::new(),
        }
    }
}

impl Game {
    pub fn result(&self) -> GameResult<'_> {
        match (self.black_discs, &self.stated) {
            (Some(discs), _) => GameResult::Board(discs),
            (None, Some(stated)) => GameResult::Awarded(stated),
            (None, None) => GameResult::Unknown,
        }
    }

    /// Sets moves, and what the board says of the result; returns the discs of Black and of White
    /// after the last one.
    ///
    /// # Errors
    /// The first move that cannot be played from [`Game::start`]; nothing is set then.
    pub fn set_moves(&mut self, entries: &[Entry]) -> Result<(u8, u8), MoveError> {
        let played = replay(self.start, entries)?;
        self.moves = played.moves;
        self.milliseconds = played.milliseconds;
        self.black_discs = played.black_discs;
        Ok(played.discs)
    }

    /// All collections that have it.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.source).chain(&self.also_in)
    }

    /// The moves with the boards that they were played on.
    pub fn line(&self) -> Line {
        Line::from_board(self.start).then(&self.moves)
    }

    /// A game of which only the moves are known.
    pub(crate) fn of_line(line: &Line) -> Self {
        let mut game = Self { start: line.start(), ..Self::default() };
        let entries: Vec<Entry> = line.squares().map(Entry::from).collect();
        // A line can be played.
        let _ = game.set_moves(&entries);
        game
    }

    /// Black's discs less White's: what the header said first, since with komi it is not what the board says.
    pub(super) fn margin(&self) -> Option<f64> {
        let score = self.stated.as_ref().and_then(|stated| stated.score);
        match (score, self.black_discs) {
            (Some(StatedScore::Difference(difference)), _) => Some(difference),
            (_, Some(discs)) => Some(2.0 * f64::from(discs) - 64.0 - self.komi()),
            (Some(StatedScore::Discs { black, white }), None) => {
                Some(f64::from(black) - f64::from(white))
            }
            (Some(StatedScore::Winner(_)) | None, None) => None,
        }
    }

    /// Whether it is an XOT game, where a file must say so: that it is one, or that it is none though its event is
    /// called so.
    pub(super) fn told_xot(&self) -> Option<bool> {
        let by_event = self.event.as_deref().is_some_and(says_xot);
        (self.xot || by_event).then_some(self.xot)
    }

    /// Whether it starts from the start position.
    pub fn is_from_the_start(&self) -> bool {
        self.start == Placed::START
    }
}
