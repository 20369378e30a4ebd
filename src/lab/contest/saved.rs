//! The games of a match as games.

use super::pair::{Pair, PairGame};
use crate::files::games::{Date, Game, Player};
use crate::othello::board::Line;

/// The players, and the date.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MatchNames<'a> {
    pub first: &'a str,
    pub second: &'a str,
    pub date: Option<Date>,
    /// The openings are those of XOT.
    pub xot: bool,
}

impl MatchNames<'_> {
    /// The two games of a pair. Their rounds are the number of the opening and of the game, both from 1: a program
    /// that plays itself has one name on both sides.
    pub(crate) fn games(&self, pair: &Pair, opening: &Line) -> [Game; 2] {
        let Self { first, second, .. } = *self;
        let player = |name: &str| Player { name: Some(name.to_owned()), rating: None };
        let game = |played: &PairGame, number: u8, [black, white]: [&str; 2], black_by: i32| {
            let line = opening.then(&played.moves);
            Game {
                event: Some(format!("match {first} - {second}")),
                round: Some(format!("{}.{number}", pair.opening + 1)),
                date: self.date,
                black: player(black),
                white: player(white),
                start: line.start(),
                moves: line.squares().collect(),
                black_discs: u8::try_from(32 + black_by / 2).ok(),
                xot: self.xot,
                ..Game::default()
            }
        };
        let Pair { as_black, as_white, .. } = pair;
        [
            game(as_black, 1, [first, second], as_black.discs),
            game(as_white, 2, [second, first], -as_white.discs),
        ]
    }
}
