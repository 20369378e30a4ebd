//! Tables for the terminal.

use super::terminal::{columns, folded};
use crate::faces::render::Painted;

/// A plain table: columns of numbers to the right, columns of words to the left. A title may have
/// several lines; a cell is painted as a whole.
pub struct Table {
    titles: Vec<Painted>,
    rows: Vec<Vec<Painted>>,
}

/// The last column is folded to this many characters, before others are; moves fit in twos.
const FOLDED_FIRST: usize = 24;
/// No column is folded to less than this many characters, before all else is.
const NARROWEST: usize = 10;
/// What comes before the last column where it is below its row.
const BELOW: &str = "     ";

impl Table {
    /// A table with these column titles.
    pub fn new(titles: &[&str]) -> Self {
        Self { titles: titles.iter().map(|&title| title.into()).collect(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<Painted>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// How wide the widest piece of each column is, where the texts are cut into pieces so.
    fn widest<'t, P: Iterator<Item = &'t str>>(
        rows: impl Iterator<Item = &'t Vec<Painted>>,
        pieces: impl Fn(&'t str) -> P,
    ) -> Vec<usize> {
        let mut widest = Vec::new();
        for row in rows {
            widest.resize(widest.len().max(row.len()), 0);
            for (cell, widest) in row.iter().zip(&mut widest) {
                let widths = cell.parts().flat_map(|(_, text)| pieces(text)).map(columns);
                *widest = widths.max().unwrap_or_default().max(*widest);
            }
        }
        widest
    }

    fn widths(&self) -> Vec<usize> {
        Self::widest(std::iter::once(&self.titles).chain(&self.rows), str::lines)
    }

    /// As lines that are no longer than this, as far as that can be done: where a table is too wide
    /// its last column is folded a little; else its columns come closer, and the last and then the widest
    /// of the others are folded; and if all that is not enough, the last one goes below each row.
    pub fn fitted(&self, width: Option<usize>) -> Vec<Painted> {
        let widths = self.widths();
        let Some((width, end)) = width.zip(widths.len().checked_sub(1)) else {
            return self.lines(APART, &widths);
        };
        let over = |gaps: Gaps| gaps.width_of(&widths).saturating_sub(width);
        if over(APART) == 0 {
            return self.lines(APART, &widths);
        }
        let mut folded = widths.clone();
        if let Some(last) = folded.last_mut() {
            *last = even(last.saturating_sub(over(APART))).max(FOLDED_FIRST).min(*last);
        }
        if APART.width_of(&folded) <= width {
            return self.lines(APART, &folded);
        }
        let folded = self.folded(&widths, over(CLOSE));
        if CLOSE.width_of(&folded) > width
            && end > 0
            && let Some(lines) = self.with_last_below(width)
        {
            return lines;
        }
        self.lines(CLOSE, &folded)
    }

    /// How wide each column is where all together are so much narrower, as far as it goes.
    fn folded(&self, widths: &[usize], mut over: usize) -> Vec<usize> {
        let end = widths.len().saturating_sub(1);
        let mut others: Vec<usize> = (0..end).collect();
        others.sort_by_key(|&index| std::cmp::Reverse(widths[index]));
        // The widest of the others comes first, and the end behind it.
        others.insert(others.len().min(1), end);
        let words = Self::widest(self.rows.iter(), str::split_whitespace);
        let whole_words = |index: usize| match words.get(index) {
            // A word so long is moves, which are folded anyhow.
            Some(&longest) if index != end || longest <= FOLDED_FIRST => longest,
            _ => NARROWEST,
        };
        let mut steps = vec![(end, FOLDED_FIRST)];
        steps.extend(others.iter().map(|&index| (index, whole_words(index).max(NARROWEST))));
        steps.extend(others.iter().map(|&index| (index, NARROWEST)));
        let mut folded = widths.to_vec();
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
    fn with_last_below(&self, width: usize) -> Option<Vec<Painted>> {
        let all_but_last = |row: &Vec<Painted>| match row.split_last() {
            Some((_, cells)) => cells.to_vec(),
            None => Vec::new(),
        };
        let rows = self.rows.iter().map(all_but_last).collect();
        let others = Self { titles: all_but_last(&self.titles), rows };
        let mut lines = others.lines(CLOSE, &others.widths());
        let rows = lines.split_off(lines.len().checked_sub(self.rows.len())?);
        if others.rows.iter().flatten().any(|cell| cell.plain().contains('\n')) {
            return None;
        }
        for (line, row) in rows.into_iter().zip(&self.rows) {
            lines.push(line);
            let last = row.last().map(Painted::plain).filter(|last| !last.is_empty());
            if let Some(last) = last {
                let below = folded(&format!("{BELOW}{last}"), " ", BELOW.len(), width);
                lines.extend(below.into_iter().map(Painted::from));
            }
        }
        Some(lines)
    }

    /// As lines with such gaps, and with columns of these widths.
    fn lines(&self, gaps: Gaps, widths: &[usize]) -> Vec<Painted> {
        let is_number = |text: &str| text.starts_with(|c: char| "+-0123456789".contains(c));
        let are_numbers = |column: usize| {
            let texts = self.rows.iter().filter_map(|row| row.get(column)).map(Painted::plain);
            texts.filter(|text| !text.is_empty()).all(|text| is_number(&text))
        };
        let are_numbers: Vec<bool> = (0..widths.len()).map(are_numbers).collect();
        let mut lines = Vec::new();
        for row in std::iter::once(&self.titles).chain(&self.rows) {
            let fold = |(cell, &width): (&Painted, &usize)| -> Vec<String> {
                cell.plain().split('\n').flat_map(|line| folded(line, " ", 0, width)).collect()
            };
            let cells: Vec<Vec<String>> = row.iter().zip(widths).map(fold).collect();
            for number in 0..cells.iter().map(Vec::len).max().unwrap_or_default() {
                let (mut line, mut blanks) = (Painted::default(), 0);
                for (column, texts) in cells.iter().enumerate() {
                    let text = texts.get(number).map_or("", String::as_str);
                    let room = widths[column].saturating_sub(columns(text));
                    let (before, behind) = if are_numbers[column] { (room, 0) } else { (0, room) };
                    blanks += gaps.before + before;
                    if !text.is_empty() {
                        let paint = row[column].parts().find_map(|(paint, _)| paint);
                        line = line.then(None, " ".repeat(blanks)).then(paint, text);
                        blanks = 0;
                    }
                    blanks += behind + gaps.behind;
                }
                lines.push(line);
            }
        }
        lines
    }
}

/// Blanks around each column.
#[derive(Clone, Copy)]
struct Gaps {
    before: usize,
    behind: usize,
}

const APART: Gaps = Gaps { before: 1, behind: 1 };
const CLOSE: Gaps = Gaps { before: 0, behind: 1 };

impl Gaps {
    /// How wide columns are together; the blanks behind the last one are not written.
    fn width_of(self, widths: &[usize]) -> usize {
        let whole: usize = widths.iter().map(|&width| width + self.before + self.behind).sum();
        whole.saturating_sub(self.behind)
    }
}

/// The next smaller width that fits whole moves.
const fn even(width: usize) -> usize {
    width & !1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::cli::terminal::styled;
    use crate::faces::render::Paint;

    fn text(table: &Table, width: usize) -> String {
        let lines = table.fitted(Some(width));
        lines.iter().map(Painted::plain).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn only_the_last_column_is_folded_and_paint_has_no_width() {
        let mut table = Table::new(&["loss", "two\nlines", "line"]);
        let painted = Painted::new(Some(Paint::Best), "-0.13");
        table.row(["0".into(), painted, "f5d6c3d3c4f4c5b3c2".into()]);
        table.row(["0.26", "+1", "f5f6"]);
        let plain = " loss    two  line\n       lines\n    0  -0.13  f5d6c3d3c4f4c5b3c2\n \
                     0.26     +1  f5f6";
        assert_eq!(text(&table, 80), plain);
        assert_eq!(text(&table, usize::MAX), plain);
        // The columns come closer before moves are folded.
        let narrow = "loss   two line\n     lines\n   0 -0.13 f5d6c3d3c4f4c5\n           \
                      b3c2\n0.26    +1 f5f6";
        assert_eq!(text(&table, 25), narrow);
        let row = &table.fitted(Some(25))[2];
        assert!(styled(row, true).contains("\u{1b}[1m\u{1b}[32m-0.13\u{1b}[0m"));
    }

    #[test]
    fn one_column_after_the_other_is_folded() {
        let mut table = Table::new(&["black", "white", "opening", "event"]);
        table.row(
            ["Murakami Takeshi", "Takanashi Yusuke", "Central Rose-Bill", "Asia Pacific"]
                .map(str::to_owned),
        );
        let told = text(&table, 54);
        let whole = ["Murakami", "Takanashi", "Central", "Rose-Bill", "Pacific"];
        assert!(whole.iter().all(|word| told.contains(word)), "{told}");
        for width in [43, 50, 60, 67] {
            let told = text(&table, width);
            assert!(told.lines().all(|line| line.len() <= width), "{width}:\n{told}");
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
            let told = text(&table, width);
            assert!(width < 46 || told.lines().all(|line| line.len() <= width), "{width}:\n{told}");
            let words: Vec<&str> = told.split_whitespace().collect();
            for word in ["Scorpion", "approach", "(Comp'Oth", "e6)", "-12.50"] {
                assert!(words.contains(&word), "{width}: {word} in\n{told}");
            }
        }
        let apart =
            " move  guess    draw-   worth  w/d/l %  searched  name\n              seeking\n";
        assert!(text(&table, 90).starts_with(apart), "{}", text(&table, 90));
        let below = "move guess   draw-  worth w/d/l % searched\n           seeking\n\
                     e6      -2   -2.68 -12.50 0/13/87   24@73%\n     Scorpion approach (Comp'Oth e6)\n\
                     e6      -2   -2.68 -12.50 0/13/87   24@73%";
        assert_eq!(text(&table, 48), below);
        // A column of an odd width stays whole where there is room for it.
        let mut odd = Table::new(&["move", "name"]);
        odd.row(["d6".to_owned(), "Perpendicular Opening".to_owned()]);
        assert_eq!(text(&odd, 26), "move name\nd6   Perpendicular Opening");
    }
}
