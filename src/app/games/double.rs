//! Games that stand in a book twice: found, joined, and taken apart again.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::alias::Aliases;
use super::row::{NAME_RULES, game_of, row_of};
use crate::files::games::{
    self, Game, GameFormat, Identity, Outline, ReadOptions, alike_number, differs_in_detail,
    is_cut_short_of, is_telling, same_facts,
};
use crate::openbook::Hint;
use crate::store::{Book, GameId, GameStore, Reader, StoreError};

/// Why games are neither joined nor taken apart.
#[derive(Debug, Error)]
pub enum JoinError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("no game {0}; nothing was changed")]
    NoGame(u32),
    #[error("game {0} is named twice; nothing was changed")]
    Same(u32),
    #[error("games {0} and {1} have different moves; nothing was changed")]
    OtherMoves(u32, u32),
    #[error("game {0} has not been joined by 'games join'; nothing was changed")]
    NotJoined(u32),
}

impl JoinError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        matches!(self, Self::NoGame(_)).then_some(Hint::ListGames)
    }
}

/// What takes a join back: both games as they were.
#[derive(Serialize, Deserialize)]
struct Joined {
    kept: String,
    kept_sources: Vec<String>,
    other: String,
    other_number: u32,
    other_sources: Vec<String>,
}

/// Pairs of games that are one by the rules of an import.
pub(crate) fn find_doubles(book: &Reader) -> Result<Vec<(GameId, GameId)>, StoreError> {
    let aliases = Aliases::of(book)?;
    let mut by_line: HashMap<u64, Vec<(GameId, Game)>> = HashMap::new();
    // Where a game stands in it.
    let mut by_players: HashMap<(String, String, u16), Vec<(u64, usize)>> = HashMap::new();
    let mut cut = Vec::new();
    book.games().for_each(GameId(0), |id, row| {
        let fingerprint = row.fingerprint;
        let game = aliases.plain(&game_of(row, String::new())).into_owned();
        let alike = by_line.entry(fingerprint).or_default();
        if let (Some(black), Some(white), Some(date)) =
            (&game.black.name, &game.white.name, game.date)
        {
            let players = (black.clone(), white.clone(), date.year());
            let place = (fingerprint, alike.len());
            if game.black_discs.is_none() {
                cut.push((place, players.clone()));
            }
            by_players.entry(players).or_default().push(place);
        }
        alike.push((id, game));
        Ok::<_, StoreError>(())
    })?;
    let mut found = BTreeMap::new();
    for games in by_line.values().filter(|games| games.len() > 1) {
        let mut by_number: HashMap<u64, Vec<&(GameId, Game)>> = HashMap::new();
        let mut telling: Vec<(&(GameId, Game), Outline, Identity)> = Vec::new();
        for at in games {
            let (id, game) = at;
            if !is_telling(game) {
                let alike = by_number.entry(alike_number(game)).or_default();
                match alike.iter().find(|(_, known)| same_facts(known, game)) {
                    Some((first, _)) => drop(found.insert(*id, *first)),
                    None => alike.push(at),
                }
                continue;
            }
            let (own, identity) = (Outline::of(game), Identity::of(game));
            // The outlines tell most pairs apart at little cost.
            let first = telling.iter().find(|((_, known), outline, line)| {
                !outline.is_of_another(&own)
                    && !outline.differs(&own)
                    && *line == identity
                    && same_facts(known, game)
                    && !differs_in_detail(known, game)
            });
            found.extend(first.map(|((first, _), ..)| (*id, *first)));
            telling.push((at, own, identity));
        }
    }
    let at = |(fingerprint, number): (u64, usize)| by_line.get(&fingerprint)?.get(number);
    for (place, players) in &cut {
        let Some((id, game)) = at(*place) else { continue };
        let others = by_players.get(players).into_iter().flatten().filter_map(|place| at(*place));
        if let Some((whole, _)) = others.into_iter().find(|(_, other)| is_cut_short_of(game, other))
        {
            found.entry(*id).or_insert(*whole);
        }
    }
    Ok(found.into_iter().map(|(other, kept)| (kept, other)).collect())
}

/// Makes one game of two: the first gets what the second knows more, and its sources. Commits.
pub(crate) fn join_games(book: &mut Book, kept: GameId, other: GameId) -> Result<(), JoinError> {
    if kept == other {
        return Err(JoinError::Same(kept.0));
    }
    let (own, own_sources) = load(book.reader(), kept)?;
    let (second, sources) = load(book.reader(), other)?;
    let is_one_line = Identity::of(&own) == Identity::of(&second);
    let is_beginning = |cut: &Game, whole: &Game| {
        let moves = whole.moves.get(..cut.moves.len());
        moves.is_some_and(|moves| Identity::of_line(whole.start, moves) == Identity::of(cut))
    };
    let mut joined = match () {
        () if is_one_line || is_beginning(&second, &own) => own.clone(),
        () if is_beginning(&own, &second) => second.clone(),
        () => return Err(JoinError::OtherMoves(kept.0, other.0)),
    };
    let poorer = if joined == own { &second } else { &own };
    joined.absorb(poorer);
    let undo = Joined {
        kept: as_json(&own),
        kept_sources: own_sources,
        other: as_json(&second),
        other_number: other.0,
        other_sources: sources.clone(),
    };
    let mut store = GameStore::open(book, NAME_RULES)?;
    store.replace_moves(kept, &row_of(&joined), Identity::of(&own).fingerprint())?;
    for source in &sources {
        let collection = store.collection(source, "")?;
        store.add_source(kept, collection)?;
    }
    store.remove(&[other])?;
    let mut undos = undos_of(store.reader(), kept)?;
    undos.push(undo);
    store.set_joined(kept, &serde_json::to_string(&undos).unwrap_or_default())?;
    store.finish()?;
    book.commit()?;
    Ok(())
}

/// Takes the last join of a game back; returns the number of the other game. Commits.
pub(crate) fn split_game(book: &mut Book, game: GameId) -> Result<GameId, JoinError> {
    let (now, sources) = load(book.reader(), game)?;
    let mut undos = undos_of(book.reader(), game)?;
    let undo = undos.pop().ok_or(JoinError::NotJoined(game.0))?;
    let (own, other) =
        from_json(&undo.kept).zip(from_json(&undo.other)).ok_or(JoinError::NotJoined(game.0))?;
    let mut store = GameStore::open(book, NAME_RULES)?;
    store.replace_moves(game, &row_of(&own), Identity::of(&now).fingerprint())?;
    // The number may be that of another book, which was merged.
    let is_known = store.newest().is_some_and(|last| undo.other_number <= last.0);
    let number = match is_known {
        true => store.add_as(GameId(undo.other_number), &row_of(&other))?,
        false => store.add(&row_of(&other))?,
    };
    for source in &undo.other_sources {
        let collection = store.collection(source, "")?;
        store.add_source(number, collection)?;
    }
    // Sources that came later may be of either game.
    let came_with_the_join = |source: &&String| {
        undo.other_sources.contains(source) && !undo.kept_sources.contains(source)
    };
    for source in sources.iter().filter(came_with_the_join) {
        let collection = store.collection(source, "")?;
        store.remove_source(&[game], collection)?;
    }
    store.set_joined(game, &serde_json::to_string(&undos).unwrap_or_default())?;
    store.finish()?;
    book.commit()?;
    Ok(number)
}

fn load(book: &Reader, game: GameId) -> Result<(Game, Vec<String>), JoinError> {
    let row = book.games().get(game)?.ok_or(JoinError::NoGame(game.0))?;
    Ok((game_of(row, String::new()), book.games().sources_of(game)?))
}

fn undos_of(book: &Reader, game: GameId) -> Result<Vec<Joined>, StoreError> {
    let text = book.games().joined(game)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

fn as_json(game: &Game) -> String {
    let mut bytes = Vec::new();
    // A vector takes all that is written.
    let _ = games::write(GameFormat::Json, [game], &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn from_json(text: &str) -> Option<Game> {
    let options = ReadOptions {
        format: Some(GameFormat::Json),
        keeps_squares: true,
        ..ReadOptions::default()
    };
    let mut read = games::read(text.as_bytes(), "", &options).ok()?;
    read.next()?.ok().map(|read| read.game)
}
