//! rosebill grows, keeps, queries and exports Othello opening books.
//!
//! Data flows one way; a module imports only from those before it:
//!
//! ```text
//! archive, charset, counted, figures, file_identity, lock, one_line, program, random, score, shell_words,
//!     system_error, table_rows, text_lines, unfinished, whole_file, board
//!     -> eval -> search -> book -> store -> formats, games -> ops -> fleet -> render -> protocol, web -> cli -> main
//! ```
//!
//! `board` knows the rules, `eval` judges a position, `search` looks ahead, `book` holds the
//! three values and the graph they flow through, `store` keeps them in SQLite, `formats` and
//! `games` read and write files, `ops` does what a user can ask for, `render` says it in pictures and JSON,
//! and `web` and `cli` are its faces.
//! `tests/architecture` fails on an import against this order.
//!
//! A book that is grown a little, and asked:
//!
//! ```
//! use rosebill::board::Placed;
//! use rosebill::eval::PatternEvaluator;
//! use rosebill::ops::{BookFile, Depth, GrowOptions, ShowOptions, grow, show};
//! use rosebill::search::{Level, Stop};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("my.db");
//! let (mut book, _) = BookFile::at(&path).open_or_create()?;
//! let options = GrowOptions {
//!     depth: Depth::Level("1".parse::<Level>()?),
//!     positions: Some(10),
//!     ..GrowOptions::default()
//! };
//! grow(&mut book, &PatternEvaluator::embedded()?, &options, &Stop::new(), &mut |_| ())?;
//!
//! let shown = show(book.reader(), Placed::START, &ShowOptions::default())?;
//! assert_eq!(shown.moves.len(), 4);
//! let best = shown.moves[0].found.values.ok_or("not in the book")?;
//! println!("{} discs for Black", best.guess);
//! # Ok(())
//! # }
//! ```
//!
//! Features, on by default: `cli` is the program's face, `run`; `web` is the explorer and its HTTP
//! API; `workshop` measures and trains (`ops::bench`, `ops::train`, `ops::contest`). A library that
//! only reads or grows books turns them off. `fleet`, off by default, lets many machines grow one book
//! (`fleet`).

mod archive;
mod charset;
mod counted;
#[cfg(feature = "cli")]
mod figures;
mod file_identity;
mod lock;
mod one_line;
mod program;
mod random;
pub mod score;
mod shell_words;
mod system_error;
mod table_rows;
mod text_lines;
mod unfinished;
mod whole_file;

pub mod board;

pub mod eval;

pub mod search;

pub mod book;

pub mod store;

pub mod formats;
pub mod games;

pub mod ops;

#[cfg(feature = "fleet")]
pub mod fleet;

#[cfg(feature = "cli")]
mod cli;
pub mod protocol;
pub mod render;
#[cfg(feature = "web")]
pub mod web;

#[cfg(feature = "cli")]
pub use cli::run;
