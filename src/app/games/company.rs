//! How far a game went where others went, too.

use super::database::GameDatabase;
use super::row::game_of;
use crate::files::games::{Game, Identity};
use crate::othello::board::Key;
use crate::store::{GameId, StoreError};

/// The last position of a game that other games came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Company {
    /// The moves that were played to get there, 1 or more.
    pub ply: usize,
    /// How many other games went on from there.
    pub games: u64,
    pub latest: GameId,
    /// The players, and the date.
    pub title: String,
}

/// Finds the last position of a game from which another game of the database went on. The game itself,
/// given by its number or by its whole line, is no company. Where only one other game went on, it is
/// followed from the last position that several came to.
pub(in crate::app) fn last_in_company(
    database: &GameDatabase<'_>,
    game: &Game,
    id: Option<GameId>,
) -> Result<Option<Company>, StoreError> {
    let book = database.book();
    if database.is_empty() {
        return Ok(None);
    }
    let identity = Identity::of(game);
    let mut own = book.games().with_fingerprint(identity.fingerprint())?;
    own.extend(id);
    let line = game.line();
    // The end, too: a game that is not over stopped where others went on.
    let all = line.steps().iter().map(|step| step.before).chain(line.end());
    let keys: Vec<Key> = all.map(|placed| Key::of(placed.position)).collect();
    // From the end: most positions of a game are its own.
    for (ply, &key) in keys.iter().enumerate().skip(1).rev() {
        let mut others: Vec<GameId> = Vec::new();
        database.shared_visits(key, |visit| others.push(visit.entry.game))?;
        others.retain(|other| !own.contains(other));
        if others.is_empty() {
            continue;
        }
        let (ply, games) = furthest(database, &keys, ply, &others)?.unwrap_or((ply, others));
        let date = |game: &GameId| {
            database.facts(*game).map(|facts| (facts.year, facts.month, facts.day, *game))
        };
        let Some(latest) = games.iter().copied().max_by_key(date) else { continue };
        let Some(row) = book.games().get(latest)? else { continue };
        let title = title(&game_of(row, String::new()));
        return Ok(Some(Company { ply, games: games.len() as u64, latest, title }));
    }
    Ok(None)
}

/// So few games are followed beyond the last position that several came to.
const FEW: usize = 16;

/// How far games of a position went on as this one did, and those that went furthest; none where
/// they are many, or all left it at once.
fn furthest(
    database: &GameDatabase<'_>,
    keys: &[Key],
    from: usize,
    games: &[GameId],
) -> Result<Option<(usize, Vec<GameId>)>, StoreError> {
    let mut best: Option<(usize, Vec<GameId>)> = None;
    if games.len() > FEW {
        return Ok(best);
    }
    for &game in games {
        let with = database.positions_in_common(game, keys)?.filter(|&ply| ply > from);
        let Some(ply) = with else { continue };
        match &mut best {
            Some((furthest, all)) if *furthest == ply => all.push(game),
            Some((furthest, _)) if *furthest > ply => {}
            best => *best = Some((ply, vec![game])),
        }
    }
    Ok(best)
}

/// `Hiroshi Inoue - Marc Tastet, 1983`.
fn title(game: &Game) -> String {
    let year = game.date.map(|date| date.year().to_string());
    let names = [&game.black.name, &game.white.name];
    let names = names
        .iter()
        .any(|name| name.is_some())
        .then(|| names.map(|name| name.as_deref().unwrap_or("?")).join(" - "));
    names.into_iter().chain(year).collect::<Vec<_>>().join(", ")
}
