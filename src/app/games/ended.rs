//! The results of the games that ended at a position.

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter};
use super::last_move::last_made;
use super::stats::GameStats;
use super::who::{GamesAt, games_at};
use crate::othello::board::Line;

/// The games that were over with the last move of a line, as `list_games` lists them, and their players: at most
/// `count` names. None where the line does not end a game.
pub(crate) fn games_ended_at(
    database: &GameDatabase<'_>,
    line: &Line,
    filter: &GameFilter,
    count: usize,
) -> Result<Option<(GameStats, GamesAt)>, FilterError> {
    if line.end().is_some() {
        return Ok(None);
    }
    let Some(mut stats) = last_made(database, line, filter)? else { return Ok(None) };
    let here = games_at(database, &stats, count)?;
    stats.placed = line.board();
    stats.tally = stats.moves.first().map(|played| played.tally).unwrap_or_default();
    stats.this_order = None;
    stats.moves.clear();
    Ok(Some((stats.without_games(), here)))
}
