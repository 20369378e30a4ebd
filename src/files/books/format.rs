//! The formats by name.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

use super::zebra::ZebraShape;

/// A format of book files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// Edax's binary book, `.dat`.
    Edax,
    /// Edax's portable text book, `.txt`: board, level and best unplayed move.
    EdaxText,
    /// NTest's book, `.book`: format 2 is written, both are read.
    Ntest,
    /// NTest's older format 1 of raw records.
    Ntest1,
    /// Egaroucid's book: `.egbk3` is written, `.egbk2` and `.egbk` are read too.
    Egaroucid,
    /// Zebra's `book.bin`.
    Zebra,
    /// Zebra's book as decimal text.
    ZebraText,
    /// Zebra's packed `book.cmp`.
    ZebraCmp,
    /// The same, gzip'd: `book.cmp.z`.
    ZebraCmpZ,
    /// Our own JSON Lines, `.jsonl`: complete.
    Json,
    /// A table, `.csv`: for spreadsheets it is written, and read it is one of facts.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 11] = [
        Self::Edax,
        Self::EdaxText,
        Self::Ntest,
        Self::Ntest1,
        Self::Egaroucid,
        Self::Zebra,
        Self::ZebraText,
        Self::ZebraCmp,
        Self::ZebraCmpZ,
        Self::Json,
        Self::Csv,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Edax => "edax",
            Self::EdaxText => "edax-text",
            Self::Ntest => "ntest",
            Self::Ntest1 => "ntest-1",
            Self::Egaroucid => "egaroucid",
            Self::Zebra => "zebra",
            Self::ZebraText => "zebra-text",
            Self::ZebraCmp => "zebra-cmp",
            Self::ZebraCmpZ => "zebra-cmp-z",
            Self::Json => "json",
            Self::Csv => "csv",
        }
    }

    /// What it is called in a sentence.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Edax => "Edax book",
            Self::EdaxText => "Edax text book",
            Self::Ntest => "NTest book",
            Self::Ntest1 => "NTest book of format 1",
            Self::Egaroucid => "Egaroucid book",
            Self::Zebra => "Zebra book",
            Self::ZebraText => "Zebra text book",
            Self::ZebraCmp => "Zebra packed book",
            Self::ZebraCmpZ => "Zebra packed book, gzip'd",
            Self::Json => "rosebill JSON Lines book",
            Self::Csv => "CSV table",
        }
    }

    /// Whether its records state which moves lead to others, so that a missing one is a defect.
    pub(crate) const fn states_links(self) -> bool {
        matches!(self, Self::Edax | Self::Json)
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
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "dat" | "store" => Some(Self::Edax),
            "txt" => Some(Self::EdaxText),
            "book" => Some(Self::Ntest),
            "egbk3" | "egbk2" | "egbk" => Some(Self::Egaroucid),
            "bin" => Some(Self::Zebra),
            "cmp" => Some(Self::ZebraCmp),
            "z" | "gz" => Some(Self::ZebraCmpZ),
            "jsonl" | "json" | "ndjson" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

impl Format {
    /// The format in which a file of this name is to be written. What is packed is one of Zebra's books: nothing
    /// else is written so. Of Egaroucid's endings the newest alone is that of what is written.
    pub(crate) fn to_write(path: &Path) -> Result<Self, NoFormat> {
        let is_packed_moves = |packed: &Path| {
            let inside = packed.file_stem().map(Path::new).and_then(Path::extension);
            inside.is_none_or(|ending| ending.eq_ignore_ascii_case("cmp"))
        };
        let is_newest_ending = |path: &Path| {
            path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("egbk3"))
        };
        match Self::of_ending(path) {
            Some(Self::ZebraCmpZ) if !is_packed_moves(path) => Err(NoFormat::Packed),
            Some(Self::Egaroucid) if !is_newest_ending(path) => Err(NoFormat::Old),
            found => found.ok_or(NoFormat::Unknown),
        }
    }
}

/// Why a file's name does not say in which format it is to be written.
#[derive(Debug, Error, PartialEq, Eq, Clone, Copy)]
pub(crate) enum NoFormat {
    #[error("the ending names no format")]
    Unknown,
    /// It says that something else than a packed book of Zebra's is to be packed.
    #[error(
        "only Zebra's books are written packed (.cmp.gz): leave the last ending away, or name the format"
    )]
    Packed,
    #[error("Egaroucid's books are written as .egbk3 only: end it so, or name the format")]
    Old,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no format.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("'{found}' is no format: expected {expected}")]
pub struct UnknownFormat {
    found: String,
    expected: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let wanted = text.trim().to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.name() == wanted).ok_or_else(|| UnknownFormat {
            found: text.to_owned(),
            expected: Self::ALL.map(Self::name).join(", "),
        })
    }
}
