//! Tables for the terminal.

use std::fmt;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table as Grid, Width};

use super::terminal::unmarked;

/// A plain table: columns of numbers to the right, columns of words to the left. A title may have
/// several lines.
pub struct Table(Grid);

/// The last column is folded to this many characters, before others are; moves fit in twos.
const FOLDED_FIRST: u16 = 24;
/// No column is folded to less than this many characters, before all else is.
const NARROWEST: u16 = 10;

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

    /// How wide the longest word of each column is.
    fn longest_words(&self, columns: usize) -> Vec<u16> {
        let mut longest = vec![0; columns];
        for row in self.0.row_iter() {
            for (cell, longest) in row.cell_iter().zip(&mut longest) {
                let content = unmarked(&cell.content());
                let words = content.split_whitespace().map(|word| word.chars().count());
                *longest = words.max().unwrap_or_default().max(usize::from(*longest)) as u16;
            }
        }
        longest
    }

    /// As text of lines that are no longer than this, as far as folding the last column, and then the
    /// widest of the others one after the other, can do it.
    #[must_use]
    pub fn fitted(&self, width: Option<usize>) -> String {
        let mut grid = self.0.clone();
        let widths = grid.column_max_content_widths();
        // A blank stands on both sides of each column; the last one is not written.
        let whole: usize = widths.iter().map(|&width| usize::from(width) + 2).sum();
        if let (Some(width), Some(end)) = (width, widths.len().checked_sub(1))
            && whole > width + 1
        {
            let mut others: Vec<usize> = (0..end).collect();
            others.sort_by_key(|&index| std::cmp::Reverse(widths[index]));
            // The widest of the others comes first, and the end behind it.
            others.insert(others.len().min(1), end);
            let words = self.longest_words(widths.len());
            let whole_words = |index: usize| match words.get(index) {
                // A word so long is moves, which are folded anyhow.
                Some(&longest) if index != end || longest <= FOLDED_FIRST => longest,
                _ => NARROWEST,
            };
            let mut steps = vec![(end, FOLDED_FIRST)];
            steps.extend(others.iter().map(|&index| (index, whole_words(index).max(NARROWEST))));
            steps.extend(others.iter().map(|&index| (index, NARROWEST)));
            let mut folded = widths.clone();
            let mut over = u16::try_from(whole - width - 1).unwrap_or(u16::MAX);
            for (index, least) in steps {
                let room = folded[index].saturating_sub(over);
                // Moves are two characters long, and not torn; nor are words.
                let left = match index == end {
                    true => (room & !1).max(least.next_multiple_of(2)),
                    false => room.max(least),
                };
                let left = left.min(folded[index]);
                over = over.saturating_sub(folded[index] - left);
                folded[index] = left;
            }
            grid.set_content_arrangement(ContentArrangement::Dynamic);
            grid.set_width(u16::MAX);
            for column in grid.column_iter_mut() {
                let width = folded.get(column.index).copied().unwrap_or_default();
                column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width + 2)));
            }
        }
        for column in grid.column_iter_mut() {
            let index = column.index;
            let numeric = self
                .0
                .row_iter()
                .filter_map(|row| row.cell_iter().nth(index))
                .map(|cell| unmarked(&cell.content()))
                .filter(|text| !text.is_empty())
                .all(|text| text.starts_with(|c: char| "+-0123456789".contains(c)));
            if numeric {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let text = grid.to_string();
        let lines: Vec<_> = text.lines().map(str::trim_end).collect();
        lines.join("\n")
    }
}

/// As wide as it is.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fitted(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::{Paint, painted};

    #[test]
    fn only_the_last_column_is_folded_and_marks_have_no_width() {
        let mut table = Table::new(&["loss", "two\nlines", "line"]);
        table.row(["0".into(), Paint::Best.mark("-0.13"), "f5d6c3d3c4f4c5b3c2".into()]);
        table.row(["0.26".into(), "+1".into(), "f5f6".into()]);
        let plain = " loss    two  line\n       lines\n    0  -0.13  f5d6c3d3c4f4c5b3c2\n \
                     0.26     +1  f5f6";
        assert_eq!(unmarked(&table.to_string()), plain);
        assert_eq!(unmarked(&table.fitted(Some(80))), plain);
        let narrow = " loss    two  line\n       lines\n    0  -0.13  f5d6c3d3c4\n              \
                      f4c5b3c2\n 0.26     +1  f5f6";
        assert_eq!(unmarked(&table.fitted(Some(25))), narrow);
        let coloured = table.fitted(Some(25));
        assert!(painted(&coloured, true).contains("\u{1b}[1m\u{1b}[32m-0.13\u{1b}[0m"));
    }

    #[test]
    fn one_column_after_the_other_is_folded() {
        let mut table = Table::new(&["black", "white", "opening", "event"]);
        table.row(
            ["Murakami Takeshi", "Takanashi Yusuke", "Central Rose-Bill", "Asia Pacific"]
                .map(str::to_owned),
        );
        let text = table.fitted(Some(54));
        let whole = ["Murakami", "Takanashi", "Central", "Rose-Bill", "Pacific"];
        assert!(whole.iter().all(|word| text.contains(word)), "{text}");
        for width in [45, 50, 60, 67] {
            let text = table.fitted(Some(width));
            assert!(text.lines().all(|line| line.len() <= width), "{width}:\n{text}");
        }
    }
}
