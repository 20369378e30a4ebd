//! How far results are from zero beyond what searches say: see [`Stretch`].

use crate::othello::eval::Stretch;
use crate::othello::eval::stretch::NEAR_WIPE_OUT;
use crate::othello::score::MAX_DISCS;

/// What a search said of a position whose result is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Foretold {
    /// Empty squares that the last position of the search had left.
    pub left: u8,
    /// What the search said, in discs.
    pub value: f64,
    /// The result, in discs, for the same side.
    pub result: f64,
}

/// Numbers of empty squares with a stretch of their own.
const KNOTS: [u8; 10] = [2, 5, 8, 11, 14, 17, 20, 24, 28, 34];

/// Centidiscs up to which values stay as they are: most values of a book are such, and they are as often too
/// large as too small.
const FROM: i16 = 500;

/// Centidiscs from which on they may be moved by all.
const FULL: [i16; 4] = [1400, 1800, 2200, 2600];

/// How strongly neighbouring knots are held together, in positions whose value is moved by all.
const STIFFNESS: f64 = 40.0;

/// Rounds in which each knot takes what suits its neighbours.
const ROUNDS: usize = 400;

/// The stretch that makes the errors smallest, each kind of search weighed by how sure it is. None without
/// anything to learn from.
pub(crate) fn fit_stretch(searches: &[Foretold]) -> Option<Stretch> {
    if searches.is_empty() {
        return None;
    }
    let weights = weights(searches);
    let fits = FULL.iter().map(|&full| fit_of_shape(searches, &weights, full));
    fits.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(stretch, _)| stretch).filter(Stretch::is_sound)
}

/// One by the variance of all searches that stop with so many empty squares left.
fn weights(searches: &[Foretold]) -> Vec<f64> {
    let mut sums = [(0.0_f64, 0.0_f64); 65];
    let place = |each: &Foretold| usize::from(each.left.min(64));
    for each in searches {
        let (squares, count) = &mut sums[place(each)];
        *squares += (each.result - each.value).powi(2);
        *count += 1.0;
    }
    let weight = |each: &Foretold| {
        let (squares, count) = sums[place(each)];
        count / squares.max(0.25 * count)
    };
    searches.iter().map(weight).collect()
}

/// The best stretch that moves values by all from so many centidiscs on, and the weighted sum of its squared
/// errors.
fn fit_of_shape(searches: &[Foretold], weights: &[f64], full: i16) -> (Stretch, f64) {
    let (low, high) = (f64::from(FROM) / 100.0, f64::from(full) / 100.0);
    // By how much a value is moved where 'most' is one disc, and which knots have what share in that.
    let moved = |each: &Foretold| {
        let size = each.value.abs();
        let short = (f64::from(MAX_DISCS) - size) * 100.0 / f64::from(NEAR_WIPE_OUT);
        let moved = (size.clamp(low, high) - low) / (high - low) * short.clamp(0.0, 1.0);
        if each.value < 0.0 { -moved } else { moved }
    };
    let mut normal = [[0.0_f64; KNOTS.len()]; KNOTS.len()];
    let mut right = [0.0_f64; KNOTS.len()];
    for (each, weight) in searches.iter().zip(weights) {
        let (first, second, share) = knots_of(each.left);
        let row = [(first, (1.0 - share) * moved(each)), (second, share * moved(each))];
        for (a, x) in row {
            right[a] += weight * x * (each.result - each.value);
            for (b, y) in row {
                normal[a][b] += weight * x * y;
            }
        }
    }
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    let mut most = [0.0_f64; KNOTS.len()];
    for _ in 0..ROUNDS {
        for at in 0..KNOTS.len() {
            let others: f64 =
                (0..KNOTS.len()).filter(|&b| b != at).map(|b| normal[at][b] * most[b]).sum();
            let (mut sum, mut weight) = (right[at] - others, normal[at][at]);
            for neighbour in [at.checked_sub(1), Some(at + 1)].into_iter().flatten() {
                if let Some(&value) = most.get(neighbour) {
                    sum += STIFFNESS * mean * value;
                    weight += STIFFNESS * mean;
                }
            }
            most[at] = sum / weight;
        }
    }
    let rows = KNOTS.iter().zip(most);
    let most_of = rows.map(|(&left, discs)| (left, (discs * 100.0).round() as i16)).collect();
    let loss = |(each, weight): (&Foretold, &f64)| {
        let (first, second, share) = knots_of(each.left);
        let most = most[first] * (1.0 - share) + most[second] * share;
        weight * (each.result - each.value - most * moved(each)).powi(2)
    };
    (Stretch { from: FROM, full, most: most_of }, searches.iter().zip(weights).map(loss).sum())
}

/// The two knots that a number of empty squares lies between, and the share of the second.
fn knots_of(left: u8) -> (usize, usize, f64) {
    let above = KNOTS.partition_point(|&knot| knot <= left);
    match (above.checked_sub(1), KNOTS.get(above)) {
        (None, _) => (0, 0, 0.0),
        (Some(below), None) => (below, below, 0.0),
        (Some(below), Some(&high)) => {
            let low = KNOTS[below];
            (below, above, f64::from(left - low) / f64::from(high - low))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::score::Score;

    /// Noise aside, what made the results is found again, and held on to where nothing is known.
    #[test]
    fn a_stretch_is_found_again() {
        let truth = Stretch { from: 500, full: 1800, most: vec![(5, 20), (20, 300)] };
        let mut searches = Vec::new();
        for left in 5..=24 {
            for value in (-3000_i16..=3000).step_by(75) {
                let result = truth.apply(Score::from_centidiscs(value), left).discs();
                let value = f64::from(value) / 100.0;
                let noise = f64::from(left) / 4.0;
                searches.push(Foretold { left, value, result: result + noise });
                searches.push(Foretold { left, value, result: result - noise });
            }
        }
        let found = fit_stretch(&searches).unwrap();
        assert_eq!((found.from, found.full), (500, 1800));
        for left in [6, 11, 16, 20, 24, 40] {
            for value in [-2500, -900, 100, 1200] {
                let of = |stretch: &Stretch| stretch.apply(Score::from_centidiscs(value), left);
                let difference = of(&found).discs() - of(&truth).discs();
                assert!(difference.abs() < 0.25, "{left} left, {value}: {difference}");
            }
        }
        assert_eq!(fit_stretch(&[]), None);
    }
}
