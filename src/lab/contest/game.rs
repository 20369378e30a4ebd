//! One game of a match.

use super::fault::{MatchError, NoMove};
use super::seat::Seat;
use crate::othello::board::{Line, Placed, Side, Square};
use crate::othello::score::Score;
use crate::othello::search::Stop;

/// What a side did in a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct SideOfGame {
    pub book_moves: u64,
    /// Processor time.
    pub seconds: f64,
    pub nodes: u64,
}

/// A move, and what is known of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MoveMade {
    pub square: Square,
    /// What it is worth to the side that made it, as that side said.
    pub value: Option<Score>,
    pub from_book: bool,
    /// What it took, on the wall.
    pub milliseconds: u32,
}

impl MoveMade {
    /// A move of a search.
    pub(super) const fn searched(square: Square, value: Option<Score>) -> Self {
        Self { square, value, from_book: false, milliseconds: 0 }
    }
}

/// The end of a game that a player lost otherwise than on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Forfeit {
    /// Whether the player lost that sees the game.
    pub by_self: bool,
    /// As headers of games say it: `time`, `resigned`, `forfeit`.
    pub how: String,
    /// What happened, and on which board.
    pub why: String,
}

/// A finished game, seen by one player.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Played {
    /// The moves behind the opening; passes follow from the rules.
    pub moves: Vec<MoveMade>,
    /// The player's discs less the other's, the empties given to the winner; all 64 where it was not played to its
    /// end.
    pub discs: i32,
    /// The player and the other.
    pub sides: [SideOfGame; 2],
    pub forfeit: Option<Forfeit>,
}

/// What a game counts that was lost otherwise than on the board.
const ALL_DISCS: i32 = 64;

impl Played {
    pub(super) fn seen_by_other(self) -> Self {
        let [one, other] = self.sides;
        let forfeit = self.forfeit.map(|forfeit| Forfeit { by_self: !forfeit.by_self, ..forfeit });
        Self { discs: -self.discs, sides: [other, one], forfeit, ..self }
    }

    /// A player lost otherwise than on the board: that counts as a loss by all discs.
    pub(super) fn lose(&mut self, forfeit: Forfeit) {
        self.discs = if forfeit.by_self { -ALL_DISCS } else { ALL_DISCS };
        self.forfeit = Some(forfeit);
    }

    pub(super) fn squares(&self) -> Vec<Square> {
        self.moves.iter().map(|made| made.square).collect()
    }

    /// Half points of the player: 2 for a win, 1 for a draw.
    pub(super) const fn half_points(&self) -> i32 {
        self.discs.signum() + 1
    }
}

/// Plays an opening on to the end; the result is seen by Black. None when it was stopped.
pub(super) fn play_game(
    black: &mut Seat,
    white: &mut Seat,
    opening: &Line,
    stop: &Stop,
) -> Result<Option<Played>, MatchError> {
    let begun = black.begin(stop).and_then(|()| white.begin(stop));
    if let Err(error) = begun {
        return match error {
            NoMove::Failed(error) => Err(error),
            NoMove::Stopped | NoMove::Fault(_) => Ok(None),
        };
    }
    let mut played = Played::default();
    let mut line = opening.clone();
    let mut milliseconds = vec![0; opening.len()];
    while let Some(placed) = line.end() {
        let [ours, theirs] = &mut played.sides;
        let (seat, side) = match placed.side {
            Side::Black => (&mut *black, ours),
            Side::White => (&mut *white, theirs),
        };
        match seat.choose(&line, placed, &milliseconds, side, stop) {
            Ok(made) => {
                // A seat hands on legal moves only.
                line.push(made.square);
                milliseconds.push(made.milliseconds);
                played.moves.push(made);
            }
            Err(NoMove::Failed(error)) => return Err(error),
            Err(NoMove::Stopped) => return Ok(None),
            Err(NoMove::Fault(fault)) => {
                seat.end();
                let by_self = placed.side == Side::Black;
                let board = placed.position.board_text(placed.side);
                let (how, why) = (fault.how().to_owned(), format!("{fault}, on {board}"));
                played.lose(Forfeit { by_self, how, why });
                return Ok(Some(played));
            }
        }
    }
    let Placed { position, side } = line.board();
    let discs = i32::from(position.final_score());
    played.discs = if side == Side::Black { discs } else { -discs };
    Ok(Some(played))
}
