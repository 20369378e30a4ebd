//! What all questions about book and games have in common: which games, from where on, and what is
//! answered with nothing.

use std::collections::{BTreeMap, HashSet};

use foldhash::fast::FixedState;
use thiserror::Error;

use super::judged::MoveLoss;
use super::layered::LayeredBook;
use super::sweep::{Counted, Sweep};
use crate::app::games::{FilterError, GameDatabase, GameFilter, PlayerError, player_of};
use crate::app::show::best_play;
use crate::app::within::Walk;
use crate::openbook::Hint;
use crate::openbook::lines::By;
use crate::openbook::regret::RegretLimits;
use crate::othello::board::{Key, Line, Placed, Square};
use crate::othello::score::Score;
use crate::store::{GameFacts, Reader, StoreError};

/// Where to look.
#[derive(Clone, Default, Debug)]
pub struct Place {
    /// Only positions that games came to from the end of this line; no move asks for all.
    pub from: Line,
    /// Which games count.
    pub filter: GameFilter,
    /// Only positions that so many of them came through.
    pub least_games: u64,
    /// Only positions that lines of the book within these limits lead to.
    pub losses: RegretLimits,
    /// At most so many answers.
    pub limit: usize,
}

/// Positions that are further from even, in centidiscs, are looked at only where that is asked for.
pub(crate) const WINDOW: i32 = 1000;

/// Why a question has no answer.
#[derive(Debug, Error)]
pub enum DiscoverError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Filter(#[from] FilterError),
    #[error("{0}")]
    Player(#[from] PlayerError),
    #[error("{}", FilterError::NoGames)]
    NoGames,
    /// No game that counts comes to where the question starts.
    #[error("no matching game reaches this position: try fewer moves, or fewer conditions")]
    NoGameHere,
    /// No position has as many games as it must have to count: no growth of the book mends that.
    #[error(
        "only {games} of the {least} games needed reach{} this position",
        if *.games == 1 { "es" } else { "" }
    )]
    TooFewGames {
        /// How many come to where the question starts.
        games: u64,
        least: u64,
    },
    /// The book and the games have no position in common that is played often enough.
    #[error("no position that {0} games came through is in the book")]
    NothingShared(u64),
}

impl DiscoverError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        match self {
            Self::NoGames => FilterError::NoGames.hint(),
            &Self::NothingShared(least_games) => Some(Hint::GrowPopular { least_games }),
            _ => None,
        }
    }
}

/// What a question goes through.
pub(super) struct Ground<'d, 'b> {
    pub(super) database: &'d GameDatabase<'b>,
    pub(super) book: LayeredBook<'b>,
    pub(super) counted: Counted,
    pub(super) sweep: Sweep,
    /// The positions that lines within the limits lead to; none where there are no limits.
    within: Option<HashSet<Key, FixedState>>,
}

impl<'d, 'b> Ground<'d, 'b> {
    /// Goes through the games of a place; `owns` says whether Black's moves in a game count, and
    /// White's. A game of which neither do does not count.
    pub(super) fn of(
        database: &'d GameDatabase<'b>,
        place: &Place,
        owns: impl Fn(&GameFacts) -> (bool, bool),
    ) -> Result<Self, DiscoverError> {
        if database.is_empty() {
            return Err(DiscoverError::NoGames);
        }
        let taken = database.taken(&place.filter)?;
        let counted = Counted::of(database, |game, facts| {
            let taken =
                taken.as_ref().is_none_or(|taken| taken.get(game.0 as usize) == Some(&true));
            let own = owns(facts);
            (taken && (own.0 || own.1)).then_some(own)
        });
        let book = LayeredBook::of(database.book())?;
        let deepest = book.deepest().unwrap_or(0);
        let mut sweep = Sweep::of(database, &place.from, &counted, place.least_games, deepest)?;
        if sweep.is_empty() {
            return Err(DiscoverError::NoGameHere);
        }
        if sweep.positions.is_empty() {
            let (games, least) = (sweep.games_at(sweep.root()), place.least_games);
            return Err(DiscoverError::TooFewGames { games, least });
        }
        let within = match place.losses.is_set() {
            true => Some(within(database.book(), place, &sweep)?),
            false => None,
        };
        if let Some(within) = &within {
            sweep.keep(within);
        }
        Ok(Self { database, book, counted, sweep, within })
    }

    /// Whether a move from a position within the limits may be: it leads to such a position, or it leads
    /// out of the book and gives nothing away.
    pub(super) fn allows(&self, child: Option<Key>, loss: Option<MoveLoss>) -> bool {
        let Some(within) = &self.within else { return true };
        let is_best = loss.is_some_and(|loss| loss.loss == Score::ZERO && !loss.at_least);
        is_best || child.is_some_and(|child| within.contains(&child))
    }

    /// The players that made a move that counts at a position, or any there: first those that did
    /// it most, recent games counted more.
    pub(super) fn who(&self, key: Key, square: Option<Square>) -> Result<Who, StoreError> {
        let mut by: BTreeMap<u32, Times> = BTreeMap::new();
        let (mut last_year, mut games) = (None, 0);
        self.database.visits(key, |visit| {
            if !self.counted.owns(&visit) || square.is_some_and(|square| square != visit.square) {
                return;
            }
            let Some(facts) = self.database.facts(visit.entry.game) else { return };
            games += 1;
            last_year = last_year.max(facts.year);
            let player = if visit.entry.black { facts.black } else { facts.white };
            if let Some(player) = player {
                let times = by.entry(player).or_default();
                times.games += 1;
                times.weight += self.counted.weight(visit.entry.game);
                times.last_year = times.last_year.max(facts.year);
            }
        })?;
        let mut players: Vec<(u32, Times)> = by.into_iter().collect();
        players.sort_by(|(one, of_one), (other, of_other)| {
            of_other.weight.total_cmp(&of_one.weight).then(one.cmp(other))
        });
        Ok(Who { games, last_year, players })
    }
}

/// The positions that lines of the book within the limits of a place lead to, as deep as games go and a
/// move more.
fn within(
    book: &Reader,
    place: &Place,
    sweep: &Sweep,
) -> Result<HashSet<Key, FixedState>, StoreError> {
    let mut walk = Walk::from(place.from.end().unwrap_or(Placed::START), place.losses);
    walk.last = sweep.positions.last().map_or(0, |deepest| deepest.key.discs() + 1);
    let mut within = HashSet::default();
    walk.run(book, |_, node, is_reached| {
        if is_reached {
            within.insert(node.key);
        }
        is_reached
    })?;
    Ok(within)
}

/// How often, and how late.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Times {
    pub(super) games: u64,
    weight: f64,
    pub(super) last_year: Option<u16>,
}

/// The players that made a move.
pub(super) struct Who {
    pub(super) games: u64,
    pub(super) last_year: Option<u16>,
    /// By their numbers.
    pub(super) players: Vec<(u32, Times)>,
}

/// How often a player made a move.
#[derive(serde::Serialize, Clone, PartialEq, Eq, Debug)]
pub struct PlayerTimes {
    pub name: String,
    pub games: u64,
    /// In which year the last time, where years are known.
    pub last_year: Option<u16>,
}

impl Who {
    /// The first few with their names.
    pub(super) fn named(
        &self,
        database: &GameDatabase<'_>,
        count: usize,
    ) -> Result<Vec<PlayerTimes>, StoreError> {
        let players = database.players()?;
        let first = self.players.iter().take(count).map(|&(id, times)| {
            let name = player_of(players, id).map(|player| player.name.clone()).unwrap_or_default();
            PlayerTimes { name, games: times.games, last_year: times.last_year }
        });
        Ok(first.collect())
    }
}

/// Whether a position is at most so far from even, in centidiscs.
pub(super) fn is_open(guess: Score, window: i32) -> bool {
    i32::from(guess.centidiscs()).abs() <= window
}

/// A line with the best play of the book behind it, at most so many moves of it.
pub(super) fn played_on(
    book: &LayeredBook<'_>,
    line: &Line,
    moves: usize,
) -> Result<Line, StoreError> {
    let Some(end) = line.end() else { return Ok(line.clone()) };
    let best = best_play(book, end, By::Guess)?;
    Ok(line.then(best.get(..moves.min(best.len())).unwrap_or_default()))
}
