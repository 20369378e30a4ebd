//! Policies as they are asked for, with what they need.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::app::games::{FilterError, GameDatabase, GameFilter};
use crate::openbook::policy::{
    Best, Deepen, Deeper, Deviate, Doubt, Fill, Lines, Played, Policy, Popular, Solve,
};
use crate::othello::board::{Line, Square};
use crate::othello::search::Level;
use crate::store::{GameId, Reader, StoreError};

use super::games::{GamesError, read_game_lines};
use super::work::Depth;

/// What is searched next, with what that is chosen by beside the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PolicySpec {
    Best {
        /// The level that other moves of important positions are searched to.
        deepen: Option<Level>,
    },
    Deviate,
    Lines {
        /// The positions on these are added.
        lines: Vec<Line>,
        /// Files of games, which count as lines.
        files: Vec<PathBuf>,
    },
    Fill,
    Deepen,
    Solve {
        /// Of a position that is solved.
        most_empties: u8,
    },
    Popular(PlayedGames),
    Doubt(PlayedGames),
    Played,
}

/// Games that count for a policy: those of files, else of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGames {
    pub files: Vec<PathBuf>,
    /// Another book than the one that is grown.
    pub from: Option<PathBuf>,
    /// The fewest games that reach a position.
    pub least: u32,
    /// Which games of a book count; none: all.
    pub which: Option<GameFilter>,
}

/// An option of some policies.
#[derive(Clone, Debug)]
pub(crate) enum PolicyOption {
    Deepen(Level),
    Lines(Vec<Line>),
    Games(Vec<PathBuf>),
    GamesFrom(PathBuf),
    LeastGames(u32),
    Which(GameFilter),
    SolveEmpties(u8),
}

const GAMES: PlayedGames = PlayedGames { files: Vec::new(), from: None, least: 10, which: None };

/// All policies, without options.
static ALL: [PolicySpec; 9] = [
    PolicySpec::Best { deepen: None },
    PolicySpec::Deviate,
    PolicySpec::Lines { lines: Vec::new(), files: Vec::new() },
    PolicySpec::Fill,
    PolicySpec::Deepen,
    PolicySpec::Solve { most_empties: 24 },
    PolicySpec::Popular(GAMES),
    PolicySpec::Doubt(GAMES),
    PolicySpec::Played,
];

impl Default for PolicySpec {
    fn default() -> Self {
        Self::Best { deepen: None }
    }
}

impl PolicySpec {
    /// All of them, without options.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// The policy of this name, without options.
    pub fn named(name: &str) -> Option<Self> {
        ALL.iter().find(|policy| policy.name() == name).cloned()
    }

    /// Whether it follows lines from where growth starts, so that limits of what they give away hold.
    pub(crate) const fn follows_lines(&self) -> bool {
        !matches!(self, Self::Lines { .. } | Self::Popular(_) | Self::Doubt(_))
    }

    /// One word.
    pub const fn name(&self) -> &'static str {
        self.texts().0
    }

    /// What it takes first, in one line.
    pub(crate) const fn about(&self) -> &'static str {
        self.texts().1
    }

    const fn texts(&self) -> (&'static str, &'static str) {
        match self {
            Self::Best { .. } => (
                "best",
                "What good players reach first: smallest regret, with a price for each ply",
            ),
            Self::Deviate => ("deviate", "Every move that gives little away, the shallowest first"),
            Self::Lines { .. } => {
                ("lines", "All positions on given lines or games, with their moves made to count")
            }
            Self::Fill => ("fill", "Positions that are missing between known ones"),
            Self::Deepen => {
                ("deepen", "Positions that were searched less than the level asks for, again")
            }
            Self::Solve { .. } => ("solve", "Ends that are not proven yet, from the bottom up"),
            Self::Popular(_) => ("popular", "The positions of real games, the most played first"),
            Self::Doubt(_) => (
                "doubt",
                "What real games reach and the book trusts least, searched again to the level",
            ),
            Self::Played => (
                "played",
                "The ends of lines that are played out of the book, good moves more often, as NTest \
                 does",
            ),
        }
    }

    /// Takes an option; false where this policy has none such.
    pub(crate) fn take(&mut self, option: PolicyOption) -> bool {
        match (self, option) {
            (Self::Best { deepen }, PolicyOption::Deepen(level)) => *deepen = Some(level),
            (Self::Lines { lines, .. }, PolicyOption::Lines(given)) => *lines = given,
            (
                Self::Lines { files, .. }
                | Self::Popular(PlayedGames { files, .. })
                | Self::Doubt(PlayedGames { files, .. }),
                PolicyOption::Games(given),
            ) => *files = given,
            (Self::Popular(games) | Self::Doubt(games), PolicyOption::GamesFrom(book)) => {
                games.from = Some(book);
            }
            (Self::Popular(games) | Self::Doubt(games), PolicyOption::LeastGames(least)) => {
                games.least = least;
            }
            (Self::Popular(games) | Self::Doubt(games), PolicyOption::Which(filter)) => {
                games.which = Some(filter);
            }
            (Self::Solve { most_empties }, PolicyOption::SolveEmpties(most)) => {
                *most_empties = most;
            }
            _ => return false,
        }
        true
    }
}

impl PolicyOption {
    /// The policies that have it.
    pub(crate) fn policies(&self) -> impl Iterator<Item = &'static PolicySpec> {
        ALL.iter().filter(|&policy| policy.clone().take(self.clone()))
    }
}

/// What a policy goes by beside the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PolicyNeed {
    /// Lines, or files of games.
    Lines,
    /// Games, in files or in a book.
    Games,
}

impl fmt::Display for PolicyNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lines => "lines or games",
            Self::Games => "games, in files or in the book",
        })
    }
}

/// Why there is no such policy.
#[derive(Debug, Error)]
pub enum PolicyError {
    #[error("the policy '{name}' needs {needs}")]
    Needs { name: &'static str, needs: PolicyNeed },
    #[error("{}: that book has no games that begin at the start", .0.display())]
    NoGames(PathBuf),
    #[error("the policy '{}' takes a level, not a depth", .0)]
    NoLevel(&'static str),
    #[error("level {deepen} to deepen to is no deeper than level {level}: give a higher one")]
    NoDeeper {
        /// Of the second stage.
        deepen: Level,
        /// Of the first one.
        level: Level,
    },
    #[error(
        "conditions choose games of a book, and files of games are taken whole: import the files first"
    )]
    FilteredFiles,
    #[error(transparent)]
    Filter(#[from] FilterError),
    #[error(transparent)]
    Games(#[from] GamesError),
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl PolicySpec {
    /// Makes the policy, for searches of this depth; the games of the book at `own`, which need not be there
    /// yet, count where no others are given. Notes on files of games of which not all can be used go to `note`.
    pub fn policy(
        &self,
        own: &Path,
        depth: Depth,
        note: &mut dyn FnMut(String),
    ) -> Result<Box<dyn Policy<Reader>>, PolicyError> {
        let name = self.name();
        let level = match depth {
            Depth::Level(level) => Ok(level),
            Depth::Fixed { .. } => Err(PolicyError::NoLevel(name)),
        };
        let games = |of: &PlayedGames, note| match of.moves(own, note)? {
            games if games.is_empty() => Err(PolicyError::Needs { name, needs: PolicyNeed::Games }),
            games => Ok(games),
        };
        Ok(match self {
            Self::Best { deepen: None } => Box::new(Best::default()),
            &Self::Best { deepen: Some(deepen) } => match level? {
                level if deepen <= level => {
                    return Err(PolicyError::NoDeeper { deepen, level });
                }
                _ => Box::new(Best { deeper: Some(Deeper::to(deepen)), ..Best::default() }),
            },
            Self::Deviate => Box::new(Deviate),
            Self::Fill => Box::new(Fill),
            Self::Played => Box::new(Played::default()),
            &Self::Solve { most_empties } => Box::new(Solve { max_empties: most_empties }),
            Self::Deepen => Box::new(Deepen { level: level? }),
            Self::Lines { lines, files } => {
                let mut lines: Vec<Vec<_>> =
                    lines.iter().map(|line| line.squares().collect()).collect();
                lines.extend(games_of_files(files, note)?);
                if lines.is_empty() {
                    return Err(PolicyError::Needs { name, needs: PolicyNeed::Lines });
                }
                Box::new(Lines::new(lines))
            }
            Self::Popular(of) => {
                let games = games(of, note)?;
                Box::new(Popular::of_games(games.iter().map(Vec::as_slice), of.least))
            }
            Self::Doubt(of) => {
                let (level, games) = (level?, games(of, note)?);
                Box::new(Doubt::of_games(games.iter().map(Vec::as_slice), of.least, level))
            }
        })
    }
}

impl PlayedGames {
    fn moves(
        &self,
        own: &Path,
        note: &mut dyn FnMut(String),
    ) -> Result<Vec<Vec<Square>>, PolicyError> {
        if self.which.is_some() && !self.files.is_empty() {
            return Err(PolicyError::FilteredFiles);
        }
        let of_files = games_of_files(&self.files, note)?;
        if !of_files.is_empty() {
            return Ok(of_files);
        }
        match &self.from {
            Some(book) => match games_of_book(book, self.which.as_ref())? {
                games if games.is_empty() => Err(PolicyError::NoGames(book.clone())),
                games => Ok(games),
            },
            None if own.exists() => games_of_book(own, self.which.as_ref()),
            None => Ok(Vec::new()),
        }
    }
}

/// The moves of the games in a book that begin at the start position, and are asked for.
fn games_of_book(path: &Path, which: Option<&GameFilter>) -> Result<Vec<Vec<Square>>, PolicyError> {
    let mut games = Vec::new();
    let book = Reader::open(path)?;
    let taken = match which {
        Some(filter) => GameDatabase::open(&book)?.taken(filter)?,
        None => None,
    };
    let is_taken =
        |game: GameId| taken.as_ref().is_none_or(|taken| taken.get(game.0 as usize) == Some(&true));
    book.games().for_each_moves(GameId(0), |game, start, moves| {
        if start.is_none() && is_taken(game) {
            let squares = moves.iter().map_while(|&number| Square::try_new(number));
            games.push(squares.collect());
        }
    })?;
    Ok(games)
}

fn games_of_files(
    files: &[PathBuf],
    note: &mut dyn FnMut(String),
) -> Result<Vec<Vec<Square>>, GamesError> {
    let mut games = Vec::new();
    for file in files {
        let mut found = read_game_lines(file)?;
        found.left_out(file).into_iter().for_each(&mut *note);
        games.append(&mut found.lines);
    }
    Ok(games)
}
