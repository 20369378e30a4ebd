//! The game database: games beside the book, in the same file.

mod database;
mod filter;
mod import;
mod row;
mod stats;

pub use database::GameDatabase;
pub use filter::{FilterError, GameFilter};
pub use import::{
    GameFile, GameImportError, GameImportEvent, GameImportOptions, GameImportReport, import_games,
    import_games_at,
};
pub use stats::{GameStats, MoveStats, Tally, game_stats};
