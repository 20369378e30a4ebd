//! Boards as text, graphs as SVG, and pages: pure functions.

mod board;
mod game_graph;
mod game_page;
#[cfg(test)]
mod sample;
mod xml;

pub use board::board_lines;
pub use game_graph::game_svg;
pub use game_page::games_page;
