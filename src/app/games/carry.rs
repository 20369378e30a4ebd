//! Games that go from one book to another.

use std::collections::HashMap;

use super::alias::Aliases;
use super::row::{NAME_RULES, game_of, made_of};
use super::take::{Taken, Taker};
use crate::store::{Book, GameId, GameStore, Reader, SavedGame, StoreError, Wreck};

/// The collection of games of unknown origin.
const NOWHERE: &str = "unknown collection of a damaged book";

/// The result of adding the games of another book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MergedGames {
    /// Games that the book did not have.
    pub new: u64,
    /// Games that it had.
    pub known: u64,
    /// Games that it had, and of which the other book knew more.
    pub richer: u64,
}

/// Takes the games of another book in, with the collections that they came from; it is not committed
/// yet. What a game is, and which of two is richer, is decided as in an import.
pub(in crate::app) fn merge_games(
    book: &mut Book,
    other: &Reader,
) -> Result<MergedGames, StoreError> {
    let mut merged = MergedGames::default();
    let mut aliases = Aliases::of(other)?;
    if other.games().count()? == 0 && aliases.is_empty() {
        return Ok(merged);
    }
    let mut store = GameStore::open(book, NAME_RULES)?;
    let mut taker = Taker::default();
    let mut collections = HashMap::new();
    let joins = other.games().all_joined()?;
    for known in other.games().collections()?.into_iter().filter(|known| known.games > 0) {
        let number = store.collection(&known.name, &known.added)?;
        collections.insert(known.name, number);
    }
    other.games().for_each(GameId(0), |game, row| {
        let damage = |what: &str| other.damage(format!("game {}: {what}", game.0));
        let made = made_of(&row).map_err(|what| damage(&what))?;
        if let Some((_, what)) = row.contradictions(&made).next() {
            return Err(damage(what));
        }
        let sources = other.games().sources_of(game)?;
        let mut numbers: Vec<u32> =
            sources.iter().filter_map(|name| collections.get(name).copied()).collect();
        if numbers.is_empty() {
            numbers.push(store.collection(NOWHERE, "")?);
        }
        match taker.take(&mut store, &game_of(row, String::new()), &numbers)? {
            Taken::New => {
                merged.new += 1;
                if let Some((joined, newest)) = joins.get(&game).zip(store.newest()) {
                    store.set_joined(newest, joined)?;
                }
            }
            Taken::Known => merged.known += 1,
            Taken::Richer => merged.richer += 1,
        }
        Ok::<_, StoreError>(())
    })?;
    // What the book says of a name counts.
    Aliases::of(store.reader())?.iter().for_each(|(alias, name)| _ = aliases.add(alias, name));
    if !aliases.is_empty() {
        store.set_aliases(&aliases.text())?;
    }
    store.finish()?;
    Ok(merged)
}

/// What was saved of the games of a damaged book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::app) struct SavedGames {
    /// Games in the new book.
    pub(in crate::app) games: u64,
    /// Games that contradict themselves.
    pub(in crate::app) meaningless: u64,
}

/// Saves the games of a damaged book into a new one, with the numbers that they had as far as these
/// make sense; facts and index are made anew. Commits.
pub(in crate::app) fn salvage_games(
    wreck: &Wreck,
    book: &mut Book,
) -> Result<SavedGames, StoreError> {
    let mut saved = SavedGames::default();
    let mut joins = Vec::new();
    // More than such a file ever had: the number itself is damaged.
    let most = wreck.pages().saturating_mul(100).saturating_add(100_000);
    let mut store = GameStore::open(book, NAME_RULES)?;
    wreck.for_each_game(|SavedGame { game, row, collections }| {
        let Ok(made) = made_of(&row) else {
            saved.meaningless += 1;
            return Ok(());
        };
        if made.fingerprint != row.fingerprint && !row.has_older_fingerprint() {
            saved.meaningless += 1;
            return Ok(());
        }
        let joined = wreck.joined(game);
        let game = match u64::from(game.0) <= most {
            true => store.add_as(game, &made)?,
            false => store.add(&made)?,
        };
        joins.extend(joined.map(|joined| (game, joined.to_owned())));
        let nowhere = collections.is_empty().then_some(None);
        for collection in collections.into_iter().chain(nowhere) {
            let (name, day) = collection.unwrap_or_else(|| (NOWHERE.to_owned(), String::new()));
            let number = store.collection(&name, &day)?;
            store.add_source(game, number)?;
        }
        saved.games += 1;
        Ok::<_, StoreError>(())
    })?;
    if let Some(aliases) = wreck.aliases() {
        store.set_aliases(aliases)?;
    }
    for (game, joined) in joins {
        store.set_joined(game, &joined)?;
    }
    store.finish()?;
    book.commit()?;
    Ok(saved)
}
