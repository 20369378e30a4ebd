//! What is played, and by which players.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use crate::app::player::{GameInPlay, TimeControl, USUAL_TIME};
use crate::othello::board::{Line, Side};
use crate::othello::score::Score;
use crate::othello::search::Level;

pub(super) struct Setting {
    pub(super) start: Line,
    pub(super) you: You,
    pub(super) level: Option<Level>,
    /// For each move of rosebill, where there is no clock.
    pub(super) time: Option<Duration>,
    pub(super) control: Option<TimeControl>,
    pub(super) draw_for_black: Score,
    pub(super) name: Option<String>,
    pub(super) save: Option<PathBuf>,
    pub(super) default_level: Level,
}

impl Setting {
    /// A game that begins as it is to begin.
    pub(super) fn opened(&self) -> GameInPlay {
        let mut game = GameInPlay::from_board(self.start.start());
        for square in self.start.squares() {
            // A line holds legal moves only.
            let _ = game.play(square);
        }
        game
    }

    pub(super) fn who(&self, side: Side) -> String {
        if self.you.moves_for(side) { "you".to_owned() } else { self.rosebill() }
    }

    /// As rosebill is called in games: a name with parentheses is that of a program.
    pub(super) fn rosebill(&self) -> String {
        match (self.level, self.control) {
            (Some(level), _) => format!("rosebill (level {level})"),
            (None, Some(control)) => format!("rosebill ({control})"),
            (None, None) => format!("rosebill ({})", self.move_time()),
        }
    }

    /// What a move takes without a clock and a level.
    pub(super) fn move_time(&self) -> String {
        format!("{} s a move", self.time.unwrap_or(USUAL_TIME).as_secs_f64())
    }
}

/// Who moves for which side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum You {
    /// You have Black
    Black,
    /// You have White
    White,
    /// You move for both
    Both,
}

impl You {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
            Self::Both => "both sides",
        }
    }

    /// Whether you move for a side.
    pub(super) const fn moves_for(self, side: Side) -> bool {
        matches!(
            (self, side),
            (Self::Both, _) | (Self::Black, Side::Black) | (Self::White, Side::White)
        )
    }
}
