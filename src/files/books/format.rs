//! What is known of a format of book files, how its files are recognized, read and written.

use std::fmt;
use std::io::BufReader;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use super::input::Watched;
use super::write::{Steps, WriteJob, WriteResult};
use super::zebra::ZebraShape;
use super::{Format, FormatError, NotHeld, ReadOptions, RecordReader};
use crate::othello::search::Level;
use crate::store::Repeats;

/// One format. Each has an entry in [`Format::room`].
pub(crate) trait BookFormat: Sync {
    fn facts(&self) -> BookFacts;

    /// How a file is recognized, if it may be one.
    fn sniff(&self, head: &Head<'_>) -> Option<Mark>;

    /// Whether the records of a file say how they were searched.
    fn has_levels(&self, _head: &Head<'_>) -> bool {
        true
    }

    /// Whether nodes cannot hold what a file says, so that it is worth keeping.
    fn is_worth_keeping(&self, _head: &Head<'_>) -> bool {
        false
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a>;

    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult;
}

/// What is always so of a format.
#[derive(Clone, Copy)]
pub(crate) struct BookFacts {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// What it is called in a sentence.
    pub(crate) title: &'static str,
    /// The endings of its files, in small letters.
    pub(crate) endings: &'static [&'static str],
    /// What it cannot hold, for the user to see before the book is gone; empty when it holds everything.
    pub(crate) not_held: &'static [NotHeld],
    /// Whether a missing link is a defect, because its records state which moves lead to others.
    pub(crate) states_links: bool,
    /// Whether programs that read it reckon values from the start position.
    pub(crate) wants_start: bool,
    pub(crate) levels: Levels,
    /// The only ending that is written, where older layouts with other endings are read too.
    pub(crate) written_as: Option<&'static str>,
    /// Whether one of its endings is a mark: no other program's files have it.
    pub(crate) has_sure_ending: bool,
    /// What its files repeat of our own searches.
    pub(crate) repeats: Option<Repeats>,
}

impl BookFacts {
    /// Of a format of which no more is to be said.
    pub(crate) const fn of(
        name: &'static str,
        title: &'static str,
        endings: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            title,
            endings,
            not_held: &[],
            states_links: false,
            wants_start: false,
            levels: Levels::None,
            written_as: None,
            has_sure_ending: false,
            repeats: None,
        }
    }
}

/// Which levels the records of a format may be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Levels {
    None,
    /// Numbers like ours.
    Ours,
    /// Those of NTest, for the whole book.
    Ntest,
}

/// The beginning of a file.
pub(crate) struct Head<'a> {
    /// The name, without the ending that says how it was packed.
    pub(crate) name: &'a Path,
    pub(crate) bytes: &'a [u8],
}

impl Head<'_> {
    /// The ending of the name in small letters; empty where there is none.
    pub(crate) fn ending(&self) -> String {
        ending(self.name)
    }

    /// The bytes as text, without blanks before it.
    pub(crate) fn text(&self) -> String {
        let text = String::from_utf8_lossy(self.bytes);
        text.trim_start_matches('\u{feff}').trim_start().to_owned()
    }
}

fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// How a file is recognized, the surest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mark {
    /// Its content looks like it.
    Content,
    /// Its ending, for a content that has no mark, but may be it.
    Ending,
    /// Bytes that no other file begins with.
    Bytes,
}

pub(crate) type ReadResult<'a> = Result<Box<dyn RecordReader + 'a>, FormatError>;

/// All bytes of a file, and how they are to be read.
pub(crate) struct BookSource<'a> {
    pub(crate) input: BufReader<Watched<'a>>,
    pub(crate) file: String,
    pub(crate) options: ReadOptions,
    /// [`BookFormat::has_levels`]
    pub(crate) has_levels: bool,
    /// The level of records that have none.
    pub(crate) level: Option<Level>,
}

impl Format {
    pub(crate) fn facts(self) -> BookFacts {
        self.room().facts()
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// What it is called in a sentence.
    pub(crate) fn title(self) -> &'static str {
        self.facts().title
    }

    /// The program whose format it is.
    pub(crate) fn program(self) -> &'static str {
        self.title().split(' ').next().unwrap_or_default()
    }

    /// The programs whose records may be given such levels.
    pub(crate) fn programs_with(levels: Levels) -> String {
        let mut programs: Vec<_> = Self::ALL
            .into_iter()
            .filter(|format| format.facts().levels == levels)
            .map(Self::program)
            .collect();
        programs.dedup();
        programs.join(", ")
    }

    /// The names of all formats.
    pub(crate) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Which of Zebra's files it is.
    pub(crate) const fn zebra_shape(self) -> Option<ZebraShape> {
        match self {
            Self::Zebra => Some(ZebraShape::Bin),
            Self::ZebraText => Some(ZebraShape::Text),
            Self::ZebraCmp => Some(ZebraShape::Packed),
            Self::ZebraCmpZ => Some(ZebraShape::Gzipped),
            _ => None,
        }
    }

    /// The format that a file of this name has when its content does not say.
    pub(crate) fn of_ending(path: &Path) -> Option<Self> {
        let ending = ending(path);
        Self::ALL.into_iter().find(|format| format.facts().endings.contains(&ending.as_str()))
    }

    /// The format in which a file of this name is to be written. What is packed is one of Zebra's books: nothing
    /// else is written so.
    pub(crate) fn to_write(path: &Path) -> Result<Self, NoFormat> {
        let is_packed_moves = |packed: &Path| {
            let inside = packed.file_stem().map(Path::new).and_then(Path::extension);
            inside.is_none_or(|ending| ending.eq_ignore_ascii_case("cmp"))
        };
        let found = Self::of_ending(path).ok_or(NoFormat::Unknown)?;
        match found.facts().written_as {
            _ if found == Self::ZebraCmpZ && !is_packed_moves(path) => Err(NoFormat::Packed),
            Some(newest) if ending(path) != newest => {
                Err(NoFormat::Old { program: found.program(), newest })
            }
            _ => Ok(found),
        }
    }
}

/// Why a file's name does not say in which format it is to be written.
#[derive(Debug, Error, PartialEq, Eq, Clone, Copy)]
pub(crate) enum NoFormat {
    #[error("its ending names no format")]
    Unknown,
    /// It says that something else than a packed book of Zebra's is to be packed.
    #[error(
        "only Zebra's books are written packed (.cmp.gz): drop the last ending, or name the format"
    )]
    Packed,
    #[error("{program}'s books are written as .{newest} only: use that ending, or name the format")]
    Old { program: &'static str, newest: &'static str },
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no format.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("'{found}' is not a format: expected {}", Format::names())]
pub struct UnknownFormat {
    found: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let wanted = text.trim().to_ascii_lowercase();
        let found = Self::ALL.into_iter().find(|format| format.name() == wanted);
        found.ok_or_else(|| UnknownFormat { found: text.to_owned() })
    }
}
