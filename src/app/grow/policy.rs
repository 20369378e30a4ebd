//! Policies by their names, with what they need.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use crate::openbook::policy::{
    Best, Deepen, Deeper, Deviate, Doubt, Fill, Lines, Played, Policy, Popular, Solve,
};
use crate::othello::board::{Line, Square};
use crate::othello::search::Level;
use crate::store::{GameId, Reader, StoreError};

use super::games::{GamesError, read_game_lines};
use super::work::Depth;

/// A way to choose what is searched next.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PolicyName {
    /// What good players reach first: smallest regret, with a price for each ply.
    #[default]
    Best,
    /// Every move that gives little away, the shallowest first.
    Deviate,
    /// All positions on given lines or games, whose moves are made to count.
    Lines,
    /// Positions that are missing between known ones.
    Fill,
    /// Positions that were searched less than the level asks for, again.
    Deepen,
    /// Ends that are not proven yet, from the bottom up.
    Solve,
    /// The positions of real games, the most played first.
    Popular,
    /// What real games reach and the book trusts least, searched again to the level.
    Doubt,
    /// The ends of lines that are played out of the book, good moves more often, as NTest does.
    Played,
}

impl PolicyName {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Best,
        Self::Deviate,
        Self::Lines,
        Self::Fill,
        Self::Deepen,
        Self::Solve,
        Self::Popular,
        Self::Doubt,
        Self::Played,
    ];

    /// Whether it follows lines from where growth starts, so that limits of what they give away hold.
    pub(crate) const fn follows_lines(self) -> bool {
        match self {
            Self::Best | Self::Deviate | Self::Fill | Self::Deepen | Self::Solve | Self::Played => {
                true
            }
            Self::Lines | Self::Popular | Self::Doubt => false,
        }
    }

    /// Those that [follow lines](Self::follows_lines).
    pub(crate) fn following_lines() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|policy| policy.follows_lines())
    }

    /// One word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Deviate => "deviate",
            Self::Lines => "lines",
            Self::Fill => "fill",
            Self::Deepen => "deepen",
            Self::Solve => "solve",
            Self::Popular => "popular",
            Self::Doubt => "doubt",
            Self::Played => "played",
        }
    }

    /// What it takes first, in one line.
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Best => {
                "What good players reach first: smallest regret, with a price for each ply"
            }
            Self::Deviate => "Every move that gives little away, the shallowest first",
            Self::Lines => "All positions on given lines or games, with their moves made to count",
            Self::Fill => "Positions that are missing between known ones",
            Self::Deepen => "Positions that were searched less than the level asks for, again",
            Self::Solve => "Ends that are not proven yet, from the bottom up",
            Self::Popular => "The positions of real games, the most played first",
            Self::Doubt => {
                "What real games reach and the book trusts least, searched again to the level"
            }
            Self::Played => {
                "The ends of lines that are played out of the book, good moves more often, as NTest \
                 does"
            }
        }
    }
}

/// A policy as it is asked for: what is none has its default.
#[derive(Clone, Default, Debug)]
pub struct PolicyRequest {
    pub name: PolicyName,
    /// Lines whose positions are added: [`PolicyName::Lines`].
    pub lines: Vec<Line>,
    /// Files of games: [`PolicyName::Lines`], [`PolicyName::Popular`] and [`PolicyName::Doubt`].
    pub games: Vec<PathBuf>,
    /// Another book whose games count where no file is given: [`PolicyName::Popular`] and
    /// [`PolicyName::Doubt`].
    pub games_from: Option<PathBuf>,
    /// The book that is grown, whose games count where neither is given; it need not be there yet.
    pub book: Option<PathBuf>,
    /// The fewest games that reach a position, 10: [`PolicyName::Popular`] and [`PolicyName::Doubt`].
    pub least_games: Option<u32>,
    /// The most empties of a position that is solved, 24: [`PolicyName::Solve`].
    pub solve_empties: Option<u8>,
    /// The level that other moves of important positions are searched to: [`PolicyName::Best`].
    pub deepen: Option<Level>,
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
    #[error("the policy '{}' needs {needs}", name.name())]
    Needs { name: PolicyName, needs: PolicyNeed },
    #[error("{}: that book has no games that begin at the start", .0.display())]
    NoGames(PathBuf),
    #[error("the policy '{}' takes a level, not a depth", .0.name())]
    NoLevel(PolicyName),
    #[error("level {deepen} to deepen to is no deeper than level {level}: give a higher one")]
    NoDeeper {
        /// Of the second stage.
        deepen: Level,
        /// Of the first one.
        level: Level,
    },
    #[error(transparent)]
    Games(#[from] GamesError),
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl PolicyRequest {
    /// Makes the policy, for searches of this depth. Notes on files of games of which not all can
    /// be used go to `note`.
    pub fn policy(
        &self,
        depth: Depth,
        note: &mut dyn FnMut(String),
    ) -> Result<Box<dyn Policy<Reader>>, PolicyError> {
        let name = self.name;
        Ok(match name {
            PolicyName::Best => Box::new(Best { deeper: self.deeper(depth)?, ..Best::default() }),
            PolicyName::Deviate => Box::new(Deviate),
            PolicyName::Fill => Box::new(Fill),
            PolicyName::Played => Box::new(Played::default()),
            PolicyName::Solve => Box::new(Solve { max_empties: self.solve_empties.unwrap_or(24) }),
            PolicyName::Deepen => match depth {
                Depth::Level(level) => Box::new(Deepen { level }),
                Depth::Fixed { .. } => return Err(PolicyError::NoLevel(name)),
            },
            PolicyName::Lines => {
                let mut lines: Vec<Vec<_>> =
                    self.lines.iter().map(|line| line.squares().collect()).collect();
                lines.extend(self.games(note)?);
                if lines.is_empty() {
                    return Err(PolicyError::Needs { name, needs: PolicyNeed::Lines });
                }
                Box::new(Lines::new(lines))
            }
            PolicyName::Popular => {
                let games = self.played_games(note)?;
                let moves = games.iter().map(Vec::as_slice);
                Box::new(Popular::of_games(moves, self.least_games.unwrap_or(10)))
            }
            PolicyName::Doubt => {
                let Depth::Level(level) = depth else { return Err(PolicyError::NoLevel(name)) };
                let games = self.played_games(note)?;
                let moves = games.iter().map(Vec::as_slice);
                Box::new(Doubt::of_games(moves, self.least_games.unwrap_or(10), level))
            }
        })
    }

    fn deeper(&self, depth: Depth) -> Result<Option<Deeper>, PolicyError> {
        match (self.deepen, depth) {
            (Some(deepen), Depth::Level(level)) if deepen <= level => {
                Err(PolicyError::NoDeeper { deepen, level })
            }
            (Some(_), Depth::Fixed { .. }) => Err(PolicyError::NoLevel(self.name)),
            (deepen, _) => Ok(deepen.map(Deeper::to)),
        }
    }

    /// The games of files, else of a book.
    fn played_games(&self, note: &mut dyn FnMut(String)) -> Result<Vec<Vec<Square>>, PolicyError> {
        let mut games = self.games(note)?;
        if games.is_empty() {
            games = self.games_of_book()?;
        }
        if let Some(path) = self.games_from.as_ref().filter(|_| games.is_empty()) {
            return Err(PolicyError::NoGames(path.clone()));
        }
        if games.is_empty() {
            return Err(PolicyError::Needs { name: self.name, needs: PolicyNeed::Games });
        }
        Ok(games)
    }

    /// The moves of the games in a book that begin at the start position.
    fn games_of_book(&self) -> Result<Vec<Vec<Square>>, PolicyError> {
        let mut games = Vec::new();
        let own = self.book.as_ref().filter(|path| path.exists());
        if let Some(path) = self.games_from.as_ref().or(own) {
            Reader::open(path)?.games().for_each_moves(GameId(0), |_, start, moves| {
                if start.is_none() {
                    let squares = moves.iter().map_while(|&number| Square::try_new(number));
                    games.push(squares.collect());
                }
            })?;
        }
        Ok(games)
    }

    fn games(&self, note: &mut dyn FnMut(String)) -> Result<Vec<Vec<Square>>, GamesError> {
        let mut games = Vec::new();
        for file in &self.games {
            let mut found = read_game_lines(file)?;
            found.left_out(file).into_iter().for_each(&mut *note);
            games.append(&mut found.lines);
        }
        Ok(games)
    }
}
