//! The games that made the last move of a line.

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter};
use super::stats::{GameStats, game_stats};
use crate::othello::board::{Line, same_move};

/// What was played before the last move of a line, of that move alone: its figures, and the games that made
/// it. None for a line without moves, and where no game was.
pub(super) fn last_made(
    database: &GameDatabase<'_>,
    line: &Line,
    filter: &GameFilter,
) -> Result<Option<GameStats>, FilterError> {
    let Some(last) = line.steps().last() else { return Ok(None) };
    let mut before = line.clone();
    before.pop();
    let Some(mut stats) = game_stats(database, &before, filter)? else { return Ok(None) };
    let is_last = |square| same_move(last.before.position, square, last.square);
    stats.keep_moves(is_last);
    Ok(Some(stats))
}
