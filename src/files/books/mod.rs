//! Book files: bytes to and from a neutral stream of [`Record`]s, without any store.
//!
//! A reader hands out one record after the other with bounded memory and never panics, whatever
//! the bytes. What it had to repair it counts in [`Defects`]; what it cannot accept is a
//! [`FormatError`] that says file, place, what was found and what was expected. Checks that need
//! several records at once (links to missing records, duplicates, stale values) belong to the
//! import, which sees the whole book.
//!
//! Bytes come from any reader, once and in order; a name stands for them in messages.
//!
//! ```
//! use std::path::Path;
//!
//! use rosebill::othello::board::{Key, Position};
//! use rosebill::files::books::{BookInput, Format, ReadOptions};
//! use rosebill::othello::score::Score;
//!
//! // A line of Edax's portable text: board, level, best move, its score in discs.
//! let text = "---------------------------OX------XO--------------------------- X,21,F5,-1\n";
//! let options = ReadOptions::default();
//! let input = BookInput::new(text.as_bytes(), Path::new("book.txt"), None)?;
//! assert_eq!(input.format(), Format::EdaxText);
//! let mut book = input.records(options)?;
//! let entry = book.reader.next_entry("book.txt", options)?.expect("a record");
//! assert_eq!(entry.key, Key::of(Position::START));
//! assert_eq!(entry.rest.map(|best| best.score), Some(Score::from_discs(-1)));
//! assert!(book.reader.next_entry("book.txt", options)?.is_none());
//! # Ok::<(), rosebill::files::books::FormatError>(())
//! ```

mod children;
mod csv;
mod defect;
pub mod edax;
pub mod egaroucid;
mod error;
mod facts;
mod format;
mod input;
mod json;
mod kept_files;
mod likeliest;
mod lines;
mod not_held;
pub mod ntest;
mod packed_facts;
mod record;
mod report;
pub mod snapshot;
mod sniff;
mod tables;
mod write;
pub mod zebra;

pub use crate::files::fault::{Fault, Place};
pub use defect::{Defect, DefectKind, Defects};
pub(crate) use egaroucid::FIX_CHANGES;
pub use error::FormatError;
pub use facts::read_facts;
pub use format::UnknownFormat;
pub(crate) use format::{BookFormat, Levels, NoFormat};
pub use input::{BookInput, OpenBook, book_format, open};
pub use json::JsonReader;
pub(crate) use json::is_our_book;
pub use not_held::NotHeld;
pub use record::{Entry, Kept, ReadOptions, Record, RecordReader, StatedFact, StatedLink, Turn};
pub use report::ExportReport;
pub use sniff::sniff;
pub use write::ExportProgress;
pub(crate) use write::{Steps, WriteError, WriteJob};

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
    /// Tables of the book, its games and analyses for other programs, `.sqlite`: written only.
    Tables,
    /// The same as CSV files in a `.zip`.
    TablesCsv,
}

/// The programs whose books are read and written.
pub(crate) const PROGRAMS: &str = "Edax, NTest, Zebra and Egaroucid";

/// The books whose records do not say how they were searched.
pub(crate) const WITHOUT_LEVELS: &str = "books of Egaroucid (.egbk)";

/// The program that writes books in the format of Edax, too, with levels that were set and not searched.
const OTHER_EDAX_WRITER: &str = "egaroucid";

impl Format {
    /// All formats.
    pub const ALL: [Self; 13] = [
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
        Self::Tables,
        Self::TablesCsv,
    ];

    /// What recognizes, reads and writes it.
    pub(crate) fn room(self) -> &'static dyn BookFormat {
        match self {
            Self::Edax => &edax::EdaxBook,
            Self::EdaxText => &edax::EdaxText,
            Self::Ntest => &ntest::NtestBook(ntest::NtestVersion::Forest),
            Self::Ntest1 => &ntest::NtestBook(ntest::NtestVersion::Records),
            Self::Egaroucid => &egaroucid::EgaroucidBook,
            Self::Zebra => &zebra::ZebraBook(zebra::ZebraShape::Bin),
            Self::ZebraText => &zebra::ZebraBook(zebra::ZebraShape::Text),
            Self::ZebraCmp => &zebra::ZebraBook(zebra::ZebraShape::Packed),
            Self::ZebraCmpZ => &zebra::ZebraBook(zebra::ZebraShape::Gzipped),
            Self::Json => &json::JsonBook,
            Self::Csv => &csv::CsvTable,
            Self::Tables => &tables::Tables { zipped: false },
            Self::TablesCsv => &tables::Tables { zipped: true },
        }
    }
}
