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

mod bytes;
mod csv;
mod defect;
pub mod edax;
pub mod egaroucid;
mod error;
mod facts;
mod format;
mod gzip;
mod input;
mod json;
mod likeliest;
mod lines;
mod loss;
mod losses;
pub mod ntest;
mod packed_facts;
mod packed_input;
mod packing;
mod record;
mod report;
pub mod snapshot;
mod sniff;
#[cfg(test)]
mod testing;
mod unzstd;
pub mod zebra;

pub(crate) use csv::CsvWriter;
pub use defect::{Defect, DefectKind, Defects};
pub use error::{FormatError, Place};
pub use facts::read_facts;
pub(crate) use format::NoFormat;
pub use format::{Format, UnknownFormat};
pub use input::{BookInput, OpenBook, book_format, open};
pub use json::JsonReader;
pub(crate) use json::JsonWriter;
pub use loss::Loss;
pub(crate) use losses::not_held;
pub(crate) use record::Fault;
pub use record::{Entry, Kept, ReadOptions, Record, RecordReader, StatedFact, StatedLink, Turn};
pub use report::ExportReport;
pub use sniff::sniff;
