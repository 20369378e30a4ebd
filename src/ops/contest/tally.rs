//! Adding up a match.

use std::fmt;

use serde::Serialize;

use super::game::Played;

/// What the games of a match add up to, seen by the first player.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games the first player won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games it lost.
    pub losses: u64,
    /// Share of the points, 0 to 1; a draw is half a point.
    pub score: f64,
    /// Standard error of the score, from ten openings on. The two games of an opening
    /// count as one draw of luck.
    pub score_error: Option<f64>,
    /// Mean result in discs.
    pub discs: f64,
    /// Standard error of that, in discs, from ten openings on.
    pub discs_error: Option<f64>,
    /// Moves of the first player and of the second that came from their books.
    pub book_moves: [u64; 2],
    /// Processor time of the first player's searches and of the second's, in seconds.
    pub seconds: [f64; 2],
    /// Nodes of the first player's searches and of the second's.
    pub nodes: [u64; 2],
}

impl Tally {
    /// The sum of openings, each with its number, played with both colours.
    pub(super) fn of(pairs: &[(usize, [Played; 2])]) -> Self {
        let mut tally = Self::default();
        for played in pairs.iter().flat_map(|(_, pair)| pair) {
            tally.games += 1;
            match played.discs {
                1.. => tally.wins += 1,
                0 => tally.draws += 1,
                _ => tally.losses += 1,
            }
            for side in 0..2 {
                tally.book_moves[side] += played.sides[side].book_moves;
                tally.seconds[side] += played.sides[side].seconds;
                tally.nodes[side] += played.sides[side].nodes;
            }
        }
        let points = |played: &Played| f64::from(played.discs.signum() + 1) / 2.0;
        let discs = |played: &Played| f64::from(played.discs);
        let of_pairs = |of: &dyn Fn(&Played) -> f64| {
            let means = pairs.iter().map(|(_, [one, other])| (of(one) + of(other)) / 2.0);
            mean_and_error(&means.collect::<Vec<_>>())
        };
        (tally.score, tally.score_error) = of_pairs(&points);
        (tally.discs, tally.discs_error) = of_pairs(&discs);
        tally
    }
}

/// As people read it: the games, the share of the points in percent and the mean in discs.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, wins, draws, losses, .. } = self;
        write!(f, "{games} games, +{wins} ={draws} -{losses}, score {:.1} %", 100.0 * self.score)?;
        if let Some(error) = self.score_error {
            write!(f, " ± {:.1}", 100.0 * error)?;
        }
        write!(f, ", {:+.2} discs", self.discs)?;
        self.discs_error.map_or(Ok(()), |error| write!(f, " ± {error:.2}"))
    }
}

/// Openings below which the scatter of their results says nothing: a pair that is won twice would
/// have no error at all.
const LEAST_PAIRS: usize = 10;

/// The mean and its standard error; nought without values.
fn mean_and_error(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (0.0, None);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (values.len() >= LEAST_PAIRS).then(|| (squares / (count - 1.0) / count).sqrt());
    (mean, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up() {
        let game = |discs| Played { discs, ..Played::default() };
        let two = [(0, [game(6), game(-2)]), (1, [game(10), game(0)])];
        let tally = Tally::of(&two);
        assert_eq!((tally.games, tally.wins, tally.draws, tally.losses), (4, 2, 1, 1));
        assert_eq!((tally.score, tally.discs), (0.625, 3.5));
        // Two openings say nothing about the error.
        assert_eq!((tally.score_error, tally.discs_error), (None, None));
        assert_eq!(tally.to_string(), "4 games, +2 =1 -1, score 62.5 %, +3.50 discs");
        // Ten do: of five times 0.5 and 0.75, and of five times 2 and 5 discs.
        let tally = Tally::of(&two.repeat(5));
        let told = "20 games, +10 =5 -5, score 62.5 % ± 4.2, +3.50 discs ± 0.50";
        assert_eq!(tally.to_string(), told);
        let of_ten = |scatter: f64| scatter / 9.0_f64.sqrt();
        assert!((tally.score_error.unwrap() - of_ten(0.125)).abs() < 1e-9);
        assert!((tally.discs_error.unwrap() - of_ten(1.5)).abs() < 1e-9);
        assert_eq!(Tally::of(&[]), Tally::default());
    }
}
