//! The standings of a round robin.

use super::tally::Tally;

/// What each player of a round robin scored against each other, in percent of the points.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Standings(Vec<Vec<Option<f64>>>);

/// A player's place in them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Standing {
    /// Which player, from 0.
    pub player: usize,
    /// The mean of what was scored against each other, in percent of the points; 0 before any match.
    pub mean: f64,
    /// The score against each player in percent, in the order of the standings; none against itself, and
    /// where no game was played.
    pub scores: Vec<Option<f64>>,
}

impl Standings {
    /// Of so many players, before any match.
    pub(crate) fn new(players: usize) -> Self {
        Self(vec![vec![None; players]; players])
    }

    /// Adds the result of a match of two players.
    pub(crate) fn add(&mut self, first: usize, second: usize, tally: &Tally) {
        let Some(percent) = tally.percent else { return };
        for (one, other, score) in [(first, second, percent), (second, first, 100.0 - percent)] {
            self.0[one][other] = Some(score);
        }
    }

    /// The best player on the whole first; of equals the one that was named first.
    pub(crate) fn ranked(&self) -> Vec<Standing> {
        let mean = |row: &[Option<f64>]| {
            let scores: Vec<f64> = row.iter().flatten().copied().collect();
            scores.iter().sum::<f64>() / scores.len().max(1) as f64
        };
        let mut order: Vec<_> = (self.0.iter().enumerate())
            .map(|(player, row)| (mean(row), player, row.as_slice()))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let standing = |&(mean, player, row): &(f64, usize, &[Option<f64>])| Standing {
            player,
            mean,
            scores: order.iter().map(|&(_, other, _)| row[other]).collect(),
        };
        order.iter().map(standing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_on_the_whole_stands_first() {
        let scored = |percent| Tally { percent: Some(percent), ..Tally::default() };
        let mut standings = Standings::new(3);
        standings.add(0, 1, &scored(25.0));
        standings.add(0, 2, &scored(60.0));
        standings.add(1, 2, &Tally::default());
        let ranked = standings.ranked();
        let told: Vec<_> = ranked.iter().map(|each| (each.player, each.mean)).collect();
        assert_eq!(told, [(1, 75.0), (0, 42.5), (2, 40.0)]);
        assert_eq!(ranked[0].scores, [None, Some(75.0), None]);
        assert_eq!(ranked[1].scores, [Some(25.0), None, Some(60.0)]);
    }
}
