//! Which games are asked for.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use thiserror::Error;

use crate::games::folded_name;
use crate::store::{GameFacts, GameId, GameOutcome, GamePlayer, Reader, StoreError};

/// Games that are asked for: all conditions together. The empty filter asks for all.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct GameFilter {
    /// Names of players, of whom one had either colour; words or parts of them.
    pub players: Vec<String>,
    /// Names of players, of whom one had Black.
    pub black: Vec<String>,
    /// Names of players, of whom one had White.
    pub white: Vec<String>,
    /// Words of the event.
    pub event: Option<String>,
    /// The first year; games without a year are not meant.
    pub from_year: Option<u16>,
    /// The last year; games without a year are not meant.
    pub to_year: Option<u16>,
    /// Words of the collection.
    pub source: Option<String>,
    /// Only games with a program (true), or only games without one.
    pub programs: Option<bool>,
    /// Only games whose opening was drawn by lot (true), or only others.
    pub xot: Option<bool>,
    /// Only games with this result.
    pub outcome: Option<GameOutcome>,
    /// Only games in which both ratings are known and at least this.
    pub rating: Option<u16>,
}

/// Why a filter finds nothing at all.
#[derive(Debug, Error)]
pub enum FilterError {
    /// The book.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A page is asked for behind a game that the list does not have.
    #[error("game {0} is not in this list: the next page is behind the last game of a page")]
    NotListed(u32),
    /// A word that no name has.
    #[error("no {what} of the games here has a name like \"{text}\"{hint}")]
    NoSuch {
        /// `player`, `event` or `collection`.
        what: &'static str,
        /// What was asked for.
        text: String,
        /// What to try.
        hint: &'static str,
    },
}

type Ids = HashSet<u32, FixedState>;

/// A filter with its names found: ready for many games.
#[derive(Clone, Default, Debug)]
pub(super) struct Chosen {
    players: Option<Ids>,
    black: Option<Ids>,
    white: Option<Ids>,
    event: Option<Ids>,
    /// The games of the collections.
    source: Option<HashSet<GameId, FixedState>>,
    programs: Option<(bool, Ids)>,
    filter: GameFilter,
}

impl GameFilter {
    /// Whether all games are asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Finds what its names mean in a book.
    pub(super) fn choose(&self, book: &Reader) -> Result<Chosen, FilterError> {
        let mut chosen = Chosen { filter: self.clone(), ..Chosen::default() };
        let has_names =
            !(self.players.is_empty() && self.black.is_empty() && self.white.is_empty());
        if has_names || self.programs.is_some() {
            let players = book.game_players()?;
            chosen.players = players_like(&players, &self.players)?;
            chosen.black = players_like(&players, &self.black)?;
            chosen.white = players_like(&players, &self.white)?;
            chosen.programs = self.programs.map(|wanted| {
                let programs = players.iter().filter(|player| player.program);
                (wanted, programs.map(|player| player.id).collect())
            });
        }
        if let Some(text) = &self.event {
            let events = book.game_events()?;
            let like = events.iter().filter(|(_, name)| is_like(&folded_name(name), text));
            let ids: Ids = like.map(|&(id, _)| id).collect();
            if ids.is_empty() {
                let hint = "; 'rosebill games list --sort date' shows what there is";
                return Err(FilterError::NoSuch { what: "event", text: text.clone(), hint });
            }
            chosen.event = Some(ids);
        }
        if let Some(text) = &self.source {
            let collections = book.collections()?;
            let like = collections.iter().filter(|known| is_like(&folded_name(&known.name), text));
            let like: Vec<u32> = like.map(|known| known.id).collect();
            if like.is_empty() {
                let hint = "; 'rosebill games sources' lists them";
                return Err(FilterError::NoSuch { what: "collection", text: text.clone(), hint });
            }
            let mut games = HashSet::default();
            for id in like {
                games.extend(book.games_of_collection(id)?);
            }
            chosen.source = Some(games);
        }
        Ok(chosen)
    }
}

/// The players whose names are like one of the texts; none where there is no text.
fn players_like(players: &[GamePlayer], texts: &[String]) -> Result<Option<Ids>, FilterError> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut ids = Ids::default();
    for text in texts {
        let before = ids.len();
        let like = players.iter().filter(|player| is_like(&player.folded, text));
        ids.extend(like.map(|player| player.id));
        if ids.len() == before {
            let hint = "; 'rosebill games players PREFIX' finds names";
            return Err(FilterError::NoSuch { what: "player", text: text.clone(), hint });
        }
    }
    Ok(Some(ids))
}

/// Whether each word of a text begins a word of a folded name.
pub(super) fn is_like(folded: &str, text: &str) -> bool {
    let wanted = folded_name(text);
    !wanted.is_empty()
        && wanted.split(' ').all(|word| folded.split(' ').any(|of_name| of_name.starts_with(word)))
}

impl Chosen {
    /// Whether a game is asked for.
    pub(super) fn takes(&self, game: GameId, facts: &GameFacts) -> bool {
        let has = |ids: &Option<Ids>, player: Option<u32>| match ids {
            None => true,
            Some(ids) => player.is_some_and(|player| ids.contains(&player)),
        };
        let filter = &self.filter;
        let in_years = match (filter.from_year, filter.to_year) {
            (None, None) => true,
            (from, to) => facts.year.is_some_and(|year| {
                from.is_none_or(|from| year >= from) && to.is_none_or(|to| year <= to)
            }),
        };
        let with_programs = |(wanted, programs): &(bool, Ids)| {
            let is_program = |player: Option<u32>| player.is_some_and(|id| programs.contains(&id));
            (is_program(facts.black) || is_program(facts.white)) == *wanted
        };
        facts.exists
            && in_years
            && filter.outcome.is_none_or(|outcome| facts.outcome == Some(outcome))
            && filter.xot.is_none_or(|xot| facts.xot == xot)
            && filter.rating.is_none_or(|least| {
                facts.ratings.iter().all(|rating| rating.is_some_and(|rating| rating >= least))
            })
            && has(&self.black, facts.black)
            && has(&self.white, facts.white)
            && (has(&self.players, facts.black) || has(&self.players, facts.white))
            && has(&self.event, facts.event)
            && self.source.as_ref().is_none_or(|games| games.contains(&game))
            && self.programs.as_ref().is_none_or(with_programs)
    }
}
