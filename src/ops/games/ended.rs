//! What came of the games that ended at a position.

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter};
use super::stats::{GameStats, game_stats};
use super::who::{GamesAt, games_at};
use crate::board::{Line, same_move};

/// The games that were over with the last move of a line, as `list_games` lists them, and who played them: at most
/// `count` names. None where the line does not end a game.
///
/// # Errors
/// The book cannot be read, or the filter asks for a name that no game has.
pub fn games_ended_at(
    database: &GameDatabase<'_>,
    line: &Line,
    filter: &GameFilter,
    count: usize,
) -> Result<Option<(GameStats, GamesAt)>, FilterError> {
    let (Some(last), None) = (line.steps().last(), line.end()) else { return Ok(None) };
    let mut before = line.clone();
    before.pop();
    let Some(mut stats) = game_stats(database, &before, filter)? else { return Ok(None) };
    let is_last = |square| same_move(last.before.position, square, last.square);
    stats.moves.retain(|played| is_last(played.square));
    let ended = stats.runs().filter(|&(square, ..)| is_last(square));
    stats.games = ended.flat_map(|(_, _, games)| games.iter().copied()).collect();
    let here = games_at(database, &stats, count)?;
    stats.placed = line.board();
    stats.tally = stats.moves.first().map(|played| played.tally).unwrap_or_default();
    stats.this_order = None;
    stats.moves.clear();
    Ok(Some((stats.without_games(), here)))
}
