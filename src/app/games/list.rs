//! Lists of games, page by page.

use std::cmp::Ordering;
use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter};
use super::loaded::place_of;
use super::row::game_of;
use super::stats::came_by_line;
use crate::files::games::Game;
use crate::othello::board::Line;
use crate::store::{GameFacts, GameId, GamePlayer, StoreError};

/// In which order games are listed. Games of which the fact is not known come last.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GameSort {
    /// The latest first.
    #[default]
    Date,
    /// The largest win of Black first.
    Result,
    /// By the name of Black, then of White.
    Player,
    /// The highest sum of ratings first.
    Rating,
}

#[derive(Clone, Default, Debug)]
pub struct ListOptions {
    pub filter: GameFilter,
    /// Only those that came by another order of moves than this line's.
    pub other_order_than: Option<Line>,
    /// Their order; equal ones by their numbers.
    pub sort: GameSort,
    /// In the opposite order.
    pub reverse: bool,
    /// At most so many.
    pub limit: usize,
    /// Those behind this one: the last of the page before.
    pub after: Option<GameId>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ListedGame {
    pub id: GameId,
    pub game: Game,
}

/// A page of games, and how many there are in all.
pub(crate) fn list_games(
    database: &GameDatabase<'_>,
    options: &ListOptions,
) -> Result<(Vec<ListedGame>, u64), FilterError> {
    let ids = chosen(database, options)?;
    let count = ids.len() as u64;
    let first = match options.after {
        Some(after) => {
            let place = ids.iter().position(|&id| id == after);
            place.ok_or(FilterError::NotListed(after.0))? + 1
        }
        None => 0,
    };
    let mut page = Vec::new();
    for &id in ids.iter().skip(first).take(options.limit) {
        page.extend(show_game(database, id)?);
    }
    Ok((page, count))
}

/// The numbers of the games that are asked for, in the order that is asked for.
pub(in crate::app) fn chosen(
    database: &GameDatabase<'_>,
    options: &ListOptions,
) -> Result<Vec<GameId>, FilterError> {
    let taken = database.taken(&options.filter)?;
    let is_taken = |id: GameId| match &taken {
        Some(taken) => taken.get(id.0 as usize).copied().unwrap_or_default(),
        None => true,
    };
    let mut ids: Vec<GameId> =
        database.all().map(|(id, _)| id).filter(|&id| is_taken(id)).collect();
    if let Some(line) = &options.other_order_than {
        let came: HashSet<GameId, FixedState> =
            came_by_line(database, line, &ids)?.into_iter().collect();
        ids.retain(|game| !came.contains(game));
    }
    Ok(sorted(database, ids, options.sort, options.reverse, usize::MAX)?)
}

/// Games in an order, or the other way round; only the first of them, at most so many.
pub(super) fn sorted(
    database: &GameDatabase<'_>,
    mut ids: Vec<GameId>,
    sort: GameSort,
    reverse: bool,
    count: usize,
) -> Result<Vec<GameId>, StoreError> {
    let none = GameFacts::default();
    let facts = |id: GameId| database.facts(id).unwrap_or(&none);
    let players = match sort {
        GameSort::Player => database.players()?,
        _ => &[],
    };
    let names = name_order(players);
    let name = |id: Option<u32>| id.and_then(|id| names.get(place_of(players, id)?).copied());
    // What is not known is last in either direction.
    let order = |one: GameId, other: GameId| -> Ordering {
        let (first, second) = (facts(one), facts(other));
        let by = match sort {
            GameSort::Date => {
                let date = |of: &GameFacts| of.year.map(|year| (year, of.month, of.day));
                largest_first(date(first), date(second), reverse)
            }
            GameSort::Result => largest_first(first.black_discs, second.black_discs, reverse),
            GameSort::Rating => {
                let sum = |of: &GameFacts| {
                    let [black, white] = of.ratings;
                    Some(u32::from(black?) + u32::from(white?))
                };
                largest_first(sum(first), sum(second), reverse)
            }
            GameSort::Player => {
                // Names begin with the first, where numbers begin with the largest.
                let by = |side: fn(&GameFacts) -> Option<u32>| {
                    largest_first(name(side(first)), name(side(second)), !reverse)
                };
                by(|of| of.black).then_with(|| by(|of| of.white))
            }
        };
        by.then(one.cmp(&other))
    };
    if count < ids.len() {
        // Of many games few are wanted: the others need no order.
        ids.select_nth_unstable_by(count, |&one, &other| order(one, other));
        ids.truncate(count);
    }
    // Games come mostly by their years, which a stable sort makes use of.
    ids.sort_by(|&one, &other| order(one, other));
    Ok(ids)
}

/// Compares the facts of two games so that the largest comes first, or in reverse the smallest; those that are
/// not known come last in either direction.
fn largest_first<T: Ord>(first: Option<T>, second: Option<T>, reverse: bool) -> Ordering {
    match (first, second) {
        (Some(first), Some(second)) if reverse => first.cmp(&second),
        (Some(first), Some(second)) => second.cmp(&first),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// For each player, in their order, the place of the name among all.
fn name_order(players: &[GamePlayer]) -> Vec<usize> {
    let mut by_name: Vec<usize> = (0..players.len()).collect();
    by_name.sort_by_cached_key(|&place| players[place].name.to_lowercase());
    let mut order = vec![0; players.len()];
    for (place, player) in by_name.into_iter().enumerate() {
        order[player] = place;
    }
    order
}

/// A game with all that is known of it; none when there is no such game.
pub(crate) fn show_game(
    database: &GameDatabase<'_>,
    id: GameId,
) -> Result<Option<ListedGame>, StoreError> {
    let Some(row) = database.book().games().get(id)? else { return Ok(None) };
    let mut sources = database.book().games().sources_of(id)?.into_iter();
    let mut game = game_of(row, sources.next().unwrap_or_default());
    game.also_in = sources.collect();
    Ok(Some(ListedGame { id, game }))
}
