//! One game of a match.

use crate::app::By;
use crate::app::player::book_moves;
use crate::othello::board::{After, Line, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{AnySearcher, Stop, ThreadTime};
use crate::store::{Reader, StoreError};

use super::{Pace, Player};

/// A player at the board, with a table and an open book of its own.
pub(super) struct Seat {
    searcher: AnySearcher,
    pace: Pace,
    book: Option<Reader>,
}

/// What a side did in a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct SideOfGame {
    pub book_moves: u64,
    pub seconds: f64,
    pub nodes: u64,
}

/// A finished game, seen by one player.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Played {
    /// The moves behind the opening.
    pub moves: Vec<Square>,
    /// The result in discs.
    pub discs: i32,
    /// The player and the other.
    pub sides: [SideOfGame; 2],
}

impl Played {
    pub(crate) fn seen_by_other(self) -> Self {
        let [one, other] = self.sides;
        Self { discs: -self.discs, sides: [other, one], ..self }
    }
}

impl Seat {
    pub(crate) fn new(player: &Player, table_megabytes: usize) -> Result<Self, StoreError> {
        Ok(Self {
            searcher: AnySearcher::new(player.evaluator.clone(), table_megabytes)
                .with_ordering(player.ordering),
            pace: player.pace,
            book: player.book.as_ref().map(Reader::open).transpose()?,
        })
    }

    fn choose(
        &mut self,
        position: Position,
        side: &mut SideOfGame,
        stop: &Stop,
    ) -> Result<Option<Square>, StoreError> {
        if let Some(square) = self.book_move(position)? {
            side.book_moves += 1;
            return Ok(Some(square));
        }
        let limits = self.pace.limits(position.empties());
        self.searcher.prepare_for(position, &limits);
        let start = ThreadTime::now();
        let outcome = self.searcher.search(position, 0, &limits, stop);
        side.seconds += start.seconds();
        side.nodes += outcome.nodes;
        Ok(outcome.best)
    }

    /// The move that is played by the book, if there is one.
    fn book_move(&self, position: Position) -> Result<Option<Square>, StoreError> {
        let Some(book) = &self.book else { return Ok(None) };
        let moves = book_moves(book, position, By::Guess, Score::ZERO)?;
        Ok(moves.first().map(|&(square, _)| square))
    }
}

/// Plays an opening on to the end; the result is seen by Black. When stopped it is worth nothing.
pub(super) fn play_game(
    black: &mut Seat,
    white: &mut Seat,
    opening: &Line,
    stop: &Stop,
) -> Result<Played, StoreError> {
    let mut played = Played::default();
    let Some(placed) = opening.end() else { return Ok(played) };
    let mut position = placed.position;
    let mut black_moves = placed.side == crate::othello::board::Side::Black;
    while !stop.is_stopped() {
        let (seat, side) = if black_moves {
            (&mut *black, &mut played.sides[0])
        } else {
            (&mut *white, &mut played.sides[1])
        };
        let Some(square) = seat.choose(position, side, stop)? else { break };
        played.moves.push(square);
        match position.after(square) {
            Some(After::Opponent(next)) => (position, black_moves) = (next, !black_moves),
            Some(After::Same(next)) => position = next,
            Some(After::Over(discs)) => {
                played.discs = i32::from(if black_moves { discs } else { -discs });
                break;
            }
            None => break,
        }
    }
    Ok(played)
}
