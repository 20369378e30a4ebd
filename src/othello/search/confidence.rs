//! How far a search score may be off, and what that says about winning.

use crate::othello::score::Score;

use super::Selectivity;

/// The chances of the side to move with perfect play; they add up to one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
}

/// The standard error of an unproven score, in discs: how far scores of this depth and selectivity
/// at this number of empties are from the exact result, as a root mean square.
///
/// The error falls with depth and with nearness to the end, and rises with what a selective search
/// may skip.
pub(crate) fn standard_error(empties: u8, depth: u8, selectivity: Selectivity) -> f64 {
    // Nearer to the start the truth is not known: the curve is not carried on to there.
    CURVE.standard_error(empties.min(MOST_KNOWN), depth, selectivity)
}

/// The most empties at which the curve was checked well enough.
const MOST_KNOWN: u8 = 44;

/// The fewest: nearer to the end searches are exact, and the curve is not carried on to there, either.
const LEAST_KNOWN: u8 = 15;

/// The constants in use, fitted by `rosebill lab train calibrate` to the embedded evaluator; the
/// evaluator's notes hold the check on other positions.
const CURVE: ErrorCurve = ErrorCurve([1.5763, -0.7938, 0.0200, 0.0534, -0.0009, 0.0810, 0.3326]);

/// A smooth curve of standard errors.
///
/// Its constants, with the stage s = (empties - 30) / 20: the logarithm of the error of static
/// values is `0` + `1` s + `2` s^2; each ply lessens it by `3` + `4` s; the logarithm of the plies
/// before the end within which it shrinks is `5`; and `6` is the error in discs where everything is
/// skipped with no confidence at all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ErrorCurve(pub [f64; 7]);

impl ErrorCurve {
    /// The standard error in discs: see [`standard_error`].
    pub(crate) fn standard_error(&self, empties: u8, depth: u8, selectivity: Selectivity) -> f64 {
        let [base, slope, bend, decay, turn, horizon, pruning] = self.0;
        let stage = (f64::from(empties.max(LEAST_KNOWN)) - 30.0) / 20.0;
        let empties_left = f64::from(empties.saturating_sub(depth));
        let skipped = 1.0 - f64::from(selectivity.percent()) / 100.0;
        let logarithm = base + stage * (slope + stage * bend)
            - f64::from(depth) * (decay + turn * stage).max(0.0);
        // A search to the end errs only by what it skipped.
        let ahead = logarithm.exp() * (1.0 - (-empties_left / horizon.exp()).exp());
        ahead.hypot(pruning * skipped)
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SearchError {
    /// Empty squares of the searched position.
    pub empties: u8,
    /// Plies.
    pub depth: u8,
    pub selectivity: Selectivity,
    /// The search's value less the exact one, in discs.
    pub error: f64,
}

/// The curve that makes the errors most likely, starting from the one in use. An error at the
/// horizon is taken to be of at least a quarter of a disc, so that no search is held to be exact.
pub(crate) fn fit_error_curve(errors: &[SearchError]) -> ErrorCurve {
    let loss = |curve: &ErrorCurve| -> f64 {
        let each = |e: &SearchError| {
            let sigma = curve.standard_error(e.empties, e.depth, e.selectivity).max(0.25);
            sigma.ln() + e.error * e.error / (2.0 * sigma * sigma)
        };
        errors.iter().map(each).sum()
    };
    // One constant after the other, in ever smaller steps: the curve is smooth and has few.
    let (mut best, mut step) = (CURVE, 0.5);
    let mut least = loss(&best);
    while step > 1e-4 {
        let mut better = false;
        for place in 0..best.0.len() {
            for sign in [1.0, -1.0] {
                let mut tried = best;
                // Per-ply constants are small.
                let scale = if (3..5).contains(&place) { 0.1 } else { 1.0 };
                tried.0[place] += sign * step * scale;
                let loss = loss(&tried);
                if loss < least {
                    (best, least, better) = (tried, loss, true);
                }
            }
        }
        if !better {
            step /= 2.0;
        }
    }
    // It counts by its square.
    best.0[6] = best.0[6].abs();
    best
}

/// What is nearer to zero than this, in discs, is a draw. Results are even, so that it would be 1; but
/// draws are somewhat more frequent (measured; see `eval/NOTES.md`).
const DRAW: f64 = 1.15;

/// The chances that a score with this standard error (in discs) stands for.
pub fn chances(score: Score, standard_error: f64) -> Chances {
    let above = |discs: f64| chance_above(score, standard_error, discs);
    let (loss, win) = (1.0 - above(-DRAW), above(DRAW));
    Chances { win, draw: (1.0 - win - loss).max(0.0), loss }
}

/// The chance that what a score with this standard error (in discs) estimates is more than so many
/// discs. Errors are taken to be logistically distributed: most are smaller than normal ones of the same
/// root mean square, and a few are far larger (measured; see `eval/NOTES.md`).
pub(crate) fn chance_above(score: Score, standard_error: f64, discs: f64) -> f64 {
    let scale = standard_error.max(1e-3) * 3_f64.sqrt() / std::f64::consts::PI;
    (1.0 + ((discs - score.discs()) / scale).exp()).recip()
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
        assert!((even.draw - 0.7790).abs() < 1e-3, "{even:?}");
    }

    #[test]
    fn what_lies_at_the_limit_is_as_likely_above_it() {
        let loss = Score::from_discs(3);
        assert!((chance_above(loss, 2.0, 3.0) - 0.5).abs() < 1e-6);
        assert!((chance_above(loss, 2.0, 1.0) - 0.8598).abs() < 1e-3);
        let certain = [chance_above(loss, 0.0, 2.9), chance_above(loss, 0.0, 3.1)];
        assert!(certain[0] > 0.999 && certain[1] < 0.001, "{certain:?}");
    }

    #[test]
    fn a_curve_is_found_again() {
        let truth = ErrorCurve([1.9, -0.3, 0.1, 0.09, 0.01, 1.5, 5.0]);
        let mut errors = Vec::new();
        for empties in (14..50).step_by(6) {
            for depth in [0, 4, 8, 12, 14] {
                for selectivity in [Selectivity::OURS[0], Selectivity::FULL] {
                    let sigma = truth.standard_error(empties, depth, selectivity);
                    for error in [sigma, -sigma] {
                        errors.push(SearchError { empties, depth, selectivity, error });
                    }
                }
            }
        }
        let found = fit_error_curve(&errors);
        for each in &errors {
            let SearchError { empties, depth, selectivity, error } = *each;
            let found = found.standard_error(empties, depth, selectivity);
            assert!((found / error.abs() - 1.0).abs() < 0.1 || found < 0.3, "{each:?} {found}");
        }
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
