//! The book file: SQLite, one writer, readers that are never blocked. The only user of rusqlite.
//!
//! Nodes are asked for and changed by [`Reader`] and [`Book`] themselves (`reader`, `writer`, `row`), every other family
//! of tables by a view (`views`): [`Reader::games`], [`Book::facts`]. `pages` reads SQLite's files without SQLite, and
//! `salvage`, which nothing here needs, saves what is sound in a damaged one. Begin with `schema` and `reader`.
//!
//! ```
//! use rosebill::othello::board::{Key, Position};
//! use rosebill::openbook::{NodeSource, Rest, Searched, Source};
//! use rosebill::othello::score::Score;
//! use rosebill::othello::search::{Proof, Selectivity};
//! use rosebill::store::{Book, Reader};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("my.db");
//! let mut book = Book::create(&path)?;
//! let source = book.source_id(&Source { engine: "by hand".into(), ..Source::default() })?;
//! let start = Key::of(Position::START);
//! let first = start.position().legal_moves().next();
//! let rest = Rest { square: first, score: Score::from_discs(2), proof: Proof::None };
//! let searched = Searched { depth: 1, selectivity: Selectivity::FULL, source };
//! book.insert(start, Some(rest), searched)?;
//!
//! // A reader meanwhile sees what was committed.
//! let reader = Reader::open(&path)?;
//! assert_eq!(reader.counts()?.positions, 0);
//! book.commit()?;
//! let node = reader.node(&start)?.ok_or("it is not in the book")?;
//! assert_eq!(node.values.guess, Score::from_discs(2));
//! assert!(reader.verify()?.is_sound());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod absent_keys;
mod analysis;
mod book_nodes;
mod bulk;
mod check_before_writing;
mod connection;
mod cutting;
mod error;
mod evidence_tables;
mod facts;
pub(crate) mod file_identity;
mod file_names;
mod first_bytes;
mod fleet;
mod games;
mod history;
mod identity;
mod layer_parts;
mod layer_scan;
mod layers;
mod lineage;
mod lock;
mod log;
mod new_book;
mod new_node;
mod node_cache;
mod open_files;
mod original;
mod pages;
mod parallel;
mod read_ahead;
mod reader;
mod reader_in_place;
mod repeats;
mod rewrite;
mod row;
mod salvage;
#[cfg(test)]
mod sample;
mod scan;
mod schema;
mod sources_and_runs;
mod statements;
mod undo_log;
pub(crate) mod unfinished;
mod verify;
mod views;
mod writer;
mod writer_in_place;

pub use analysis::{
    AnalysedSquare, AnalysisInvariant, AnalysisReport, AnalysisViolation, PositionAnalysis,
    PositionSearcher, SearcherId,
};
pub use bulk::Loaded;
pub(crate) use bulk::LoadedFile;
pub(crate) use connection::is_open;
pub use cutting::Kept;
pub use error::StoreError;
pub use facts::{ContradictedFact, Fact};
pub use file_names::saved_path;
pub(crate) use file_names::{
    SAVED_AFTER, SAVED_BEFORE, book_beside, check_of_no_book, identity_letters, led_to,
};
pub(crate) use first_bytes::{
    SNAPSHOT_MAGIC, TABLES_ID, begins_as_database, begins_as_foreign_database, begins_as_tables,
    is_database, is_tables,
};
pub use games::{
    Collection, GameFacts, GameId, GameInvariant, GameOutcome, GameReport, GameRow, GameRowPlayer,
    GameStore, GameViolation, NameRules,
};
pub(crate) use games::{GameListEntry, GamePlayer};
pub use history::{
    HistoryInvariant, HistoryPoint, HistoryPointId, HistoryReport, HistoryViolation,
};
pub(crate) use layer_parts::LayerParts;
pub(crate) use new_book::NewBook;
pub use new_node::NewNode;
pub use reader::{Counts, Reader, Snapshot};
pub(crate) use reader_in_place::check_book;
pub(crate) use repeats::Repeats;
pub use row::storage_order;
pub use salvage::{Salvaged, SavedGame, Wreck, salvage};
pub use sources_and_runs::{KnownSource, Run, RunId};
pub use undo_log::{UndoEntry, UndoReport, UndoViolation};
pub use views::{
    Analyses, AnalysesMut, Facts, FactsMut, Fleet, FleetMut, Games, History, HistoryMut, Originals,
    OriginalsMut, UndoChanges, UndoChangesMut,
};
pub use writer::{Book, Durability, Written};
