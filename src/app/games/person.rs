//! The player that a name means.

use std::cmp::Reverse;
use std::fmt;

use thiserror::Error;

use super::database::GameDatabase;
use super::filter::FilterError;
use super::loaded::place_of;
use crate::files::games::AskedName;
use crate::openbook::Hint;
use crate::store::{GamePlayer, StoreError};

/// Why no player is meant.
#[derive(Debug, Error)]
pub enum PlayerError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Filter(#[from] FilterError),
    #[error("no player has a name like \"{0}\"")]
    NoSuch(String),
    #[error("{} players have a name like \"{name}\": {}; give the whole name", .found.len(), some_names(.found))]
    Several {
        name: String,
        /// Their names, those with most games first.
        found: Vec<String>,
    },
    #[error("{0} is asked for twice: name two players")]
    Same(String),
}

impl PlayerError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        matches!(self, Self::NoSuch(_)).then_some(Hint::FindPlayers)
    }
}

/// A player that sources spell in one or several ways: with other capitals, accents, or in another order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// As it was asked for where a source spells it so, else as most games have it.
    pub name: String,
    pub program: bool,
    /// The players of these names.
    ids: Vec<u32>,
}

impl Person {
    /// Whether this player is the one of this number.
    pub fn is(&self, player: Option<u32>) -> bool {
        player.is_some_and(|id| self.ids.contains(&id))
    }

    pub(super) fn is_also(&self, other: &Self) -> bool {
        self.ids.iter().any(|id| other.ids.contains(id))
    }
}

/// The players that have games, with their numbers of games, those with most first.
pub(super) fn by_games<'d>(
    database: &'d GameDatabase<'_>,
) -> Result<Vec<(&'d GamePlayer, u64)>, StoreError> {
    let players = database.players()?;
    let mut games = vec![0_u64; players.len()];
    for (_, facts) in database.all() {
        let both = [facts.black, facts.white.filter(|&white| Some(white) != facts.black)];
        for id in both.into_iter().flatten() {
            if let Some(place) = place_of(players, id) {
                games[place] += 1;
            }
        }
    }
    let mut all: Vec<_> = players.iter().zip(games).filter(|&(_, games)| games > 0).collect();
    all.sort_by_key(|&(player, games)| (Reverse(games), player.name.as_str()));
    Ok(all)
}

/// The players of which words of the name begin so, those of just this name first, then those with most
/// games, with their numbers of games; all for an empty one.
pub(crate) fn find_players(
    database: &GameDatabase<'_>,
    text: &str,
) -> Result<Vec<(GamePlayer, u64)>, StoreError> {
    let all = by_games(database)?;
    let asked = AskedName::of(database.aliases().meant(text));
    let mut found = match text.is_empty() {
        true => all,
        false => asked.begun(all, |(player, _)| &player.name),
    };
    // Stable: those with most games stay first.
    found.sort_by_key(|(player, _)| !asked.is_whole(&player.name));
    Ok(found.into_iter().map(|(player, games)| (player.clone(), games)).collect())
}

/// The player of just this name, or the only one of which words of the name begin so.
pub(crate) fn one_player(database: &GameDatabase<'_>, name: &str) -> Result<Person, PlayerError> {
    let name = database.aliases().meant(name);
    let asked = AskedName::of(name);
    let meant = asked.meant(by_games(database)?, |(player, _)| &player.name);
    let meant: Vec<&GamePlayer> = meant.into_iter().map(|(player, _)| player).collect();
    let spelt = meant.iter().find(|player| player.name == name.trim()).or(meant.first());
    match spelt {
        None => Err(PlayerError::NoSuch(name.to_owned())),
        Some(player) if meant.len() == 1 || asked.is_whole(&player.name) => Ok(Person {
            name: player.name.clone(),
            program: player.program,
            ids: meant.iter().map(|player| player.id).collect(),
        }),
        Some(_) => {
            let found = meant.into_iter().map(|player| player.name.clone()).collect();
            Err(PlayerError::Several { name: name.to_owned(), found })
        }
    }
}

/// A player's whole name that others have as a part of theirs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Namesakes {
    pub asked: String,
    /// The player that it means.
    pub name: String,
    /// Others with the name in theirs, those with most games first.
    pub others: Vec<String>,
}

impl fmt::Display for Namesakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, name, others } = self;
        write!(
            f,
            "\"{asked}\" means the player \"{name}\", and none of the others of that name: {}",
            some_names(others)
        )
    }
}

/// The other players with a name that means one player; none where there are none.
pub(crate) fn namesakes(
    database: &GameDatabase<'_>,
    name: &str,
) -> Result<Option<Namesakes>, StoreError> {
    let asked = AskedName::of(name);
    let all = by_games(database)?;
    let names = || all.iter().map(|(player, _)| player.name.as_str());
    let Some(whole) = names().find(|name| asked.is_whole(name)) else { return Ok(None) };
    let others: Vec<String> =
        names().filter(|name| asked.is_part_of(name)).map(str::to_owned).collect();
    let namesakes = Namesakes { asked: name.to_owned(), name: whole.to_owned(), others };
    Ok((!namesakes.others.is_empty()).then_some(namesakes))
}

/// So many names are shown.
const TOLD: usize = 5;

/// The first of these names, between quotes: names have commas.
fn some_names(names: &[String]) -> String {
    let mut told: Vec<String> = names.iter().take(TOLD).map(|name| format!("\"{name}\"")).collect();
    if names.len() > TOLD {
        told.push("...".to_owned());
    }
    told.join(", ")
}
