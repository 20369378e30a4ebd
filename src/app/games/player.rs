//! One player's games: how they ended, by colour, opening and year.

use std::collections::BTreeMap;

use super::database::GameDatabase;
use super::list::{ListOptions, chosen};
use super::openings_by_year::{ByYear, YearOfOpenings, years_of_openings};
use super::person::{Person, PlayerError, one_player};
use crate::app::json::{hundredths, object, serialize};
use crate::files::games::opening_of_line;
use crate::othello::board::{Line, Placed, Side, Square};
use crate::store::{GameFacts, GameId, GameOutcome, StoreError};

/// Results from the player's side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayerScore {
    /// Games, those without a result counted.
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// Games whose discs are known, and the sum of the differences: own discs less the other's, empties to
    /// the winner.
    differences: (u64, i64),
}

serialize! {
    known(OpeningScore) => object! { opening: &known.opening, side: known.side, ..score: known.score },
}

serialize! {
    score(PlayerScore) => object! {
        games: score.games,
        won: score.won,
        drawn: score.drawn,
        lost: score.lost,
        percent: score.percent().map(hundredths),
        mean_difference: score.mean_difference().map(hundredths),
    },
}

impl PlayerScore {
    pub(super) fn count(&mut self, outcome: Option<GameOutcome>, side: Side) {
        self.games += 1;
        match (outcome, side) {
            (Some(GameOutcome::Draw), _) => self.drawn += 1,
            (Some(GameOutcome::Black), Side::Black) | (Some(GameOutcome::White), Side::White) => {
                self.won += 1;
            }
            (Some(_), _) => self.lost += 1,
            (None, _) => {}
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.differences.0 += other.differences.0;
        self.differences.1 += other.differences.1;
    }

    fn add_game(&mut self, facts: &GameFacts, side: Side) {
        self.count(facts.outcome, side);
        if let Some(discs) = facts.black_discs {
            let black = 2 * i64::from(discs) - 64;
            let (games, sum) = self.differences;
            self.differences = (games + 1, sum + if side == Side::Black { black } else { -black });
        }
    }

    /// The mean difference of discs of the games of which it is known: above 0 where the player had more.
    pub(crate) fn mean_difference(&self) -> Option<f64> {
        let (games, sum) = self.differences;
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// Points for each game with a result, in percent: 100 for a win, 50 for a draw.
    pub(crate) fn percent(&self) -> Option<f64> {
        let known = self.won + self.drawn + self.lost;
        (known > 0).then(|| 100.0 * (self.won as f64 + 0.5 * self.drawn as f64) / known as f64)
    }
}

/// Results in an opening with a colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpeningScore {
    pub opening: String,
    /// The colour that the player had.
    pub side: Side,
    pub score: PlayerScore,
}

/// One player's games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlayerReport {
    pub player: Person,
    /// The others, where only games against some were asked for.
    pub against: Vec<String>,
    pub all: PlayerScore,
    pub black: PlayerScore,
    pub white: PlayerScore,
    /// By opening and colour, those played most first.
    pub openings: Vec<OpeningScore>,
    /// By year, where it is known.
    pub years: BTreeMap<u16, PlayerScore>,
    openings_of_years: ByYear,
}

impl PlayerReport {
    /// Year by year, where years are known, the openings that have so many games in all.
    pub(crate) fn openings_by_year(&self, least: u64) -> Vec<YearOfOpenings> {
        years_of_openings(&self.openings_of_years, least)
    }
}

/// All about those of the games that one player played.
pub(crate) fn player_report(
    database: &GameDatabase<'_>,
    name: &str,
    options: &ListOptions,
) -> Result<PlayerReport, PlayerError> {
    let _snapshot = database.book().snapshot()?;
    let player = one_player(database, name)?;
    let other = |name: &String| match one_player(database, name) {
        Ok(other) if other.is_also(&player) => Err(PlayerError::Same(other.name)),
        Ok(other) => Ok(other.name),
        Err(PlayerError::Several { .. }) => Ok(name.clone()),
        Err(error) => Err(error),
    };
    let against = options.filter.against.iter().map(other).collect::<Result<_, _>>()?;
    let mut report = PlayerReport {
        player,
        against,
        all: PlayerScore::default(),
        black: PlayerScore::default(),
        white: PlayerScore::default(),
        openings: Vec::new(),
        years: BTreeMap::new(),
        openings_of_years: ByYear::new(),
    };
    let mut openings: BTreeMap<(&str, bool), PlayerScore> = BTreeMap::new();
    let own = |facts: &GameFacts| report.player.is(facts.black) || report.player.is(facts.white);
    let games =
        chosen(database, options)?.into_iter().filter_map(|id| Some((id, database.facts(id)?)));
    let games: Vec<(GameId, &GameFacts)> = games.filter(|(_, facts)| own(facts)).collect();
    for (game, facts) in games {
        let opening = opening_of(database, game)?;
        for (side, whose) in [(Side::Black, facts.black), (Side::White, facts.white)] {
            if !report.player.is(whose) {
                continue;
            }
            let black = side == Side::Black;
            let of_side = if black { &mut report.black } else { &mut report.white };
            of_side.add_game(facts, side);
            report.all.add_game(facts, side);
            if let Some(year) = facts.year {
                report.years.entry(year).or_default().add_game(facts, side);
                let of_year = report.openings_of_years.entry(year).or_default();
                of_year.entry((opening, black)).or_default().add_game(facts, side);
            }
            openings.entry((opening, black)).or_default().add_game(facts, side);
        }
    }
    report.openings = openings
        .into_iter()
        .map(|((opening, black), score)| OpeningScore {
            opening: opening.to_owned(),
            side: if black { Side::Black } else { Side::White },
            score,
        })
        .collect();
    report.openings.sort_by_key(|opening| std::cmp::Reverse(opening.score.games));
    Ok(report)
}

/// Named openings end within so many moves.
const NAMED: usize = 24;

/// The name of the opening of a game.
pub(in crate::app) fn opening_of(
    database: &GameDatabase<'_>,
    game: GameId,
) -> Result<&'static str, StoreError> {
    let Some(row) = database.book().games().get(game)? else { return Ok("") };
    if row.start.is_some() {
        return Ok("another start");
    }
    let moves = row.moves.iter().take(NAMED).filter_map(|&number| Square::try_new(number));
    let line = Line::from_board(Placed::START).then(&moves.collect::<Vec<_>>());
    Ok(opening_of_line(&line).unwrap_or("no name"))
}
