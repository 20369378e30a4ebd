//! Distinguishes most games of one line at a glance, where there are thousands of them.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::date::Date;
use super::game::Game;
use super::identity::names;
use super::name_words::telling_words;

/// A game's players, year, day and round, as far as they say that another game is not this one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outline {
    /// The words of both names, as numbers that two of them hardly have in common; none where no name is known.
    names: Option<Box<[u64]>>,
    year: Option<u16>,
    /// A day that is known whole.
    day: Option<Date>,
    /// The round, as a number that two of them hardly have in common.
    round: Option<u64>,
    /// No source gave another day or round.
    is_plain: bool,
}

impl Outline {
    pub(crate) fn of(game: &Game) -> Self {
        let is_plain = ["date", "round"].iter().all(|name| game.also(name).next().is_none());
        let hash = FixedState::default();
        let names = names(game);
        let words = telling_words(&names);
        Self {
            names: (!names.is_empty())
                .then(|| words.iter().map(|word| hash.hash_one(word)).collect()),
            year: game.date.map(Date::year),
            day: game.date.filter(|date| date.day().is_some() && !date.may_be_a_year()),
            round: game.round.as_ref().map(|round| hash.hash_one(round)),
            is_plain,
        }
    }

    /// Whether [`super::same_facts`] is sure to say no of two games with long lines.
    pub(crate) fn is_of_another(&self, other: &Self) -> bool {
        let are_others =
            |(own, given): (&[u64], &[u64])| !own.iter().any(|word| given.contains(word));
        let names = self.names.as_deref().zip(other.names.as_deref());
        differ(self.year, other.year) || names.is_some_and(are_others)
    }

    /// Whether [`super::differs_in_detail`] is sure to say yes, where this is the known game.
    pub(crate) fn differs(&self, game: &Self) -> bool {
        self.is_plain && (differ(self.day, game.day) || differ(self.round, game.round))
    }
}

fn differ<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::{Player, differs_in_detail, same_facts};

    /// What an outline is sure of is so.
    #[test]
    fn an_outline_claims_no_more_than_the_games_say() {
        let dates = [None, Some("2019"), Some("2019-05"), Some("2019-05-04"), Some("2019-05-05")];
        let dates = dates.into_iter().chain([Some("2020-05-04")]);
        let mut games = Vec::new();
        for date in dates {
            for round in [None, Some("1"), Some("2")] {
                for (number, also) in [None, Some(("date", "2019-05-05")), Some(("round", "2"))]
                    .into_iter()
                    .enumerate()
                {
                    let players =
                        [[None, None], [Some("Ann Lee"), None], [Some("Bob"), Some("Lee, A.")]];
                    let [black, white] = players[(games.len() / 2 + number) % 3]
                        .map(|name| Player { name: name.map(str::to_owned), ..Player::default() });
                    let mut game = Game {
                        black,
                        white,
                        date: date.and_then(|date| Date::read(date)).map(|(date, _)| date),
                        round: round.map(str::to_owned),
                        moves: vec!["f5".parse().unwrap(); 60],
                        ..Game::default()
                    };
                    if let Some((name, value)) = also {
                        let mut other = game.clone();
                        match name {
                            "date" => other.date = Date::read(value).map(|(date, _)| date),
                            _ => other.round = Some(value.to_owned()),
                        }
                        game.absorb(&other);
                    }
                    games.push(game);
                }
            }
        }
        let (mut others, mut differing) = (0, 0);
        for known in &games {
            for game in &games {
                let (one, other) = (Outline::of(known), Outline::of(game));
                if one.is_of_another(&other) {
                    assert!(!same_facts(known, game), "{known:?} {game:?}");
                    others += 1;
                }
                if one.differs(&other) {
                    assert!(differs_in_detail(known, game), "{known:?} {game:?}");
                    differing += 1;
                }
            }
        }
        assert!(others > 100 && differing > 100, "{others} {differing}");
    }
}
