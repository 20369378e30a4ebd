//! Adding up a match.

use std::fmt;

use serde::Serialize;

use super::pair::Pair;
use crate::counted::counted;

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
    /// Openings played, each with both colours.
    pub pairs: u64,
    /// Openings of whose two games the first player had more points.
    pub pair_wins: u64,
    /// Openings of whose two games both had one point.
    pub pair_draws: u64,
    /// Openings of whose two games it had fewer points.
    pub pair_losses: u64,
    /// Share of the points, 0 to 1; a draw is half a point. None without games, as the mean.
    pub score: Option<f64>,
    /// Standard error of the score, from ten openings on. It is that of pairs: the two games of an
    /// opening count as one draw of luck.
    pub score_error: Option<f64>,
    /// Mean result in discs.
    pub discs: Option<f64>,
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
    /// The sum of openings.
    pub(super) fn of(pairs: &[Pair]) -> Self {
        let mut tally = Self::default();
        for pair in pairs {
            tally.pairs += 1;
            match pair.half_points() {
                3.. => tally.pair_wins += 1,
                2 => tally.pair_draws += 1,
                _ => tally.pair_losses += 1,
            }
            for (game, sides) in pair.games().into_iter().zip(&pair.sides) {
                tally.games += 1;
                match game.discs {
                    1.. => tally.wins += 1,
                    0 => tally.draws += 1,
                    _ => tally.losses += 1,
                }
                for (player, side) in sides.iter().enumerate() {
                    tally.book_moves[player] += side.book_moves;
                    tally.seconds[player] += side.seconds;
                    tally.nodes[player] += side.nodes;
                }
            }
        }
        let of_pairs = |of: &dyn Fn(&Pair) -> i32, whole: f64| {
            let means = pairs.iter().map(|pair| f64::from(of(pair)) / whole);
            mean_and_error(&means.collect::<Vec<_>>())
        };
        (tally.score, tally.score_error) = of_pairs(&Pair::half_points, 4.0);
        (tally.discs, tally.discs_error) = of_pairs(&Pair::discs, 2.0);
        tally
    }
}

/// As people read it: games and pairs, the share of the points in percent and the mean in discs.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, wins, draws, losses, .. } = self;
        let Self { pairs, pair_wins, pair_draws, pair_losses, .. } = *self;
        write!(f, "{games} games, +{wins} ={draws} -{losses}, {}", counted(pairs, "pair"))?;
        write!(f, ", +{pair_wins} ={pair_draws} -{pair_losses}")?;
        let (Some(score), Some(discs)) = (self.score, self.discs) else { return Ok(()) };
        write!(f, ", score {:.1} %", 100.0 * score)?;
        if let Some(error) = self.score_error {
            write!(f, " ± {:.1}", 100.0 * error)?;
        }
        write!(f, ", {discs:+.2} discs")?;
        self.discs_error.map_or(Ok(()), |error| write!(f, " ± {error:.2}"))
    }
}

/// Openings below which the scatter of their results says nothing: a pair that is won twice would
/// have no error at all.
const LEAST_PAIRS: usize = 10;

/// The mean and its standard error.
fn mean_and_error(values: &[f64]) -> (Option<f64>, Option<f64>) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (None, None);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (values.len() >= LEAST_PAIRS).then(|| (squares / (count - 1.0) / count).sqrt());
    (Some(mean), error)
}

#[cfg(test)]
mod tests {
    use super::super::game::Played;
    use super::*;

    #[test]
    fn adds_up() {
        let game = |discs| Played { discs, ..Played::default() };
        let pair = |one, other| Pair::new(0, game(one), game(other));
        let two = [pair(6, -2), pair(10, 0)];
        let tally = Tally::of(&two);
        assert_eq!((tally.games, tally.wins, tally.draws, tally.losses), (4, 2, 1, 1));
        assert_eq!((tally.score, tally.discs), (Some(0.625), Some(3.5)));
        let pairs = (tally.pairs, tally.pair_wins, tally.pair_draws, tally.pair_losses);
        assert_eq!(pairs, (2, 1, 1, 0), "a win and a loss are even, by however much");
        // Two openings say nothing about the error.
        assert_eq!((tally.score_error, tally.discs_error), (None, None));
        assert_eq!(
            tally.to_string(),
            "4 games, +2 =1 -1, 2 pairs, +1 =1 -0, score 62.5 %, +3.50 discs"
        );
        // Ten do: of five times 0.5 and 0.75, and of five times 2 and 5 discs.
        let tally = Tally::of(&vec![two; 5].concat());
        let told =
            "20 games, +10 =5 -5, 10 pairs, +5 =5 -0, score 62.5 % ± 4.2, +3.50 discs ± 0.50";
        assert_eq!(tally.to_string(), told);
        let of_ten = |scatter: f64| scatter / 9.0_f64.sqrt();
        assert!((tally.score_error.unwrap() - of_ten(0.125)).abs() < 1e-9);
        assert!((tally.discs_error.unwrap() - of_ten(1.5)).abs() < 1e-9);
        assert_eq!(Tally::of(&[]), Tally::default());
    }
}
