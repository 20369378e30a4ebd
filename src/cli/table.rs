//! Tables for the terminal.

use std::fmt;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table as Grid};

/// A plain table: columns of numbers to the right, columns of words to the left.
pub struct Table(Grid);

impl Table {
    /// A table with these column titles.
    #[must_use]
    pub fn new(titles: &[&str]) -> Self {
        let mut grid = Grid::new();
        grid.load_style(NOTHING).set_header(titles.iter().copied());
        Self(grid)
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.add_row(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut grid = self.0.clone();
        for column in grid.column_iter_mut() {
            let index = column.index;
            let numeric = self
                .0
                .row_iter()
                .filter_map(|row| row.cell_iter().nth(index))
                .map(|cell| cell.content())
                .filter(|text| !text.is_empty())
                .all(|text| text.starts_with(|c: char| "+-0123456789".contains(c)));
            if numeric {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let text = grid.to_string();
        let lines: Vec<_> = text.lines().map(str::trim_end).collect();
        f.write_str(&lines.join("\n"))
    }
}
