//! The book file: SQLite, one writer, readers that are never blocked. The only user of rusqlite.

mod bulk;
mod error;
mod lock;
mod original;
mod parallel;
mod reader;
mod retain;
mod rewrite;
mod row;
mod salvage;
mod scan;
mod schema;
mod tables;
mod verify;
mod writer;

pub use bulk::{Known, Loaded, Record};
pub use error::StoreError;
pub use reader::{Counts, Reader, Snapshot};
pub use retain::Kept;
pub use row::storage_order;
pub use salvage::{Salvaged, salvage};
pub use schema::is_database;
pub use tables::{KnownSource, Run, RunId};
pub use writer::{Book, Durability};
