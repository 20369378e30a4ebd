//! Multi-ProbCut: a shallow search predicts a deep one.
//!
//! If the shallow value is so far outside the window that the deep value is, with the wanted
//! confidence, outside as well, the deep search is skipped (Buro 1995, 1997).

use std::sync::LazyLock;

use super::Selectivity;

/// How many standard errors the shallow value must clear, for each of [`Selectivity::OURS`]: about
/// the two-sided quantiles of the normal distribution up to 95 %, more above, where the errors have
/// longer tails than that distribution; the first takes 1.2 in place of 1.1, since static cuts in
/// the last plies came in addition. Full width never cuts.
const STANDARD_ERRORS: [f32; 5] = [1.2, 1.5, 2.0, 2.6, 3.3];

/// The index into [`Selectivity::OURS`] of the lowest one that is no lower than this.
pub(super) fn sureness(selectivity: Selectivity) -> u8 {
    let index = Selectivity::OURS.iter().position(|&ours| ours >= selectivity);
    index.unwrap_or(Selectivity::OURS.len() - 1) as u8
}

/// The index of full width.
pub(super) const FULL: u8 = (Selectivity::OURS.len() - 1) as u8;

/// The depth that the static value predicts, the least at which cutting pays.
pub(super) const STATIC_DEPTH: u8 = 2;

/// How much wider a margin is where nothing but a static value predicts the search: such cuts are the
/// most by far, their errors are raised by everything above them, and so they must be surer.
const STATIC_WIDENING: f32 = 1.5;

/// The depth of the shallow search, of the same parity as the deep one.
#[inline]
pub(super) fn shallow_depth(depth: u8) -> u8 {
    2 * (depth / 4) + (depth & 1)
}

/// Exact results were measured up to 18 empties; the fit is carried on a little further.
const MOST_SOLVED: f32 = 20.0;

/// A smooth model of the standard error of predicting a deep search by a shallow one: the
/// logarithm of the error in centidiscs is linear in a few features.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ErrorModel {
    /// Weights of the features where the deep search stops before the end.
    pub midgame: [f32; Self::TERMS],
    /// Weights of the features where the deep search finds the exact result.
    pub end: [f32; Self::TERMS],
}

impl ErrorModel {
    /// Number of features.
    pub(crate) const TERMS: usize = 6;

    /// The standard error in centidiscs of predicting a search of `depth` plies by one of
    /// `shallow` plies with this many empties.
    pub(crate) fn midgame_sigma(&self, empties: f32, depth: f32, shallow: u8) -> f32 {
        dot(&self.midgame, &features(empties, depth, shallow)).exp()
    }

    /// As [`Self::midgame_sigma`] for the exact result.
    pub(crate) fn end_sigma(&self, empties: f32, shallow: u8) -> f32 {
        // The stage is not carried on beyond the numbers of empties that can be solved for a fit.
        dot(&self.end, &features(empties.min(MOST_SOLVED), empties, shallow)).exp()
    }
}

fn dot(weights: &[f32; ErrorModel::TERMS], features: &[f32; ErrorModel::TERMS]) -> f32 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

pub(super) fn features(empties: f32, depth: f32, shallow: u8) -> [f32; ErrorModel::TERMS] {
    let stage = (empties - 30.0) / 20.0;
    let seen = (1.0 + f32::from(shallow)).ln();
    let ahead = (depth - f32::from(shallow)).max(1.0).ln();
    [1.0, stage, seen, ahead, stage * stage, stage * ahead]
}

/// How far a shallow search must be outside the window for each kind of deep search, by one evaluator.
pub struct Margins([[[i16; 64]; 64]; 5]);

/// For the embedded weights, whose fit by `rosebill lab train probcut` `NOTES.md` describes: searches of up to ten
/// plies, exact results up to 18 empties, at least 1,000 positions in every cell.
pub(crate) static ROSEBILL: LazyLock<Margins> = LazyLock::new(|| {
    Margins::of(&ErrorModel {
        midgame: [5.558, -0.395, -0.301, 0.296, 0.085, -0.001],
        end: [4.684, -3.201, -0.249, 0.447, -1.177, 0.501],
    })
});

/// As [`ROSEBILL`] for the embedded weights on the patterns `ntest`.
pub(crate) static NTEST: LazyLock<Margins> = LazyLock::new(|| {
    Margins::of(&ErrorModel {
        midgame: [5.656, -0.296, -0.302, 0.372, -0.177, -0.027],
        end: [5.944, 0.722, -0.202, 0.315, 0.524, -0.078],
    })
});

/// As [`ROSEBILL`] for the embedded weights on the patterns `zebra`.
pub(crate) static ZEBRA: LazyLock<Margins> = LazyLock::new(|| {
    Margins::of(&ErrorModel {
        midgame: [5.658, -0.340, -0.299, 0.396, -0.224, 0.002],
        end: [4.196, -1.407, -0.157, 0.828, 0.040, 0.388],
    })
});

impl Margins {
    fn of(model: &ErrorModel) -> Self {
        let mut margins = Self([[[i16::MAX; 64]; 64]; 5]);
        for (errors, table) in STANDARD_ERRORS.iter().zip(&mut margins.0) {
            for (empties, row) in table.iter_mut().enumerate() {
                for (depth, margin) in row.iter_mut().enumerate().take(empties + 1) {
                    let shallow = shallow_depth(depth as u8);
                    let sigma = if depth == empties {
                        model.end_sigma(empties as f32, shallow)
                    } else {
                        model.midgame_sigma(empties as f32, depth as f32, shallow)
                    };
                    let widening = if shallow == 0 { STATIC_WIDENING } else { 1.0 };
                    *margin = (errors * widening * sigma).min(12_800.0) as i16;
                }
            }
        }
        margins
    }

    /// How far the shallow value must be outside the window, centidiscs.
    #[inline]
    pub(super) fn margin(&self, sureness: u8, empties: u8, depth: u8) -> i32 {
        let margins = &self.0[usize::from(sureness).min(4)];
        i32::from(margins[usize::from(empties & 63)][usize::from(depth & 63)])
    }
}
