//! A player's openings year by year: what was new, and what was given up.

use std::collections::BTreeMap;

use super::player::{OpeningScore, PlayerScore};
use crate::app::json::{object, serialize};
use crate::othello::board::Side;

/// What a player's openings were in a year.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct YearOfOpenings {
    pub year: u16,
    /// Those played in it, the most played first.
    pub played: Vec<OpeningScore>,
    /// Of those, the ones that were never played before, by their places; none in the first year.
    pub new: Vec<usize>,
    /// Those that were played in the year before that has games, and never again, with all their games.
    pub given_up: Vec<OpeningScore>,
}

serialize! {
    year(YearOfOpenings) => object! {
        year: year.year,
        openings: year.played.iter().enumerate()
            .map(|(at, known)| object! { ..known: known, new: year.new.contains(&at) })
            .collect::<Vec<_>>(),
        given_up: &year.given_up,
    },
}

/// Results by year, opening, and whether with Black.
pub(super) type ByYear = BTreeMap<u16, BTreeMap<(&'static str, bool), PlayerScore>>;

/// The years in their order, with the openings that have so many games in all.
pub(super) fn years_of_openings(by_year: &ByYear, least: u64) -> Vec<YearOfOpenings> {
    let mut all: BTreeMap<(&str, bool), (PlayerScore, u16, u16)> = BTreeMap::new();
    for (&year, openings) in by_year {
        for (&opening, score) in openings {
            let (sum, _, last) = all.entry(opening).or_insert((PlayerScore::default(), year, year));
            sum.add(score);
            *last = year;
        }
    }
    all.retain(|_, (sum, ..)| sum.games >= least);
    let scored = |(opening, black): (&str, bool), score: PlayerScore| OpeningScore {
        opening: opening.to_owned(),
        side: if black { Side::Black } else { Side::White },
        score,
    };
    let mut before = None;
    let year_of = |(&year, openings): (&u16, &BTreeMap<(&'static str, bool), PlayerScore>)| {
        let mut played: Vec<(OpeningScore, bool)> = openings
            .iter()
            .filter_map(|(&opening, &score)| {
                let &(_, first, _) = all.get(&opening)?;
                Some((scored(opening, score), first == year && before.is_some()))
            })
            .collect();
        played.sort_by_key(|(known, _)| std::cmp::Reverse(known.score.games));
        let is_new = played.iter().enumerate().filter(|(_, (_, new))| *new);
        let new = is_new.map(|(at, _)| at).collect();
        let last_before = before.replace(year);
        let ended = all.iter().filter(|(_, (.., last))| Some(*last) == last_before);
        let given_up = ended.map(|(&opening, &(sum, ..))| scored(opening, sum)).collect();
        let played = played.into_iter().map(|(known, _)| known).collect();
        YearOfOpenings { year, played, new, given_up }
    };
    by_year.iter().map(year_of).collect()
}
