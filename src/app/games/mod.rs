//! The game database: games beside the book, in the same file.

mod carry;
mod company;
mod database;
mod ended;
mod export;
mod filter;
mod folder;
mod import;
mod keep;
mod last_move;
mod list;
mod loaded;
mod person;
mod player;
mod popular_lines;
mod reached;
mod remove;
mod row;
mod shared;
mod stats;
mod take;
mod verify;
mod who;

pub use carry::MergedGames;
pub(super) use carry::{merge_games, salvage_games};
pub use company::Company;
pub(super) use company::last_in_company;
pub use database::GameDatabase;
pub use ended::games_ended_at;
pub use export::{GameExport, GameExportError, export_games};
pub use filter::{FilterError, GameFilter, NO_GAMES};
pub(super) use folder::Stray;
pub(super) use import::{Found, files_of, open_games};
pub use import::{
    GameFile, GameImportError, GameImportEvent, GameImportOptions, GameImportReport, import_games,
    import_games_at,
};
pub(super) use keep::keep_game;
pub(super) use list::chosen;
pub use list::{GameSort, ListOptions, ListedGame, list_games, show_game};
pub use loaded::LoadedGames;
pub(super) use loaded::{Visit, player_of};
pub use person::{Namesakes, Person, PlayerError, find_players, namesakes, one_player};
pub(super) use player::opening_of;
pub use player::{OpeningScore, PlayerReport, PlayerScore, player_report};
pub use popular_lines::{PopularLine, popular_lines};
pub(super) use reached::positions_reached;
pub use remove::{
    Removal, remove_games, remove_numbered_games, would_remove, would_remove_numbered,
};
pub use stats::{GameStats, MoveStats, Tally, game_stats};
pub use verify::verify_games;
pub use who::{GamesAt, PlayerHere, WhoPlayed, games_at, games_here, who_played};

// What faces print, or hand in, of the floor below.
pub use crate::store::{
    Collection, GameId, GameInvariant, GameOutcome, GamePlayer, GameReport, GameViolation,
};
