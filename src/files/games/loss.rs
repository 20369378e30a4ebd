//! What a format cannot hold of a game.

use std::collections::BTreeMap;

use super::game::Game;
use super::stated::{Stated, StatedScore};

/// Something of a game that is not in the file, or not as it was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Loss {
    /// Where the game was read.
    Source,
    Event,
    Round,
    Date,
    /// The year, since a file has one for all its games.
    Year,
    /// A player's name, or letters of it.
    Name,
    Rating,
    /// Which way the board was turned.
    Orientation,
    /// What the header said of the result.
    Result,
    /// That of its result only the winner is known.
    Winner,
    /// That its result is not known.
    Unknown,
    Theoretical,
    /// Time limits and times of moves.
    Time,
    /// Comments, signs and evaluations of moves.
    Remarks,
    /// Other moves that are given.
    Variations,
    Xot,
    /// Other facts.
    Extra,
}

impl Loss {
    pub const fn text(self) -> &'static str {
        match self {
            Self::Source => "the source file",
            Self::Event => "the event's name, or letters of it",
            Self::Round => "the round",
            Self::Date => "the date, or the day of it",
            Self::Year => {
                "the year: such a file has one for all of its games (export year by year)"
            }
            Self::Name => "a player's name, or letters of it",
            Self::Rating => "ratings",
            Self::Orientation => "the orientation of the board",
            Self::Result => "how it ended, in the header's words",
            Self::Winner => "that only the winner is known: it reads as discs",
            Self::Unknown => "that its result is not known: it reads as a draw",
            Self::Theoretical => "the theoretical score",
            Self::Time => "time limits and times of moves",
            Self::Remarks => "comments, signs and evaluations of moves",
            Self::Variations => "variations: moves that were not made",
            Self::Xot => "that it is an XOT game",
            Self::Extra => "other facts",
        }
    }

    /// What is not there any more when a game has been written and read again. Facts that were not
    /// known before are no loss.
    pub(super) fn between(game: &Game, again: &Game) -> impl Iterator<Item = Self> + use<> {
        fn lost<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
            one.is_some() && one != other
        }
        let of_winner = |stated: &Stated| matches!(stated.score, Some(StatedScore::Winner(_)));
        let gets_discs = |stated: &Stated| {
            let again = again.stated.as_ref().filter(|again| again.score.is_some());
            of_winner(stated) && again.is_some_and(|again| !of_winner(again))
        };
        let is_held =
            |stated: &Stated| again.stated.as_ref().is_some_and(|again| again.holds(stated));
        let is_lost = [
            (
                Self::Source,
                game.source != again.source && !game.source.is_empty()
                    || game.also_in != again.also_in && !game.also_in.is_empty(),
            ),
            (Self::Event, lost(&game.event, &again.event)),
            (Self::Round, lost(&game.round, &again.round)),
            (Self::Date, lost(&game.date, &again.date)),
            (
                Self::Name,
                lost(&game.black.name, &again.black.name)
                    || lost(&game.white.name, &again.white.name),
            ),
            (
                Self::Rating,
                lost(&game.black.rating, &again.black.rating)
                    || lost(&game.white.rating, &again.white.rating),
            ),
            (Self::Orientation, game.moves != again.moves || game.start != again.start),
            (Self::Result, game.stated.as_ref().is_some_and(|stated| !is_held(stated))),
            (Self::Winner, game.stated.as_ref().is_some_and(gets_discs)),
            (Self::Theoretical, lost(&game.theoretical, &again.theoretical)),
            (
                Self::Time,
                lost(&game.time_control, &again.time_control)
                    || (!game.milliseconds.is_empty() && game.milliseconds != again.milliseconds),
            ),
            (Self::Remarks, {
                let said = |of: &Game| of.remarks.without_variations();
                !game.remarks.is_empty() && said(game) != said(again)
            }),
            (Self::Variations, !game.remarks.variations().eq(again.remarks.variations())),
            (Self::Xot, game.xot != again.xot),
            (
                Self::Extra,
                game.extra.iter().any(|(name, value)| again.extra.get(name) != Some(value)),
            ),
        ];
        is_lost.into_iter().filter_map(|(loss, is_lost)| is_lost.then_some(loss))
    }
}

/// How many games have lost what.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Losses {
    counts: BTreeMap<Loss, u64>,
    /// Games without a theoretical score, for whose sake a file of WTHOR does not hold those of the others.
    pub without_theory: u64,
}

impl Losses {
    pub(super) fn add(&mut self, loss: Loss) {
        *self.counts.entry(loss).or_default() += 1;
    }

    /// Each loss with the number of games that have it.
    pub fn counts(&self) -> impl Iterator<Item = (Loss, u64)> {
        self.counts.iter().map(|(&loss, &count)| (loss, count))
    }

    /// Whether everything is held.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}
