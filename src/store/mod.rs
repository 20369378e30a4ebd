//! The book file: SQLite, one writer, readers that are never blocked. The only user of rusqlite.
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

mod absent;
mod analysis;
mod aside;
mod beginning;
mod belongs;
mod beside;
mod book_nodes;
mod bulk;
mod check;
mod connection;
mod current;
mod error;
mod facts;
pub(crate) mod file_identity;
mod fleet;
mod games;
mod held;
mod held_file;
mod held_wreck;
mod history;
mod identity;
mod in_place;
mod layer_scan;
mod layers;
mod lineage;
mod lock;
mod log;
mod new_book;
mod new_node;
mod original;
mod page;
mod pages;
mod parallel;
mod part;
mod read_ahead;
mod reader;
mod recall;
mod records;
mod repeats;
mod retain;
mod rewrite;
mod row;
mod salvage;
#[cfg(test)]
mod sample;
mod scan;
mod schema;
pub(crate) mod shell_words;
mod statements;
mod table_pages;
mod tables;
mod tree;
mod undo_log;
pub(crate) mod unfinished;
mod verify;
mod wreck;
mod writer;

pub use analysis::{
    AnalysedSquare, AnalysisInvariant, AnalysisReport, AnalysisViolation, PositionAnalysis,
    PositionSearcher, SearcherId,
};
pub(crate) use beginning::{
    SNAPSHOT_MAGIC, begins_as_database, begins_as_foreign_database, is_database,
};
pub(crate) use belongs::book_beside;
pub(crate) use belongs::check_of_no_book;
pub use belongs::saved_path;
pub(crate) use belongs::{SAVED_AFTER, SAVED_BEFORE, identity_letters};
pub(crate) use beside::led_to;
pub use bulk::Loaded;
pub(crate) use bulk::LoadedFile;
pub(crate) use connection::is_open;
pub(crate) use current::check_book;
pub use error::StoreError;
pub use facts::{ContradictedFact, Fact};
pub use games::{
    Collection, GameFacts, GameId, GameInvariant, GameOutcome, GameReport, GameRow, GameRowPlayer,
    GameStore, GameViolation, NameRules, SavedGame,
};
pub(crate) use games::{GameListEntry, GamePlayer};
pub use history::{
    HistoryInvariant, HistoryPoint, HistoryPointId, HistoryReport, HistoryViolation,
};
pub(crate) use new_book::NewBook;
pub use new_node::NewNode;
pub(crate) use part::LayerParts;
pub use reader::{Counts, Reader, Snapshot};
pub(crate) use repeats::Repeats;
pub use retain::Kept;
pub use row::storage_order;
pub use salvage::{Salvaged, salvage};
pub use tables::{KnownSource, Run, RunId};
pub use undo_log::{UndoEntry, UndoReport, UndoViolation};
pub use wreck::Wreck;
pub use writer::{Book, Durability, Written};
