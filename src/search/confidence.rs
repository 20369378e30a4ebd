//! How far a search score may be off, and what that says about winning.

use crate::score::Score;

use super::Selectivity;

/// The chances of the side to move with perfect play; they add up to one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// Of a win.
    pub win: f64,
    /// Of a draw.
    pub draw: f64,
    /// Of a loss.
    pub loss: f64,
}

/// The standard error of an unproven score, in discs: how far scores of this depth and selectivity
/// at this number of empties are from the exact result, as a root mean square.
///
/// The constants are estimates of ours from a few measured depths, not a calibration: the error
/// falls with depth, with nearness to the end, and with what a selective search may skip.
#[must_use]
pub fn standard_error(empties: u8, depth: u8, selectivity: Selectivity) -> f64 {
    let empties_left = f64::from(empties.saturating_sub(depth));
    let skipped = 1.0 - f64::from(selectivity.percent()) / 100.0;
    // A search to the end errs only by what it skipped.
    let horizon =
        STATIC_ERROR * (1.0 - (-empties_left / HORIZON).exp()) * (-f64::from(depth) / DECAY).exp();
    let pruning = PRUNING_ERROR * skipped;
    horizon.hypot(pruning)
}

/// Error of the evaluator far from the end, in discs.
const STATIC_ERROR: f64 = 5.2;
/// Plies over which looking ahead lessens the error by a factor of e.
const DECAY: f64 = 16.0;
/// Plies before the end within which the error shrinks.
const HORIZON: f64 = 6.0;
/// Discs of error where everything is skipped with no confidence at all.
const PRUNING_ERROR: f64 = 3.0;

/// The chances that a score with this standard error (in discs) stands for. Results are even: a
/// draw is what lies between -1 and +1.
#[must_use]
pub fn chances(score: Score, standard_error: f64) -> Chances {
    let spread = standard_error.max(1e-3);
    let below = |discs: f64| normal((discs - score.discs()) / spread);
    let (loss, win) = (below(-1.0), 1.0 - below(1.0));
    Chances { win, draw: (1.0 - win - loss).max(0.0), loss }
}

/// The part of a standard normal distribution that lies below `x` (Abramowitz and Stegun, formula
/// 26.2.17; the error is below 1e-7).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let polynomial = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * polynomial;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for centidiscs in [-2000, -150, 90, 3000] {
            let chances = chances(Score::from_centidiscs(centidiscs), 2.5);
            assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-6);
            assert_eq!(chances.win > chances.loss, centidiscs > 0);
        }
        let even = chances(Score::ZERO, 1.0);
        assert!((even.win - even.loss).abs() < 1e-6, "{even:?}");
        assert!((even.draw - 0.6827).abs() < 1e-3, "{even:?}");
    }

    #[test]
    fn deeper_and_surer_searches_err_less() {
        let error = |empties, depth, percent| {
            standard_error(empties, depth, Selectivity::from_percent(percent).unwrap())
        };
        assert!(error(40, 8, 100) > error(40, 16, 100));
        assert!(error(40, 16, 73) > error(40, 16, 99));
        assert!(error(20, 20, 100) < 1e-9);
        assert!(error(24, 24, 98) > 0.0);
    }
}
