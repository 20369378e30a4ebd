//! What is known of a format of games, how its files are read and written.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::draft::Drafts;
use super::wthor::WthorNames;
use super::{Game, GameFormat};
use crate::files::charset::Charset;
use crate::files::lines::{Letters, Lines};

/// One format. Each has an entry in [`GameFormat::room`].
pub(super) trait GameRoom: Sync {
    fn facts(&self) -> GameFacts;

    fn read<'a>(&self, source: GameSource<'a>) -> Box<dyn Drafts + 'a>;

    /// What a file begins with.
    fn head(&self) -> String {
        String::new()
    }

    /// What a file ends with.
    fn tail(&self) -> &'static str {
        ""
    }

    /// Appends a game.
    fn write(&self, game: &Game, text: &mut String) -> io::Result<()>;
}

/// What is always so of a format.
pub(super) struct GameFacts {
    /// Its name, as users give it.
    pub(super) name: &'static str,
    /// The endings of its files, in small letters.
    pub(super) endings: &'static [&'static str],
    /// Whether a game is made of tags, the board that is set up for it among them.
    pub(super) has_tags: bool,
}

impl GameFacts {
    pub(super) const fn of(name: &'static str, endings: &'static [&'static str]) -> Self {
        Self { name, endings, has_tags: false }
    }
}

/// All bytes of a file of games.
pub(super) struct GameSource<'a> {
    pub(super) input: BufReader<Box<dyn Read + 'a>>,
    pub(super) charset: Charset,
    /// The names for a file that has numbers for them.
    pub(super) names: WthorNames,
}

impl<'a> GameSource<'a> {
    pub(super) fn lines(self) -> Lines<BufReader<Box<dyn Read + 'a>>> {
        Lines::new(self.input, Letters::In(self.charset))
    }
}

impl GameFormat {
    pub(super) fn facts(self) -> GameFacts {
        self.room().facts()
    }

    /// Its name, as users give it.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The names of all formats.
    pub(crate) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// The format that files of this ending are written in.
    pub(crate) fn of_ending(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.facts().endings.contains(&ending.as_str()))
    }
}

impl fmt::Display for GameFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
