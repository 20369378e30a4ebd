//! rosebill grows, keeps, queries and exports Othello opening books.
//!
//! The house has eight rooms; each imports only from those before it, and `tests/architecture` fails on an import
//! against this order:
//!
//! ```text
//! othello   board, eval, search: the game, of use without any book
//! openbook  the three values, evidence and the graph that they flow through; policies; no SQL
//! store     the book file: SQLite, one writer, readers that are never blocked
//! files     what this program and others write: books and games
//! app       what a user can ask for: grow, import, export, show, analyze, play, undo
//! fleet     one book grown by many machines
//! lab       measuring, matches, and the making of the evaluator
//! faces     the command line, the explorer, NBoard and GTP
//! ```
//!
//! A book that is grown a little, and asked:
//!
//! ```
//! use rosebill::othello::board::Placed;
//! use rosebill::othello::eval::PatternEvaluator;
//! use rosebill::app::{BookFile, Depth, GrowOptions, ShowOptions, grow, show};
//! use rosebill::othello::search::{Level, Stop};
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
//! API; `workshop` measures and trains (`lab`). A library that
//! only reads or grows books turns them off. `fleet`, off by default, lets many machines grow one book
//! (`fleet`).

// What only faces or the lab use is idle in a library without them.
#![cfg_attr(
    not(all(feature = "cli", feature = "web", feature = "workshop", feature = "fleet")),
    allow(dead_code, unused_imports)
)]
// Links are for readers of the source, too.
#![allow(rustdoc::private_intra_doc_links)]

pub mod othello;

pub mod openbook;

pub mod store;

pub mod files;

pub mod app;

#[cfg(feature = "fleet")]
pub mod fleet;

#[cfg(feature = "workshop")]
pub mod lab;

pub mod faces;

#[cfg(feature = "cli")]
pub use faces::cli::run;
