//! Which games are asked for.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use thiserror::Error;

use super::alias::Aliases;
use super::loaded::GameSet;
use super::years::Years;
#[cfg(feature = "cli")]
use crate::app::amounts::within;
use crate::files::games::AskedName;
#[cfg(feature = "cli")]
use crate::files::games::{Asked, AskedError};
use crate::openbook::Hint;
use crate::othello::board::Line;
use crate::store::{Collection, GameFacts, GameId, GameOutcome, GamePlayer, Reader, StoreError};

/// The title of these options in the help of commands.
#[cfg(feature = "cli")]
pub(crate) const GAMES_HEADING: &str = "Which games";

/// Games that are asked for: all conditions together. The empty filter asks for all.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct GameFilter {
    /// A player with either color: a whole name, in any spelling, means that player; otherwise every player
    /// whose name has words that begin like this; may be repeated for games of any of them, as may --against,
    /// --black and --white
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long = "player", value_name = "NAME"))]
    pub players: Vec<String>,
    /// The player on the other side
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "NAME"))]
    pub against: Vec<String>,
    /// A player with Black
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "NAME"))]
    pub black: Vec<String>,
    /// A player with White
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "NAME"))]
    pub white: Vec<String>,
    /// Words of the event
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "WORDS"))]
    pub event: Option<String>,
    /// The year, or the first and the last: 2003, 2003-2010, 2003- or -2010
    // Games without a year are not meant.
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "YEARS", allow_hyphen_values = true))]
    pub years: Option<Years>,
    /// The file or collection that the games came from: its whole name ('rosebill games sources'),
    /// otherwise every one whose name has words that begin like this
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "WORDS"))]
    pub source: Option<String>,
    /// Games with a program, or without [yes, no]
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "YES|NO", value_parser = yes_or_no))]
    pub programs: Option<bool>,
    /// XOT games, or others [yes, no]
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "YES|NO", value_parser = yes_or_no))]
    pub xot: Option<bool>,
    /// Games with a theoretical score, or without [yes, no]
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "YES|NO", value_parser = yes_or_no))]
    pub theory: Option<bool>,
    /// The side that won
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long = "result", value_name = "RESULT"))]
    pub outcome: Option<GameOutcome>,
    /// Both players were rated at least this high
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "N", value_parser = within::<u16>(0..)))]
    pub rating: Option<u16>,
    /// Games that came through an opening of this name, else through one that has these words in its name
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long, value_name = "WORDS"))]
    pub opening: Option<String>,
    /// Games that came through this position, in any order of moves: a line, an opening's name or a board; may
    /// be repeated, for games that came through each
    #[cfg_attr(feature = "cli", arg(help_heading = GAMES_HEADING, long = "position", value_name = "POSITION", value_parser = position))]
    pub through: Vec<Line>,
}

#[cfg(feature = "cli")]
fn position(text: &str) -> Result<Line, AskedError> {
    text.parse().map(|asked: Asked| asked.line)
}

#[cfg(feature = "cli")]
fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no"),
    }
}

/// Why a filter finds nothing at all.
#[derive(Debug, Error)]
pub enum FilterError {
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A page is asked for behind a game that the list does not have.
    #[error("game {0} is not in this list: give --after the last number of the page before")]
    NotListed(u32),
    #[error("no game {0}; nothing was changed")]
    NoGame(u32),
    #[error("the book has no games yet")]
    NoGames,
    #[error("no opening has a name like \"{0}\"; give a line or a board with --position")]
    NoOpening(String),
    #[error("no {what} of the games here has a name like \"{text}\"")]
    NoSuch {
        /// `player`, `event` or `collection`.
        what: &'static str,
        text: String,
        /// Where names of this kind are found.
        hint: Hint,
    },
}

impl FilterError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        match self {
            Self::NoGame(_) => Some(Hint::ListGames),
            Self::NoGames => Some(Hint::ImportGames { file: None }),
            Self::NoSuch { hint, .. } => Some(hint.clone()),
            Self::Store(_) | Self::NotListed(_) | Self::NoOpening(_) => None,
        }
    }
}

type Ids = HashSet<u32, FixedState>;

/// A filter with its names found: ready for many games.
#[derive(Default, Debug)]
pub(super) struct Chosen {
    players: Option<Ids>,
    against: Option<Ids>,
    black: Option<Ids>,
    white: Option<Ids>,
    event: Option<Ids>,
    /// The games of the collections.
    source: Option<HashSet<GameId, FixedState>>,
    programs: Option<(bool, Ids)>,
    /// Each has the games.
    places: Vec<GameSet>,
    filter: GameFilter,
}

impl GameFilter {
    /// Whether all games are asked for.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The names of players in it.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        [&self.players, &self.against, &self.black, &self.white].into_iter().flatten()
    }

    /// Finds what its names mean in a book with these games; `places` are those that came through its positions.
    pub(super) fn choose(
        &self,
        book: &Reader,
        games: &[GameFacts],
        aliases: &Aliases,
        places: Vec<GameSet>,
    ) -> Result<Chosen, FilterError> {
        let mut chosen = Chosen { places, filter: self.clone(), ..Chosen::default() };
        if self.names().next().is_some() || self.programs.is_some() {
            let mut players = aliases.players(book.games().players()?);
            // A name outlasts its games; it takes no other player's place then.
            let playing: Ids = games.iter().flat_map(|of| [of.black, of.white]).flatten().collect();
            players.retain(|player| playing.contains(&player.id));
            chosen.players = players_like(&players, &self.players, games, aliases)?;
            chosen.against = players_like(&players, &self.against, games, aliases)?;
            chosen.black = players_like(&players, &self.black, games, aliases)?;
            chosen.white = players_like(&players, &self.white, games, aliases)?;
            chosen.programs = self.programs.map(|wanted| {
                let programs = players.iter().filter(|player| player.program);
                (wanted, programs.map(|player| player.id).collect())
            });
        }
        if let Some(text) = &self.event {
            let events = book.games().events()?;
            let like = AskedName::of(text).begun(&events, |(_, name)| name);
            let ids: Ids = like.into_iter().map(|&(id, _)| id).collect();
            if ids.is_empty() {
                return Err(no_such("event", text, Hint::LatestGames, games));
            }
            chosen.event = Some(ids);
        }
        if let Some(text) = &self.source {
            let collections = book.games().collections()?;
            let like = collections_meant(&collections, text);
            if like.is_empty() {
                return Err(no_such("collection", text, Hint::ListCollections, games));
            }
            let mut of_these = HashSet::default();
            for known in like {
                of_these.extend(book.games().of_collection(known.id)?);
            }
            chosen.source = Some(of_these);
        }
        Ok(chosen)
    }
}

/// The players that the texts mean; none where there is no text.
fn players_like(
    players: &[GamePlayer],
    texts: &[String],
    games: &[GameFacts],
    aliases: &Aliases,
) -> Result<Option<Ids>, FilterError> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut ids = Ids::default();
    for text in texts {
        let like = players_meant(players, aliases.meant(text), |player| player);
        if like.is_empty() {
            return Err(no_such("player", text, Hint::FindPlayers, games));
        }
        ids.extend(like.into_iter().map(|player| player.id));
    }
    Ok(Some(ids))
}

/// The players that a text means, among these ([`AskedName::meant`]).
pub(super) fn players_meant<T>(
    from: impl IntoIterator<Item = T>,
    text: &str,
    player: impl Fn(&T) -> &GamePlayer,
) -> Vec<T> {
    let asked = AskedName::of(text);
    let may_fit = from.into_iter().filter(|each| asked.may_fit(&player(each).folded));
    asked.meant(may_fit, |each| &player(each).name)
}

/// The collections that a text means: the one of just this name, else as names of players are.
pub(super) fn collections_meant<'c>(
    collections: &'c [Collection],
    text: &str,
) -> Vec<&'c Collection> {
    match collections.iter().find(|known| known.name == text) {
        Some(exact) => vec![exact],
        None => AskedName::of(text).meant(collections, |known| &known.name),
    }
}

/// Why nothing is found by a name.
fn no_such(what: &'static str, text: &str, hint: Hint, games: &[GameFacts]) -> FilterError {
    if games.iter().any(|facts| facts.exists) {
        FilterError::NoSuch { what, text: text.to_owned(), hint }
    } else {
        FilterError::NoGames
    }
}

impl Chosen {
    /// Whether a game is asked for.
    pub(super) fn takes(&self, game: GameId, facts: &GameFacts) -> bool {
        let has = |ids: &Option<Ids>, player: Option<u32>| match ids {
            None => true,
            Some(ids) => player.is_some_and(|player| ids.contains(&player)),
        };
        let filter = &self.filter;
        let is_in = |years: Years| facts.year.is_some_and(|year| years.contains(year));
        let between = |one, other| has(&self.players, one) && has(&self.against, other);
        let with_programs = |(wanted, programs): &(bool, Ids)| {
            let is_program = |player: Option<u32>| player.is_some_and(|id| programs.contains(&id));
            (is_program(facts.black) || is_program(facts.white)) == *wanted
        };
        facts.exists
            && filter.years.is_none_or(is_in)
            && filter.outcome.is_none_or(|outcome| facts.outcome == Some(outcome))
            && filter.xot.is_none_or(|xot| facts.xot == xot)
            && filter.theory.is_none_or(|theory| facts.theoretical.is_some() == theory)
            && filter.rating.is_none_or(|least| {
                facts.ratings.iter().all(|rating| rating.is_some_and(|rating| rating >= least))
            })
            && has(&self.black, facts.black)
            && has(&self.white, facts.white)
            && (between(facts.black, facts.white) || between(facts.white, facts.black))
            && has(&self.event, facts.event)
            && self.source.as_ref().is_none_or(|games| games.contains(&game))
            && self.programs.as_ref().is_none_or(with_programs)
            && self.places.iter().all(|place| place.contains(game))
    }
}
