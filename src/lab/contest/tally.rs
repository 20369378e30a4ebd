//! Adding up a match.

use std::fmt;

use serde::Serialize;

use super::pair::Pair;
use super::statistics::{Elo, LEAST_PAIRS, Pentanomial};
use crate::files::counted::counted;

/// What the games of a match add up to, seen by the first player.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Tally {
    pub games: u64,
    /// Games the first player won.
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// Openings played, each with both colours.
    pub pairs: u64,
    /// Openings of whose two games the first player had more points.
    pub pairs_won: u64,
    /// Openings of whose two games both had one point.
    pub pairs_drawn: u64,
    /// Openings of whose two games it had fewer points.
    pub pairs_lost: u64,
    /// Openings by the half points that the first player got of their two games, 0 to 4.
    pub pairs_by_half_points: Pentanomial,
    /// Share of the points in percent; a draw is half a point. None without games, as the mean.
    pub percent: Option<f64>,
    /// Standard error of that, from ten openings on. It is that of pairs: the two games of an
    /// opening count as one draw of luck.
    pub percent_error: Option<f64>,
    /// The difference of strength that this stands for.
    pub elo: Option<Elo>,
    /// Games that each player lost otherwise than on the board; their discs count as all 64.
    pub forfeits: [u64; 2],
    /// Mean result in discs.
    pub mean_difference: Option<f64>,
    /// Standard error of that, in discs, from ten openings on.
    pub mean_difference_error: Option<f64>,
    /// Moves of the first player and of the second that came from their books.
    pub book_moves: [u64; 2],
    /// Processor time of the first player's searches and of the second's, in seconds; of a program, all of its time in
    /// the games.
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
            tally.pairs_by_half_points[pair.half_points() as usize] += 1;
            match pair.half_points() {
                3.. => tally.pairs_won += 1,
                2 => tally.pairs_drawn += 1,
                _ => tally.pairs_lost += 1,
            }
            for game in pair.games() {
                tally.games += 1;
                match game.discs {
                    1.. => tally.won += 1,
                    0 => tally.drawn += 1,
                    _ => tally.lost += 1,
                }
                if let Some(forfeit) = &game.forfeit {
                    tally.forfeits[usize::from(!forfeit.by_self)] += 1;
                }
                for (player, side) in game.sides.iter().enumerate() {
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
        (tally.percent, tally.percent_error) = of_pairs(&Pair::half_points, 0.04);
        tally.elo = tally
            .percent
            .zip(tally.percent_error)
            .and_then(|(percent, error)| Elo::of(percent, error));
        (tally.mean_difference, tally.mean_difference_error) = of_pairs(&Pair::discs, 2.0);
        tally
    }
}

/// As people read it: games and pairs, the share of the points in percent and the mean in discs.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, won, drawn, lost, .. } = self;
        let Self { pairs, pairs_won, pairs_drawn, pairs_lost, .. } = *self;
        write!(f, "{games} games, +{won} ={drawn} -{lost}, {}", counted(pairs, "pair"))?;
        write!(f, ", +{pairs_won} ={pairs_drawn} -{pairs_lost}")?;
        let (Some(percent), Some(discs)) = (self.percent, self.mean_difference) else {
            return Ok(());
        };
        write!(f, ", score {percent:.1} %")?;
        if let Some(error) = self.percent_error {
            write!(f, " ± {error:.1}")?;
        }
        write!(f, ", {discs:+.2} discs")?;
        if let Some(error) = self.mean_difference_error {
            write!(f, " ± {error:.2}")?;
        }
        self.elo.map_or(Ok(()), |elo| write!(f, ", {elo}"))
    }
}

fn mean_and_error(values: &[f64]) -> (Option<f64>, Option<f64>) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (None, None);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error =
        (values.len() as u64 >= LEAST_PAIRS).then(|| (squares / (count - 1.0) / count).sqrt());
    (Some(mean), error)
}

#[cfg(test)]
mod tests {
    use super::super::game::Played;
    use super::*;

    #[test]
    fn adds_up() {
        let game = |discs| Played { discs, ..Played::default() };
        let pair = |one, other| Pair { opening: 0, as_black: game(one), as_white: game(other) };
        let two = [pair(6, -2), pair(10, 0)];
        let tally = Tally::of(&two);
        assert_eq!((tally.games, tally.won, tally.drawn, tally.lost), (4, 2, 1, 1));
        assert_eq!((tally.percent, tally.mean_difference), (Some(62.5), Some(3.5)));
        let pairs = (tally.pairs, tally.pairs_won, tally.pairs_drawn, tally.pairs_lost);
        assert_eq!(pairs, (2, 1, 1, 0), "a win and a loss are even, by however much");
        // Two openings say nothing about the error.
        assert_eq!((tally.percent_error, tally.mean_difference_error), (None, None));
        assert_eq!(
            tally.to_string(),
            "4 games, +2 =1 -1, 2 pairs, +1 =1 -0, score 62.5 %, +3.50 discs"
        );
        // Ten do: of five times 0.5 and 0.75, and of five times 2 and 5 discs.
        let tally = Tally::of(&vec![two; 5].concat());
        let told = "20 games, +10 =5 -5, 10 pairs, +5 =5 -0, score 62.5 % ± 4.2, +3.50 discs ± 0.50, \
             +89 Elo (+30 to +153)";
        assert_eq!(tally.to_string(), told);
        assert_eq!(tally.pairs_by_half_points, [0, 0, 5, 5, 0]);
        let of_ten = |scatter: f64| scatter / 9.0_f64.sqrt();
        assert!((tally.percent_error.unwrap() - of_ten(12.5)).abs() < 1e-9);
        assert!((tally.mean_difference_error.unwrap() - of_ten(1.5)).abs() < 1e-9);
        assert_eq!(Tally::of(&[]), Tally::default());
    }
}
