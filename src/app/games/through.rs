//! The games that came through positions, or ended there.

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter};
use super::last_move::last_made;
use super::loaded::GameSet;
use super::stats::game_stats;
use crate::files::games::openings_meant;
use crate::othello::board::Line;

/// The games that came through all positions of a filter, as sets each of which has them.
pub(super) fn places_of(
    database: &GameDatabase<'_>,
    filter: &GameFilter,
) -> Result<Vec<GameSet>, FilterError> {
    let mut all = Vec::new();
    for line in &filter.through {
        let mut set = GameSet::default();
        add_through(database, line, &mut set)?;
        all.push(set);
    }
    if let Some(text) = &filter.opening {
        let openings = openings_meant(text);
        if openings.is_empty() {
            return Err(FilterError::NoOpening(text.clone()));
        }
        let mut set = GameSet::default();
        for opening in openings {
            add_through(database, &opening.line, &mut set)?;
        }
        all.push(set);
    }
    Ok(all)
}

/// Adds the games that came through the end of a line, or that ended there with its last move: because they were
/// over or broke off.
fn add_through(
    database: &GameDatabase<'_>,
    line: &Line,
    set: &mut GameSet,
) -> Result<(), FilterError> {
    let all = GameFilter::default();
    let went_on = game_stats(database, line, &all)?.map(|stats| stats.games);
    // Where nothing more is played, the last move decides.
    let ended = last_made(database, line, &all)?.map(|stats| stats.games);
    went_on.into_iter().chain(ended).flatten().for_each(|game| set.insert(game));
    Ok(())
}
