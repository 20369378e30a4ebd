//! Who played at a position, and the games that are worth a look.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::database::GameDatabase;
use super::list::{GameSort, ListedGame, show_game, sorted};
use super::player::PlayerScore;
use super::stats::GameStats;
use crate::board::{Side, Square};
use crate::store::{GameId, StoreError};

/// How often somebody was at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerHere {
    /// The name.
    pub name: String,
    /// The games, and what came of them for this player.
    pub score: PlayerScore,
}

/// Who was at a position, and who chose which move there.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WhoPlayed {
    /// Those who were there most often with either colour, the most frequent first.
    pub players: Vec<PlayerHere>,
    /// How many different ones there were.
    pub different: usize,
    /// For each move those who chose it most often.
    pub choosers: Vec<(Square, Vec<PlayerHere>)>,
}

impl WhoPlayed {
    /// Those who chose a move most often; the move as in [`GameStats::moves`].
    #[must_use]
    pub fn chose(&self, square: Square) -> &[PlayerHere] {
        let found = self.choosers.iter().find(|(chosen, _)| *chosen == square);
        found.map_or(&[], |(_, players)| players)
    }
}

/// Players by their numbers.
type Scores = HashMap<u32, PlayerScore, FixedState>;

/// Who played the games of a position: at most `count` names for it and for each of its moves.
#[must_use]
pub fn who_played(database: &GameDatabase<'_>, stats: &GameStats, count: usize) -> WhoPlayed {
    let mut here = Scores::default();
    let mut by_move: HashMap<Square, Scores, FixedState> = HashMap::default();
    for (game, square, mover) in stats.games_and_moves() {
        let Some(facts) = database.facts(game) else { continue };
        for (player, side) in [(facts.black, Side::Black), (facts.white, Side::White)] {
            let Some(player) = player else { continue };
            here.entry(player).or_default().count(facts.outcome, side);
            if side == mover {
                let players = by_move.entry(square).or_default();
                players.entry(player).or_default().count(facts.outcome, side);
            }
        }
    }
    let most = |scores: Scores| {
        let mut most: Vec<(u32, PlayerScore)> = scores.into_iter().collect();
        most.sort_by_key(|&(player, score)| (std::cmp::Reverse(score.games), player));
        let name = |player: u32| database.player(player).map(|known| known.name.clone());
        let named = most
            .into_iter()
            .filter_map(|(player, score)| Some(PlayerHere { name: name(player)?, score }));
        named.take(count).collect::<Vec<_>>()
    };
    let different = here.len();
    let choosers = stats
        .moves
        .iter()
        .filter_map(|played| Some((played.square, most(by_move.remove(&played.square)?))));
    let choosers = choosers.collect();
    WhoPlayed { players: most(here), different, choosers }
}

/// The first games of a position in an order, at most so many: the latest, or those with the highest
/// ratings; games of which both ratings are not known are then left out. `games list` has all of them.
///
/// # Errors
/// The book cannot be read.
pub fn games_here(
    database: &GameDatabase<'_>,
    stats: &GameStats,
    sort: GameSort,
    count: usize,
) -> Result<Vec<ListedGame>, StoreError> {
    let ids = first_games(database, stats, sort, count);
    let mut found = Vec::new();
    for id in ids {
        found.extend(show_game(database, id)?);
    }
    Ok(found)
}

/// The numbers of the games of [`games_here`].
fn first_games(
    database: &GameDatabase<'_>,
    stats: &GameStats,
    sort: GameSort,
    count: usize,
) -> Vec<GameId> {
    let mut ids: Vec<GameId> = stats.games.clone();
    if sort == GameSort::Rating {
        let rated = |id| database.facts(id).map(|facts| facts.ratings);
        ids.retain(|&id| matches!(rated(id), Some([Some(_), Some(_)])));
    }
    let mut ids = sorted(database, ids, sort, false);
    ids.truncate(count);
    ids
}

/// Who was at a position, and the games that are worth a look.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GamesAt {
    /// Who was there.
    pub who: WhoPlayed,
    /// The latest games.
    pub latest: Vec<GameId>,
    /// Those with the highest ratings, where both players are rated.
    pub highest_rated: Vec<GameId>,
}

/// Who played the games of a position, and which of them are worth a look: at most `count` of each.
#[must_use]
pub fn games_at(database: &GameDatabase<'_>, stats: &GameStats, count: usize) -> GamesAt {
    GamesAt {
        who: who_played(database, stats, count),
        latest: first_games(database, stats, GameSort::Date, count),
        highest_rated: first_games(database, stats, GameSort::Rating, count),
    }
}
