//! The game database: games beside the book, in the same file.

mod alias;
mod carry;
mod company;
mod database;
mod double;
mod ended;
mod export;
mod filter;
mod folder;
mod import;
mod keep;
mod last_move;
mod list;
mod loaded;
mod openings_by_year;
mod person;
mod player;
mod popular_lines;
mod reached;
mod remove;
mod row;
mod shared;
mod stats;
mod take;
mod through;
mod verify;
mod who;
mod years;

pub use alias::{Aliases, Suggestion};
pub(crate) use alias::{change_aliases, suggest_aliases};
pub use carry::MergedGames;
pub(super) use carry::{merge_games, salvage_games};
pub(super) use company::last_in_company;
pub use database::GameDatabase;
pub use double::JoinError;
pub(crate) use double::{find_doubles, join_games, split_game};
pub(crate) use ended::games_ended_at;
pub(crate) use export::{GameExport, GameExportError, export_games};
#[cfg(feature = "cli")]
pub(crate) use filter::GAMES_HEADING;
pub use filter::{FilterError, GameFilter};
pub(super) use folder::Stray;
pub(crate) use import::import_games_at;
pub(super) use import::{Found, files_of, open_games};
pub use import::{
    GameFile, GameImportError, GameImportEvent, GameImportOptions, GameImportReport, import_games,
};
pub(super) use keep::keep_games;
#[cfg(feature = "workshop")]
pub(crate) use keep::keep_games_at;
pub(super) use list::chosen;
pub use list::{GameSort, ListOptions, ListedGame};
pub(crate) use list::{list_games, show_game};
pub use loaded::LoadedGames;
pub(super) use loaded::{Visit, player_of};
pub(crate) use openings_by_year::YearOfOpenings;
pub use person::{Person, PlayerError};
pub(crate) use person::{find_players, namesakes, one_player};
pub use player::PlayerScore;
pub(super) use player::opening_of;
pub(crate) use player::{OpeningScore, PlayerReport, player_report};
pub use popular_lines::{PopularLine, popular_lines};
pub(super) use reached::positions_reached;
pub use remove::{Removal, remove_games, would_remove};
pub(crate) use remove::{remove_numbered_games, would_remove_numbered};
pub use stats::{GameStats, MoveStats, Tally, game_stats};
pub use verify::verify_games;
pub use who::{GamesAt, PlayerHere, WhoPlayed};
pub(crate) use who::{games_at, games_here, who_played};
#[cfg(feature = "cli")]
pub(crate) use years::span;
pub use years::{BadYears, Years};

// What faces print, or hand in, of the floor below.
pub(crate) use crate::store::GamePlayer;
pub use crate::store::{Collection, GameId, GameInvariant, GameOutcome, GameReport, GameViolation};
