//! The players at a position, and the games that are worth a look.

use std::cmp::Reverse;

use super::database::GameDatabase;
use super::list::{GameSort, ListedGame, show_game, sorted};
use super::loaded::place_of;
use super::player::PlayerScore;
use super::stats::GameStats;
use crate::othello::board::{Side, Square};
use crate::store::{GameId, GameOutcome, GamePlayer, StoreError};

/// How often a player was at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerHere {
    pub name: String,
    /// The games, and their results for this player.
    pub score: PlayerScore,
}

/// The players at a position, and which move they chose there.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WhoPlayed {
    /// Those that were there most often with either colour, the most frequent first.
    pub players: Vec<PlayerHere>,
    /// How many different ones there were.
    pub different: usize,
    /// For each move those that chose it most often.
    pub choosers: Vec<(Square, Vec<PlayerHere>)>,
}

impl WhoPlayed {
    /// Those that chose a move most often; the move as in [`GameStats::moves`].
    pub(crate) fn chose(&self, square: Square) -> &[PlayerHere] {
        let found = self.choosers.iter().find(|(chosen, _)| *chosen == square);
        found.map_or(&[], |(_, players)| players)
    }
}

/// Players by their places. Positions near the start have all of them: a table is filled faster than
/// a map.
struct Scores<'p> {
    players: &'p [GamePlayer],
    all: Vec<PlayerScore>,
    seen: Vec<usize>,
}

impl<'p> Scores<'p> {
    fn of(players: &'p [GamePlayer]) -> Self {
        Self { players, all: vec![PlayerScore::default(); players.len()], seen: Vec::new() }
    }

    fn count(&mut self, player: Option<u32>, outcome: Option<GameOutcome>, side: Side) {
        let Some(place) = player.and_then(|player| place_of(self.players, player)) else { return };
        let Some(score) = self.all.get_mut(place) else { return };
        if score.games == 0 {
            self.seen.push(place);
        }
        score.count(outcome, side);
    }

    /// Those with most games, and forgets all.
    fn take_most(&mut self, count: usize) -> Vec<PlayerHere> {
        let (all, players) = (&mut self.all, self.players);
        // What was seen are places of players, each of which has a score.
        let mut scores: Vec<(usize, PlayerScore)> =
            self.seen.drain(..).map(|place| (place, std::mem::take(&mut all[place]))).collect();
        let order = |&(place, score): &(usize, PlayerScore)| (Reverse(score.games), place);
        if count < scores.len() {
            scores.select_nth_unstable_by_key(count, order);
            scores.truncate(count);
        }
        scores.sort_unstable_by_key(order);
        let named = |(place, score): (usize, PlayerScore)| PlayerHere {
            name: players[place].name.clone(),
            score,
        };
        scores.into_iter().map(named).collect()
    }
}

/// The players of the games of a position: at most `count` names for it and for each of its moves.
pub(crate) fn who_played(
    database: &GameDatabase<'_>,
    stats: &GameStats,
    count: usize,
) -> Result<WhoPlayed, StoreError> {
    let players = database.players()?;
    let (mut here, mut movers) = (Scores::of(players), Scores::of(players));
    let mut choosers = Vec::new();
    for played in &stats.moves {
        for (_, mover, games) in stats.runs().filter(|&(square, ..)| square == played.square) {
            for facts in games.iter().filter_map(|&game| database.facts(game)) {
                here.count(facts.black, facts.outcome, Side::Black);
                here.count(facts.white, facts.outcome, Side::White);
                let own = if mover == Side::Black { facts.black } else { facts.white };
                movers.count(own, facts.outcome, mover);
            }
        }
        choosers.push((played.square, movers.take_most(count)));
    }
    let different = here.seen.len();
    Ok(WhoPlayed { players: here.take_most(count), different, choosers })
}

/// The first games of a position in an order, at most so many: the latest, or those with the highest
/// ratings; games of which both ratings are not known are then left out. `games list` has all of them.
pub(crate) fn games_here(
    database: &GameDatabase<'_>,
    stats: &GameStats,
    sort: GameSort,
    count: usize,
) -> Result<Vec<ListedGame>, StoreError> {
    let ids = first_games(database, stats, sort, count)?;
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
) -> Result<Vec<GameId>, StoreError> {
    let mut ids: Vec<GameId> = stats.games.clone();
    if sort == GameSort::Rating {
        let rated = |id| database.facts(id).map(|facts| facts.ratings);
        ids.retain(|&id| matches!(rated(id), Some([Some(_), Some(_)])));
    }
    sorted(database, ids, sort, false, count)
}

/// The players at a position, and the games that are worth a look.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GamesAt {
    pub who: WhoPlayed,
    pub latest: Vec<GameId>,
    /// Those with the highest ratings, where both players are rated.
    pub highest_rated: Vec<GameId>,
}

/// The players of the games of a position, and which games are worth a look: at most `count` of
/// each.
pub(crate) fn games_at(
    database: &GameDatabase<'_>,
    stats: &GameStats,
    count: usize,
) -> Result<GamesAt, StoreError> {
    Ok(GamesAt {
        who: who_played(database, stats, count)?,
        latest: first_games(database, stats, GameSort::Date, count)?,
        highest_rated: first_games(database, stats, GameSort::Rating, count)?,
    })
}
