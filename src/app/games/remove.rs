//! Taking games out of a book.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter, collections_meant};
use super::list::{ListOptions, chosen};
use super::row::NAME_RULES;
use crate::store::{Book, Collection, GameId, GameStore, Reader};

/// What is taken out of a book, or would be.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Removal {
    /// Games that are gone.
    pub removed: u64,
    /// Games that stay, since others than these sources gave them, too.
    pub kept: u64,
    /// The names of the sources that were asked for: their games do not come from them any more.
    pub sources: Vec<String>,
}

/// Which games go, and which lose sources only.
struct Plan {
    sources: Vec<Collection>,
    removed: Vec<GameId>,
    kept: Vec<GameId>,
}

impl Plan {
    /// These games, each of which must be there.
    fn of_numbers(book: &Reader, games: &[GameId]) -> Result<Self, FilterError> {
        let _snapshot = book.snapshot()?;
        let database = GameDatabase::open(book)?;
        let mut removed = games.to_vec();
        removed.sort_unstable();
        removed.dedup();
        match removed.iter().find(|&&game| database.facts(game).is_none()) {
            Some(_) if database.is_empty() => Err(FilterError::NoGames),
            Some(missing) => Err(FilterError::NoGame(missing.0)),
            None => Ok(Self { sources: Vec::new(), removed, kept: Vec::new() }),
        }
    }

    fn of(book: &Reader, filter: &GameFilter) -> Result<Self, FilterError> {
        let _snapshot = book.snapshot()?;
        let database = GameDatabase::open(book)?;
        let options = ListOptions { filter: filter.clone(), ..ListOptions::default() };
        let games = chosen(&database, &options)?;
        let Some(text) = &filter.source else {
            return Ok(Self { sources: Vec::new(), removed: games, kept: Vec::new() });
        };
        let all = book.games().collections()?;
        let sources: Vec<Collection> = collections_meant(&all, text).into_iter().cloned().collect();
        let mut of_others: HashSet<GameId, FixedState> = HashSet::default();
        for other in all.iter().filter(|known| !sources.contains(known)) {
            of_others.extend(book.games().of_collection(other.id)?);
        }
        let (kept, removed) = games.into_iter().partition(|game| of_others.contains(game));
        Ok(Self { sources, removed, kept })
    }

    fn told(self) -> Removal {
        Removal {
            removed: self.removed.len() as u64,
            kept: self.kept.len() as u64,
            sources: self.sources.into_iter().map(|source| source.name).collect(),
        }
    }
}

/// Removes the games that a filter takes. Where it asks for sources, a game that others gave, too,
/// stays and loses these. Commits.
pub fn remove_games(book: &mut Book, filter: &GameFilter) -> Result<Removal, FilterError> {
    let plan = Plan::of(book.reader(), filter)?;
    carry_out(book, plan)
}

/// Removes the games with these numbers, from whatever sources they came. Commits.
///
/// # Errors
/// The book cannot be read or written, or there is no game with one of the numbers: all stay then.
pub(crate) fn remove_numbered_games(
    book: &mut Book,
    games: &[GameId],
) -> Result<Removal, FilterError> {
    let plan = Plan::of_numbers(book.reader(), games)?;
    carry_out(book, plan)
}

fn carry_out(book: &mut Book, plan: Plan) -> Result<Removal, FilterError> {
    let mut store = GameStore::open(book, NAME_RULES)?;
    for source in &plan.sources {
        store.remove_source(&plan.kept, source.id)?;
    }
    store.remove(&plan.removed)?;
    store.finish()?;
    book.commit()?;
    Ok(plan.told())
}

/// What [`remove_numbered_games`] would do.
pub(crate) fn would_remove_numbered(
    book: &Reader,
    games: &[GameId],
) -> Result<Removal, FilterError> {
    Ok(Plan::of_numbers(book, games)?.told())
}

/// What [`remove_games`] would do.
pub fn would_remove(book: &Reader, filter: &GameFilter) -> Result<Removal, FilterError> {
    Ok(Plan::of(book, filter)?.told())
}
