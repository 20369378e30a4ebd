//! Which games are to be analysed.

use std::collections::VecDeque;
use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::arguments::Arguments;
use super::pictures::is_numbered;
use crate::app::analysis::{AnalysisError, FileGames, GameToAnalyse, numbered_games, stored_games};
use crate::app::games::{GameDatabase, GameId, ListOptions};
use crate::faces::cli::exit::tell_error;
use crate::faces::cli::hint::Refusal;
use crate::faces::cli::place::missing_file;
use crate::faces::cli::wrong_file::{Takes, right_command};
use crate::faces::render::{Command, OwnBook};
use crate::files::games::{Asked, Game};
use crate::othello::one_line::one_line;
use crate::othello::search::Stop;

/// Which games are to be analysed.
pub(super) enum What {
    /// One that was typed.
    Game(Box<Game>),
    /// Those of files and folders.
    Files(Vec<PathBuf>),
    /// Those of the database with these numbers.
    Numbers(Vec<GameId>),
    /// Those of the database that are like that.
    Stored(Box<ListOptions>),
}

impl What {
    pub(super) fn of(arguments: &Arguments) -> anyhow::Result<Self> {
        let filter = &arguments.filter;
        let words = &arguments.what;
        let is_filtered = !filter.is_empty() || arguments.all || arguments.limit.is_some();
        let is_path =
            |word: &std::ffi::OsString| word == OsStr::new("-") || Path::new(word).exists();
        if is_filtered && !(words.is_empty() && arguments.game.is_empty()) {
            let is_game = |word: &std::ffi::OsString| {
                is_path(word) || word.to_str().is_some_and(|word| word.parse::<Asked>().is_ok())
            };
            if let Some(stray) = words.iter().find(|word| !is_game(word)) {
                bail!(
                    "'{}' is no game and no file: a condition of several words is put between quotes, as \
                     in --player 'takizawa masaki'",
                    one_line(&stray.to_string_lossy(), 40)
                );
            }
            let text = "conditions choose games of the database: give them alone, or import the files first";
            bail!(Refusal::new(text, [Command::new("games import").with(["FILE"])]));
        }
        if !arguments.game.is_empty() {
            return Ok(Self::Numbers(arguments.game.iter().copied().map(GameId).collect()));
        }
        if is_filtered {
            let limit = arguments.limit.unwrap_or(usize::MAX);
            return Ok(Self::Stored(Box::new(ListOptions {
                filter: filter.clone(),
                limit,
                ..ListOptions::default()
            })));
        }
        if words.is_empty() {
            bail!(
                "nothing to analyze: give a game such as f5d6c3, a file of games, or conditions such \
                 as --player aspenryd"
            );
        }
        if words.iter().any(is_path) {
            // Of several files those that are no games are reported, and the others go their way.
            if let [word] = words.as_slice()
                && let Some(right) = right_command(Path::new(word), Takes::Games)
            {
                bail!(right);
            }
            return Ok(Self::Files(words.iter().map(PathBuf::from).collect()));
        }
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let text = words.join(" ");
        let asked = text.parse::<Asked>();
        let asked = asked.map_err(|error| match missing_file(&text) {
            Some(missing) => anyhow::anyhow!(missing),
            None if text.parse::<u32>().is_ok() => anyhow::anyhow!(
                "'{text}' is not a line of moves: a game of the database is given with --game {text}"
            ),
            None => anyhow::Error::new(error),
        })?;
        if asked.line.is_empty() {
            bail!("the game has no moves: expected a line such as f5d6c3");
        }
        Ok(Self::Game(Box::new(Game::of_line(&asked.line))))
    }

    /// Whether the games are those of the book.
    pub(super) const fn is_of_the_book(&self) -> bool {
        matches!(self, Self::Numbers(_) | Self::Stored(_))
    }

    /// The games, one after the other.
    pub(super) fn games<'d>(
        self,
        database: Option<&'d GameDatabase<'_>>,
        stop: &Stop,
        own: OwnBook,
    ) -> anyhow::Result<Games<'d>> {
        let of_book = || database.context("there is no book");
        Ok(match self {
            Self::Game(game) => Games::One(Some(Box::new(GameToAnalyse { game: *game, id: None }))),
            Self::Files(paths) => {
                let refuse: Refuse = Box::new(move |error| tell_error(error, &own));
                let files = FileGames::of(&paths, stop, refuse)?;
                Games::Files { files: Box::new(files), ahead: VecDeque::new() }
            }
            Self::Numbers(ids) => {
                let database = of_book()?;
                for id in &ids {
                    if database.facts(*id).is_none() {
                        let text = format!("no game {}", id.0);
                        bail!(Refusal::new(text, [Command::new("games list")]).not_there());
                    }
                }
                let alone = ids.len() == 1;
                Games::Stored { alone, games: Box::new(numbered_games(database, ids)) }
            }
            Self::Stored(options) => {
                let games = Box::new(stored_games(of_book()?, &options)?);
                Games::Stored { alone: false, games }
            }
        })
    }
}

/// Reports what cannot be read.
type Refuse = Box<dyn FnMut(&(dyn Error + 'static))>;

/// Games that come one after the other.
pub(super) enum Games<'d> {
    One(Option<Box<GameToAnalyse>>),
    Files {
        files: Box<FileGames<Refuse>>,
        /// Games that were looked at already.
        ahead: VecDeque<Result<GameToAnalyse, AnalysisError>>,
    },
    Stored {
        alone: bool,
        games: Box<dyn Iterator<Item = Result<GameToAnalyse, AnalysisError>> + 'd>,
    },
}

impl Games<'_> {
    /// Whether there is one at most. Files are read up to the second game.
    pub(super) fn is_one(&mut self) -> bool {
        match self {
            Self::One(_) => true,
            Self::Stored { alone, .. } => *alone,
            Self::Files { files, ahead } => {
                ahead.extend(files.take(2));
                ahead.len() < 2
            }
        }
    }

    /// How many there are at most, before the first is taken; none where that is not known.
    pub(super) fn most(&self) -> Option<u64> {
        match self {
            Self::Stored { games, .. } => games.size_hint().1.map(|most| most as u64),
            Self::Files { files, .. } => files.how_many(),
            Self::One(_) => None,
        }
    }

    /// The first of these files whose games would be lost if it were written; drawings of several games differ
    /// by their numbers.
    pub(super) fn overwritten<'f>(
        &'f self,
        targets: impl Iterator<Item = &'f Path>,
        svg: Option<&'f Path>,
    ) -> Option<&'f Path> {
        let Self::Files { files, .. } = self else { return None };
        let numbered = files.files().filter(|file| svg.is_some_and(|svg| is_numbered(svg, file)));
        targets.chain(numbered).find(|target| files.will_read(target))
    }

    /// How many could not be read so far.
    pub(super) fn refused(&self) -> u64 {
        match self {
            Self::Files { files, .. } => files.refused(),
            _ => 0,
        }
    }

    /// The files in folders that hold something else than games.
    pub(super) fn skipped(&self) -> &[String] {
        match self {
            Self::Files { files, .. } => files.skipped(),
            _ => &[],
        }
    }

    /// What to do where there is none.
    pub(super) fn nothing(&self) -> (&'static str, Vec<Command>) {
        match self {
            Self::Files { .. } => ("the files hold no games", Vec::new()),
            _ => (
                "no game matches: try fewer conditions, or import games first",
                vec![Command::new("games import").with(["FILE"])],
            ),
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<GameToAnalyse, AnalysisError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::One(game) => game.take().map(|game| Ok(*game)),
            Self::Files { files, ahead } => ahead.pop_front().or_else(|| files.next()),
            Self::Stored { games, .. } => games.next(),
        }
    }
}
