//! Games beside the book: rows, what filters need of all games at once, and which games came
//! through a position.

mod by_fingerprint;
mod check;
mod facts;
mod fingerprint;
mod index;
mod list;
mod outcome;
mod read;
mod row;
mod write;

pub use check::{GameInvariant, GameReport, GameViolation};
pub(super) use facts::BLOCK;
pub use facts::GameFacts;
pub(super) use fingerprint::renew_fingerprints;
pub(crate) use list::GameListEntry;
pub use outcome::GameOutcome;
pub use read::Collection;
pub(crate) use read::GamePlayer;
pub(super) use read::{ALIASES, joined};
pub use row::{GameId, GameRow, GameRowPlayer};
pub use write::{GameStore, NameRules};
