//! The table of a round robin.

use crate::cli::table::Table;
use crate::ops::contest::Tally;

/// The scores of a round robin.
pub(super) struct Standings(Vec<Vec<Option<f64>>>);

impl Standings {
    pub(super) fn new(players: usize) -> Self {
        Self(vec![vec![None; players]; players])
    }

    pub(super) fn add(&mut self, first: usize, second: usize, tally: &Tally) {
        let Some(percent) = tally.percent else { return };
        for (one, other, score) in [(first, second, percent), (second, first, 100.0 - percent)] {
            if let Some(cell) = self.0.get_mut(one).and_then(|row| row.get_mut(other)) {
                *cell = Some(score);
            }
        }
    }

    /// Percent of the points of each player against each, best on the whole first.
    pub(super) fn table(&self, names: &[&str]) -> Table {
        let mean = |row: &[Option<f64>]| {
            let scores: Vec<f64> = row.iter().flatten().copied().collect();
            scores.iter().sum::<f64>() / scores.len().max(1) as f64
        };
        let mut order: Vec<(f64, &str, &[Option<f64>], usize)> = (self.0.iter().zip(names))
            .enumerate()
            .map(|(place, (row, &name))| (mean(row), name, row.as_slice(), place))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let numbers: Vec<String> = (1..=order.len()).map(|number| format!("#{number}")).collect();
        let mut titles = vec!["", "player", "all"];
        titles.extend(numbers.iter().map(String::as_str));
        let mut table = Table::new(&titles);
        let percent = |score: f64| format!("{score:.1}");
        for ((all, name, row, _), number) in order.iter().zip(&numbers) {
            let mut cells = vec![number.clone(), (*name).to_owned(), percent(*all)];
            cells.extend(
                order
                    .iter()
                    .map(|&(.., place)| row.get(place).copied().flatten())
                    .map(|score| score.map_or_else(String::new, percent)),
            );
            table.row(cells);
        }
        table
    }
}
