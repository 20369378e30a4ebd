//! Boards as text, graphs as SVG, pages, JSON, and what all faces say in words: pure functions.

mod board;
mod command;
mod filter;
mod game_graph;
mod game_page;
mod game_text;
pub mod json;
mod painted;
#[cfg(test)]
mod sample;
mod shown_facts;
mod source_text;
mod thought;
mod xml;

pub use board::board_lines;
pub use command::{Command, OwnBook, book_option, quoted, typed};
pub use filter::as_typed;
pub use game_graph::game_svg;
pub use game_page::games_page;
pub use game_text::{day, moves, name as player_name, result};
pub use painted::{Paint, Painted};
pub use shown_facts::{
    move_name, name, others, passed, raise_command, searched, unsearched, worth,
};
pub use source_text::source_text;
pub(crate) use thought::{found_so_far, how_sure, logged, play};
