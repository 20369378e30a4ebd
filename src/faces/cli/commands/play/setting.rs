//! What is played, and by which players.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::app::player::{GameInPlay, TimeControl};
use crate::othello::board::{Line, Side};
use crate::othello::score::Score;
use crate::othello::search::Level;

pub(super) struct Setting {
    pub(super) start: Line,
    pub(super) you: You,
    pub(super) level: Option<Level>,
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
    /// Whether you move for a side.
    pub(super) const fn moves_for(self, side: Side) -> bool {
        matches!(
            (self, side),
            (Self::Both, _) | (Self::Black, Side::Black) | (Self::White, Side::White)
        )
    }
}
