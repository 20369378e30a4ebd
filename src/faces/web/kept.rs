//! What was played at positions that many games came to: counted once, as long as no games come.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::app::games::{
    FilterError, GameDatabase, GameFilter, GameStats, GamesAt, game_stats, games_at, games_ended_at,
};
use crate::othello::board::Line;
use crate::othello::lock::lock;

/// Names of players, and games, that are shown of a position.
const TOLD: usize = 3;
/// Positions with fewer games are counted in no time.
const WORTH_KEEPING: u64 = 512;
/// The most positions that are kept, a few KiB each.
const MOST: usize = 512;

/// What was played at a position.
pub struct Played {
    /// Without the list of its games, which is long.
    pub stats: GameStats,
    /// The players there.
    pub here: GamesAt,
}

#[derive(Default)]
pub struct Kept(Mutex<HashMap<(String, GameFilter), Arc<Played>>>);

impl Kept {
    /// What was played at the end of a line, or where the game is over what ended there.
    pub fn played(
        &self,
        database: &GameDatabase<'_>,
        line: &Line,
        filter: &GameFilter,
    ) -> Result<Option<Arc<Played>>, FilterError> {
        let place = (line.whole_text(), filter.clone());
        if let Some(known) = lock(&self.0).get(&place) {
            return Ok(Some(Arc::clone(known)));
        }
        let Some(stats) = game_stats(database, line, filter)? else {
            let ended = games_ended_at(database, line, filter, TOLD)?;
            return Ok(ended.map(|(stats, here)| Arc::new(Played { stats, here })));
        };
        let here = games_at(database, &stats, TOLD)?;
        let played = Arc::new(Played { stats: stats.without_games(), here });
        if played.stats.tally.games >= WORTH_KEEPING {
            let mut kept = lock(&self.0);
            if kept.len() >= MOST {
                kept.clear();
            }
            kept.insert(place, Arc::clone(&played));
        }
        Ok(Some(played))
    }
}
