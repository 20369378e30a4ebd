//! Positions that the book values otherwise than games end from there.

use super::question::{DiscoverError, Ground, Place, WINDOW, is_open};
use crate::app::games::GameDatabase;
use crate::app::json::{hundredths, object, serialize};
use crate::files::games::opening_of_line;
use crate::openbook::NodeSource;
use crate::openbook::trust::expected_error;
use crate::othello::board::{Key, Line, Side};
use crate::othello::score::Score;

/// What the values of the book are compared with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ComparedWith {
    /// The discs that games ended with
    #[default]
    Results,
    /// The discs that perfect play would have given from a late position of the games
    Theory,
}

#[derive(Clone, Debug)]
pub struct DisagreementOptions {
    /// Where to look; so many games must have what is compared.
    pub place: Place,
    pub with: ComparedWith,
    /// The least difference, in centidiscs.
    pub difference: i32,
    /// Only positions that are at most so far from even, in centidiscs.
    pub window: i32,
}

impl Default for DisagreementOptions {
    fn default() -> Self {
        let place = Place { least_games: 20, limit: 10, ..Place::default() };
        Self { place, with: ComparedWith::default(), difference: 200, window: WINDOW }
    }
}

/// A position that the book values otherwise than games end from there. Values are in discs, for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Disagreement {
    /// The usual moves to the position.
    pub line: Line,
    /// The side to move.
    pub side: Side,
    /// Games that have what is compared.
    pub games: u64,
    pub guess: Score,
    /// The mean of the games.
    pub mean: f64,
    /// The standard error of the difference.
    pub error: f64,
}

impl Disagreement {
    /// Above 0 where games end better for the side to move than the book says.
    pub(crate) fn difference(&self) -> f64 {
        self.mean - self.guess.discs()
    }
}

serialize! {
    found(Disagreement) => object! {
        line: &found.line,
        name: opening_of_line(&found.line),
        side: found.side,
        games: found.games,
        guess: found.guess,
        mean_score: hundredths(found.mean),
        difference: hundredths(found.difference()),
        error: hundredths(found.error),
    },
}

/// Theoretical scores are of 24 empty squares, nearly always: what came before leads there.
const LAST_DISCS: u8 = 40;

/// The positions where both differ most, less the error of that.
pub fn disagreements(
    database: &GameDatabase<'_>,
    options: &DisagreementOptions,
) -> Result<Vec<Disagreement>, DiscoverError> {
    let _snapshot = database.book().snapshot()?;
    let ground = Ground::of(database, &options.place, |_| (true, true))?;
    let mut found = Vec::new();
    let mut known = false;
    for reached in &ground.sweep.positions {
        let key = reached.key;
        let node = ground.book.node(&key)?.filter(|node| !node.is_incomplete());
        let Some(node) = node else { continue };
        known = true;
        let guess = node.values.guess;
        let is_late = options.with == ComparedWith::Theory && key.discs() > LAST_DISCS;
        if is_late || !is_open(guess, options.window) {
            continue;
        }
        let (games, mean, variance) = mean_of(&ground, key, options.with)?;
        if games < options.place.least_games.max(2) {
            continue;
        }
        let of_book = expected_error(&node).unwrap_or_else(|| node.search_error());
        let error = (variance / games as f64).sqrt().hypot(of_book);
        let difference = (mean - guess.discs()).abs();
        if difference * 100.0 >= f64::from(options.difference) && difference > error {
            found.push((difference - error, key, games, guess, mean, error));
        }
    }
    if !known {
        return Err(DiscoverError::NothingShared(options.place.least_games));
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    found.truncate(options.place.limit);
    let told = |(_, key, games, guess, mean, error)| {
        let line = ground.sweep.line(key, &[]);
        let side = line.board().side;
        Disagreement { line, side, games, guess, mean, error }
    };
    Ok(found.into_iter().map(told).collect())
}

/// How many games that went on from a position have what is compared, its mean for the side to move, and its variance.
fn mean_of(
    ground: &Ground<'_, '_>,
    key: Key,
    with: ComparedWith,
) -> Result<(u64, f64, f64), DiscoverError> {
    let (mut games, mut sum, mut squares) = (0_u64, 0.0, 0.0);
    ground.database.visits(key, |visit| {
        let game = visit.entry.game;
        let Some(facts) = ground.database.facts(game).filter(|_| ground.counted.takes(game)) else {
            return;
        };
        let discs = match with {
            ComparedWith::Results => facts.black_discs,
            ComparedWith::Theory => facts.theoretical,
        };
        if let Some(discs) = discs {
            let black = 2.0 * f64::from(discs) - 64.0;
            let own = if visit.entry.black { black } else { -black };
            (games, sum, squares) = (games + 1, sum + own, squares + own * own);
        }
    })?;
    let count = games.max(1) as f64;
    let mean = sum / count;
    Ok((games, mean, (squares / count - mean * mean).max(0.0)))
}
