//! Tables for the terminal.

use std::fmt;

use comfy_table::presets::NOTHING;
use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table as Grid, Width,
};

use super::terminal::{columns, folded, unmarked};

/// A plain table: columns of numbers to the right, columns of words to the left. A title may have
/// several lines.
pub struct Table(Grid);

/// The last column is folded to this many characters, before others are; moves fit in twos.
const FOLDED_FIRST: u16 = 24;
/// No column is folded to less than this many characters, before all else is.
const NARROWEST: u16 = 10;
/// What comes before the last column where it is below its row.
const BELOW: &str = "     ";

impl Table {
    /// A table with these column titles.
    pub fn new(titles: &[&str]) -> Self {
        let mut grid = Grid::new();
        grid.load_style(NOTHING).set_header(titles.iter().copied());
        Self(grid)
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.add_row(cells);
    }

    /// How wide the longest word of each column is.
    fn longest_words(&self, count: usize) -> Vec<u16> {
        let mut longest = vec![0; count];
        for row in self.0.row_iter() {
            for (cell, longest) in row.cell_iter().zip(&mut longest) {
                let content = unmarked(&cell.content());
                let words = content.split_whitespace().map(columns);
                *longest = words.max().unwrap_or_default().max(usize::from(*longest)) as u16;
            }
        }
        longest
    }

    /// As text of lines that are no longer than this, as far as that can be done: where a table is too wide
    /// its last column is folded a little; else its columns come closer, and the last and then the widest
    /// of the others are folded; and if all that is not enough, the last one goes below each row.
    pub fn fitted(&self, width: Option<usize>) -> String {
        let widths = self.0.column_max_content_widths();
        let Some((width, end)) = width.zip(widths.len().checked_sub(1)) else {
            return self.text(APART, None);
        };
        let whole = |gaps: Gaps| gaps.width_of(&widths).saturating_sub(width);
        if whole(APART) == 0 {
            return self.text(APART, None);
        }
        let mut folded = widths.clone();
        if let Some(last) = folded.last_mut() {
            *last = even(last.saturating_sub(narrow(whole(APART)))).max(FOLDED_FIRST).min(*last);
        }
        if APART.width_of(&folded) <= width {
            return self.text(APART, Some(&folded));
        }
        let folded = self.folded(&widths, whole(CLOSE));
        if CLOSE.width_of(&folded) > width
            && end > 0
            && let Some(text) = self.with_last_below(width)
        {
            return text;
        }
        self.text(CLOSE, Some(&folded))
    }

    /// How wide each column is where all together are so much narrower, as far as it goes.
    fn folded(&self, widths: &[u16], over: usize) -> Vec<u16> {
        let end = widths.len().saturating_sub(1);
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
        let mut folded = widths.to_vec();
        let mut over = narrow(over);
        for (index, least) in steps {
            if over == 0 {
                break;
            }
            let room = folded[index].saturating_sub(over);
            // Moves are two characters long, and not torn; nor are words.
            let left = match index == end {
                true => even(room).max(least.next_multiple_of(2)),
                false => room.max(least),
            };
            let left = left.min(folded[index]);
            over = over.saturating_sub(folded[index] - left);
            folded[index] = left;
        }
        folded
    }

    /// With the last column on a line of its own below each row; none where other columns have more than
    /// one line in a row.
    fn with_last_below(&self, width: usize) -> Option<String> {
        let mut others = Grid::new();
        others.load_style(NOTHING);
        let all_but_last = |row: &Row| -> Vec<Cell> {
            let cells: Vec<Cell> = row.cell_iter().cloned().collect();
            cells.split_last().map(|(_, cells)| cells.to_vec()).unwrap_or_default()
        };
        let titles = self.0.header()?;
        let title_lines = titles.cell_iter().map(|cell| cell.content().lines().count());
        let title_lines = title_lines.max()?;
        others.set_header(all_but_last(titles));
        self.0.row_iter().for_each(|row| {
            others.add_row(all_but_last(row));
        });
        let text = Self(others).text(CLOSE, None);
        let mut lines = text.lines();
        let mut whole: Vec<String> = lines.by_ref().take(title_lines).map(str::to_owned).collect();
        let rows: Vec<&str> = lines.collect();
        if rows.len() != self.0.row_iter().count() {
            return None;
        }
        for (line, row) in rows.into_iter().zip(self.0.row_iter()) {
            whole.push(line.to_owned());
            let last = row.cell_iter().last().map(|cell| cell.content()).unwrap_or_default();
            if !last.is_empty() {
                whole.extend(folded(&format!("{BELOW}{last}"), " ", BELOW.len(), width));
            }
        }
        Some(whole.join("\n"))
    }

    /// As text with such gaps, and with columns of these widths where they are not as wide as they are.
    fn text(&self, gaps: Gaps, widths: Option<&[u16]>) -> String {
        let mut grid = self.0.clone();
        if widths.is_some() {
            grid.set_content_arrangement(ContentArrangement::Dynamic);
            grid.set_width(u16::MAX);
        }
        for column in grid.column_iter_mut() {
            let index = column.index;
            column.set_padding((gaps.before, gaps.behind));
            if let Some(width) = widths.and_then(|widths| widths.get(index)) {
                let width = width + gaps.before + gaps.behind;
                column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
            }
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

/// Blanks around each column.
#[derive(Clone, Copy)]
struct Gaps {
    before: u16,
    behind: u16,
}

const APART: Gaps = Gaps { before: 1, behind: 1 };
const CLOSE: Gaps = Gaps { before: 0, behind: 1 };

impl Gaps {
    /// How wide columns are together; the blanks behind the last one are not written.
    fn width_of(self, widths: &[u16]) -> usize {
        let gap = usize::from(self.before + self.behind);
        let whole: usize = widths.iter().map(|&width| usize::from(width) + gap).sum();
        whole.saturating_sub(usize::from(self.behind))
    }
}

/// The next smaller width that fits whole moves.
const fn even(width: u16) -> u16 {
    width & !1
}

fn narrow(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fitted(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::cli::terminal::{Paint, painted};

    #[test]
    fn only_the_last_column_is_folded_and_marks_have_no_width() {
        let mut table = Table::new(&["loss", "two\nlines", "line"]);
        table.row(["0".into(), Paint::Best.mark("-0.13"), "f5d6c3d3c4f4c5b3c2".into()]);
        table.row(["0.26".into(), "+1".into(), "f5f6".into()]);
        let plain = " loss    two  line\n       lines\n    0  -0.13  f5d6c3d3c4f4c5b3c2\n \
                     0.26     +1  f5f6";
        assert_eq!(unmarked(&table.to_string()), plain);
        assert_eq!(unmarked(&table.fitted(Some(80))), plain);
        // The columns come closer before moves are folded.
        let narrow = "loss   two line\n     lines\n   0 -0.13 f5d6c3d3c4f4c5\n           \
                      b3c2\n0.26    +1 f5f6";
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
        for width in [43, 50, 60, 67] {
            let text = table.fitted(Some(width));
            assert!(text.lines().all(|line| line.len() <= width), "{width}:\n{text}");
        }
    }

    /// As `show` has them, with games: ten columns that cannot be folded, and a name.
    #[test]
    fn many_columns_come_closer_and_at_last_a_name_goes_below() {
        let titles = ["move", "guess", "draw-\nseeking", "worth", "w/d/l %", "searched", "name"];
        let mut table = Table::new(&titles);
        let row = |name: &str| {
            ["e6", "-2", "-2.68", "-12.50", "0/13/87", "24@73%", name].map(str::to_owned)
        };
        table.row(row("Scorpion approach (Comp'Oth e6)"));
        table.row(row(""));
        for width in [30, 48, 50, 60, 70, 80, 90] {
            let text = table.fitted(Some(width));
            assert!(width < 46 || text.lines().all(|line| line.len() <= width), "{width}:\n{text}");
            let words: Vec<&str> = text.split_whitespace().collect();
            for word in ["Scorpion", "approach", "(Comp'Oth", "e6)", "-12.50"] {
                assert!(words.contains(&word), "{width}: {word} in\n{text}");
            }
        }
        let apart =
            " move  guess    draw-   worth  w/d/l %  searched  name\n              seeking\n";
        assert!(table.fitted(Some(90)).starts_with(apart), "{}", table.fitted(Some(90)));
        let below = "move guess   draw-  worth w/d/l % searched\n           seeking\n\
                     e6      -2   -2.68 -12.50 0/13/87   24@73%\n     Scorpion approach (Comp'Oth e6)\n\
                     e6      -2   -2.68 -12.50 0/13/87   24@73%";
        assert_eq!(table.fitted(Some(48)), below);
        // A column of an odd width stays whole where there is room for it.
        let mut odd = Table::new(&["move", "name"]);
        odd.row(["d6".to_owned(), "Perpendicular Opening".to_owned()]);
        assert_eq!(odd.fitted(Some(26)), "move name\nd6   Perpendicular Opening");
    }
}
