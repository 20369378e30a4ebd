//! Tables: tab, comma or semicolon between columns, with a line of names first.

mod columns;
mod reader;
mod row;
mod writer;

pub(super) use columns::{Columns, is_of_positions, stands_before_names};
pub(super) use reader::TableReader;
pub(super) use writer::{table_head, write_row};
