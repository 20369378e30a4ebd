//! A game whose moves are valued.

use std::cmp::Reverse;

use crate::files::games::Game;
use crate::othello::board::Side;
use crate::store::GameId;

use super::analysed_move::AnalysedMove;
use super::sums::SideSums;

/// A game with the value and the cost of each move.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysedGame {
    /// Players, date, place, the board that it starts from, and its result.
    pub game: Game,
    /// Its number in the game database, where it was taken from there.
    pub id: Option<GameId>,
    /// The moves in order, passes left out: one for each of the game's.
    pub moves: Vec<AnalysedMove>,
    /// The ply of the first move that leads from a position of the book out of it; none where the
    /// game never was in the book or never left it.
    pub left_book_at: Option<usize>,
    /// The last position of the game that another game of the database came to; none where no other
    /// game did after the first move, or there is no database.
    pub last_game_at: Option<OtherGame>,
}

/// Where a game was last in company.
#[derive(serde::Serialize, Clone, PartialEq, Eq, Debug)]
pub struct OtherGame {
    /// The moves that were played to get there, 1 or more.
    pub ply: usize,
    /// How many other games went on from there.
    pub games: u64,
    /// One of them: the latest.
    pub game: GameId,
    /// Players and year, such as `Hiroshi Inoue - Marc Tastet, 1983`.
    pub title: String,
}

impl AnalysedGame {
    /// The losses of one side.
    pub fn sums(&self, side: Side) -> SideSums {
        let mut sums = SideSums::default();
        self.moves
            .iter()
            .filter(|played| played.side() == side)
            .for_each(|played| sums.add(played));
        sums
    }

    /// The moves that cost most, at most so many, the worst first; of equal ones the earlier. Moves
    /// that cost nothing are not among them.
    pub(crate) fn worst(&self, count: usize) -> Vec<&AnalysedMove> {
        let cost = |played: &&AnalysedMove| played.loss().map_or(0, |loss| loss.centidiscs());
        let mut costly: Vec<&AnalysedMove> =
            self.moves.iter().filter(|played| cost(played) > 0).collect();
        costly.sort_by_key(|played| Reverse(cost(played)));
        costly.truncate(count);
        costly
    }

    /// The ply of the first move from which on all values are exact; none where the last move's is
    /// not.
    pub fn exact_from(&self) -> Option<usize> {
        let is_exact =
            |played: &&AnalysedMove| played.value.is_some_and(|value| value.known.is_exact());
        self.moves.iter().rev().take_while(is_exact).last().map(|played| played.ply)
    }

    /// Whether every move was valued.
    pub fn is_complete(&self) -> bool {
        self.moves.iter().all(|played| played.value.is_some())
    }
}
