//! Boards and tables as text: pure functions.

mod board;

pub use board::board_lines;
