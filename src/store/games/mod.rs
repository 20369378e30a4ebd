//! Games beside the book: rows, what filters need of all games at once, and which games came
//! through a position.

mod check;
mod facts;
mod fingerprint;
mod index;
mod list;
mod outcome;
mod read;
mod row;
mod wreck;
mod write;

pub use check::{GameInvariant, GameReport, GameViolation};
pub use facts::GameFacts;
pub(super) use fingerprint::renew_fingerprints;
pub(crate) use list::GameListEntry;
pub use outcome::GameOutcome;
pub use read::Collection;
pub(crate) use read::GamePlayer;
pub use row::{GameId, GameRow, GameRowPlayer};
pub(super) use wreck::GameWreck;
pub use wreck::SavedGame;
pub use write::{GameStore, NameRules};

/// The schema version that brought the tables.
const SINCE: u32 = 3;
