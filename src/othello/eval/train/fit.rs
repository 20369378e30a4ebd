//! Weighted least squares with ridge, by preconditioned conjugate gradients.
//!
//! The value of a position is linear in the weights: one weight for each lane and scalar at each of
//! the two knots that its number of discs lies between. The normal equations are never formed; a
//! round adds each position's row times its current product once. Everything is summed in an order
//! that does not depend on the number of threads.

use rayon::prelude::*;
use thiserror::Error;

use super::samples::Samples;
use crate::othello::eval::features::scalar_entry;
use crate::othello::eval::spec::Spec;
use crate::othello::eval::weights::{Provenance, UNITS_PER_DISC};
use crate::othello::eval::{Features, Weights};

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct FitOptions {
    /// Most rounds of conjugate gradients.
    pub rounds: u32,
    /// Each weight is pulled to where it started, or else to zero, as if so many positions had said
    /// so.
    pub ridge: f32,
    /// The same at the first knot; from there it passes to `ridge` at [`OPENING_DISCS`].
    pub opening_ridge: f32,
}

/// Number of discs up to which `opening_ridge` has a say.
pub(crate) const OPENING_DISCS: u8 = 36;

impl Default for FitOptions {
    fn default() -> Self {
        Self { rounds: 50, ridge: 8.0, opening_ridge: 24.0 }
    }
}

/// The progress of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct FitProgress {
    pub round: u32,
    /// Weighted root mean square error on the held-out positions, in discs.
    pub held_out_error: f64,
}

/// Why a fit gave no weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum FitError {
    /// Another number of weights than the spec has, which would be a fault of this program.
    #[error("the fit gave {found} weights where the spec needs {expected}")]
    Shape { expected: usize, found: usize },
    /// Weights that are no numbers any more.
    #[error(
        "round {0} of the fit gave weights beyond all bounds: expected a larger ridge, or fewer rounds"
    )]
    NotFinite(u32),
    #[error("stopped before its end")]
    Stopped,
}

/// The positions with one number of discs, as rows of weight numbers within their tables.
struct Rows {
    /// Weight numbers relative to `first_of_column`, row after row.
    columns: Vec<u16>,
    labels: Vec<f32>,
    weights: Vec<f32>,
    knots: (usize, usize, f32),
}

/// Fits the weights of a spec.
///
/// Every knot keeps the weights of the round that was best for the held-out positions around it;
/// one with none around it keeps the last. `progress` is called after every round, `is_stopped` several times
/// in each.
pub(crate) fn fit(
    spec: &Spec,
    samples: &Samples,
    held_out: &Samples,
    start: Option<&Weights>,
    options: &FitOptions,
    is_stopped: &(dyn Fn() -> bool + Sync),
    progress: &mut dyn FnMut(FitProgress),
) -> Result<Weights, FitError> {
    let unless_stopped = || if is_stopped() { Err(FitError::Stopped) } else { Ok(()) };
    let problem = Problem::new(spec, samples, is_stopped);
    unless_stopped()?;
    let check = Problem::new(spec, held_out, is_stopped);
    unless_stopped()?;
    let each = problem.each;
    let mut x = vec![0.0_f32; each * spec.knots().len()];
    if let Some(start) = start.filter(|start| start.are_for(spec)) {
        for (row, &knot) in x.chunks_mut(each).zip(spec.knots()) {
            for (x, weight) in row.iter_mut().zip(start.at(knot)) {
                *x = weight / UNITS_PER_DISC as f32;
            }
        }
    }
    let ridge = ridges(spec, each, options);
    // Without a ridge a weight that no position looks at stays where it is.
    let inverse = |sum: f32| if sum > 0.0 { 1.0 / sum } else { 0.0 };
    let inverse_diagonal: Vec<f32> = problem
        .diagonal()
        .iter()
        .zip(&ridge)
        .map(|(count, ridge)| inverse(count + ridge))
        .collect();
    // Residual of the normal equations. The pull is towards the start, so it has no part in it yet.
    let mut residual = problem.right_side(&x);
    let mut scaled = hadamard(&inverse_diagonal, &residual);
    let mut direction = scaled.clone();
    let mut size = dot(&residual, &scaled);
    let mut best = Best::new(spec, x.clone());
    for round in 1..=options.rounds {
        unless_stopped()?;
        let mut image = problem.normal_times(&direction);
        axpy(1.0, &hadamard(&ridge, &direction), &mut image);
        let curvature = dot(&direction, &image);
        // Nothing is left to gain, or nothing but rounding says where.
        if size <= 0.0 || curvature <= 0.0 {
            break;
        }
        let step = size / curvature;
        axpy(step as f32, &direction, &mut x);
        if !x.iter().all(|weight| weight.is_finite()) {
            return Err(FitError::NotFinite(round));
        }
        axpy(-step as f32, &image, &mut residual);
        scaled = hadamard(&inverse_diagonal, &residual);
        let next = dot(&residual, &scaled);
        let turn = (next / size) as f32;
        size = next;
        for (direction, scaled) in direction.iter_mut().zip(&scaled) {
            *direction = scaled + turn * *direction;
        }
        unless_stopped()?;
        let errors = check.errors(&x);
        if round >= LEAST_ROUNDS.min(options.rounds) {
            best.keep(spec, &x, &errors);
        }
        let total = errors.iter().fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        progress(FitProgress { round, held_out_error: (total.0 / total.1).sqrt() });
    }
    let knots = best.weights.chunks(each).map(|row| row.iter().map(|&w| quantised(w)).collect());
    Weights::new(spec.clone(), Provenance::default(), knots.collect())
        .map_err(|(expected, found)| FitError::Shape { expected, found })
}

/// Rounds before any is taken for the best: the first steps of conjugate gradients serve the stages
/// with the most positions only.
const LEAST_ROUNDS: u32 = 12;

/// The pull of each weight to its start.
fn ridges(spec: &Spec, each: usize, options: &FitOptions) -> Vec<f32> {
    let first = spec.knots().first().copied().unwrap_or(OPENING_DISCS);
    let pull = |knot: u8| {
        let span = f32::from(OPENING_DISCS.saturating_sub(first)).max(1.0);
        let share = f32::from(OPENING_DISCS.saturating_sub(knot)) / span;
        options.ridge + (options.opening_ridge - options.ridge) * share
    };
    spec.knots().iter().flat_map(|&knot| std::iter::repeat_n(pull(knot), each)).collect()
}

/// The best weights found so far for each knot.
struct Best {
    errors: Vec<f64>,
    weights: Vec<f32>,
}

impl Best {
    fn new(spec: &Spec, weights: Vec<f32>) -> Self {
        Self { errors: vec![f64::INFINITY; spec.knots().len()], weights }
    }

    /// `errors` are weighted squares and weights for each number of discs.
    fn keep(&mut self, spec: &Spec, x: &[f32], errors: &[(f64, f64)]) {
        let each = x.len() / self.errors.len();
        let mut around = vec![(0.0, 0.0); self.errors.len()];
        for (discs, &(squares, weight)) in errors.iter().enumerate() {
            let (low, high, share) = spec.between(discs as u8);
            for (knot, share) in [(low, 1.0 - f64::from(share)), (high, f64::from(share))] {
                around[knot].0 += share * squares;
                around[knot].1 += share * weight;
            }
        }
        let rows = self.weights.chunks_mut(each).zip(x.chunks(each));
        for ((row, new), (best, (squares, weight))) in rows.zip(self.errors.iter_mut().zip(around))
        {
            let error = if weight > 0.0 { squares / weight } else { 0.0 };
            if error <= *best {
                *best = error;
                row.copy_from_slice(new);
            }
        }
    }
}

fn quantised(weight: f32) -> i16 {
    // The cast saturates.
    (weight * UNITS_PER_DISC as f32).round() as i16
}

struct Problem {
    by_discs: Vec<Rows>,
    first_of_column: Vec<usize>,
    each: usize,
    knots: usize,
}

impl Problem {
    /// What is made when it was stopped means nothing.
    fn new(spec: &Spec, samples: &Samples, is_stopped: &(dyn Fn() -> bool + Sync)) -> Self {
        let features = Features::new(spec);
        let mut first_of_column = Vec::new();
        for family in features.families() {
            first_of_column.extend(std::iter::repeat_n(family.first_weight, family.images));
        }
        let mut first = features.pattern_weights();
        for scalar in features.scalars() {
            first_of_column.push(first);
            first += scalar.entries();
        }
        let by_discs = (0..=64_u8)
            .into_par_iter()
            .map(|discs| rows(&features, samples, discs, spec.between(discs), is_stopped))
            .collect();
        Self { by_discs, first_of_column, each: spec.weights_at_knot(), knots: spec.knots().len() }
    }

    /// The weights at one number of discs.
    fn mixed(&self, x: &[f32], (low, high, share): (usize, usize, f32)) -> Vec<f32> {
        let row = |knot: usize| &x[knot * self.each..(knot + 1) * self.each];
        row(low).iter().zip(row(high)).map(|(&a, &b)| a + (b - a) * share).collect()
    }

    /// Sums `rows' x amount(value of the row)` over all rows, `value` being that under `x`.
    fn gather(&self, x: &[f32], amount: impl Fn(f32, f32, f32) -> f32 + Sync) -> Vec<f32> {
        let parts: Vec<Vec<f32>> = self
            .by_discs
            .par_iter()
            .map(|rows| {
                let mut sums = vec![0.0_f32; if rows.labels.is_empty() { 0 } else { self.each }];
                if rows.labels.is_empty() {
                    return sums;
                }
                let mixed = self.mixed(x, rows.knots);
                let width = self.first_of_column.len();
                let lines = rows.columns.chunks_exact(width);
                for ((line, &label), &weight) in lines.zip(&rows.labels).zip(&rows.weights) {
                    let at = || self.first_of_column.iter().zip(line);
                    let value: f32 = at().map(|(first, &n)| mixed[first + usize::from(n)]).sum();
                    let amount = amount(value, label, weight);
                    for (first, &n) in at() {
                        sums[first + usize::from(n)] += amount;
                    }
                }
                sums
            })
            .collect();
        let mut total = vec![0.0_f32; self.each * self.knots];
        for (part, rows) in parts.iter().zip(&self.by_discs) {
            if part.is_empty() {
                continue;
            }
            let (low, high, share) = rows.knots;
            axpy(1.0 - share, part, &mut total[low * self.each..(low + 1) * self.each]);
            axpy(share, part, &mut total[high * self.each..(high + 1) * self.each]);
        }
        total
    }

    fn right_side(&self, x: &[f32]) -> Vec<f32> {
        self.gather(x, |value, label, weight| weight * (label - value))
    }

    fn normal_times(&self, x: &[f32]) -> Vec<f32> {
        self.gather(x, |value, _, weight| weight * value)
    }

    /// How often each weight is looked at.
    fn diagonal(&self) -> Vec<f32> {
        let zeros = vec![0.0; self.each * self.knots];
        self.gather(&zeros, |_, _, weight| weight)
    }

    /// For each number of discs the weighted sum of squared errors in discs^2, and of weights.
    fn errors(&self, x: &[f32]) -> Vec<(f64, f64)> {
        self.by_discs
            .par_iter()
            .map(|rows| {
                let mut sums = (0.0, 0.0);
                if rows.labels.is_empty() {
                    return sums;
                }
                let mixed = self.mixed(x, rows.knots);
                let lines = rows.columns.chunks_exact(self.first_of_column.len());
                for ((line, &label), &weight) in lines.zip(&rows.labels).zip(&rows.weights) {
                    let columns = self.first_of_column.iter().zip(line);
                    let value: f32 = columns.map(|(first, &n)| mixed[first + usize::from(n)]).sum();
                    let error = f64::from(value - label);
                    sums.0 += f64::from(weight) * error * error;
                    sums.1 += f64::from(weight);
                }
                sums
            })
            .collect()
    }
}

fn rows(
    features: &Features,
    samples: &Samples,
    discs: u8,
    knots: (usize, usize, f32),
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Rows {
    let samples = samples.with_discs(discs);
    let mut columns = Vec::new();
    for sample in samples.iter().take_while(|_| !is_stopped()) {
        let position = sample.key.position();
        let lanes = features.lanes(position);
        for family in features.families() {
            let images = &lanes.0[family.lanes.start..family.lanes.start + family.images];
            columns.extend(images.iter().map(|&index| family.classes[usize::from(index)]));
        }
        columns.extend(
            features
                .scalars()
                .iter()
                .map(|&s| scalar_entry(crate::othello::board::Portable, s, position) as u16),
        );
    }
    Rows {
        columns,
        labels: samples.iter().map(|sample| sample.label).collect(),
        weights: samples.iter().map(|sample| sample.weight).collect(),
        knots,
    }
}

fn axpy(factor: f32, x: &[f32], y: &mut [f32]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

fn hadamard(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a * b).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;
    use crate::othello::eval::train::Sample;
    use crate::othello::eval::{Evaluator, PatternEvaluator};

    /// Labels that are linear in the features are fitted almost exactly, the same way each time.
    #[test]
    fn finds_known_weights() {
        let spec =
            Spec::new("test", &[("corner", "a1 b1 b2"), ("line", "c3 d3")], &[], &[4, 34, 64]);
        let spec = spec.unwrap();
        let truth = |position: Position| {
            let count = |bits: u64| f32::from(bits.count_ones() as u8);
            let corners = 0x8100_0000_0000_0081;
            4.0 * (count(position.mover & corners) - count(position.opponent & corners))
        };
        let mut random = 9_u64;
        let mut samples = Vec::new();
        for _ in 0..400 {
            let mut position = Position::START;
            loop {
                let moves: Vec<_> = position.legal_moves().collect();
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let square = moves[(random >> 33) as usize % moves.len()];
                let Some(next) = position.after(square).unwrap().position() else { break };
                position = next;
                samples.push(Sample::new(position, truth(position), 1.0));
            }
        }
        let options = FitOptions { ridge: 0.01, opening_ridge: 0.01, ..FitOptions::default() };
        let held_out = Samples::new(samples.split_off(samples.len() - 500));
        let samples = Samples::new(samples);
        let run =
            || fit(&spec, &samples, &held_out, None, &options, &|| false, &mut |_| ()).unwrap();
        let weights = run();
        assert_eq!(weights, run());
        // A pull that nothing moves: what comes out is the start, carried over to other knots.
        let other = spec.clone().with_knots(&[4, 19, 34, 64]).unwrap();
        let held = FitOptions { ridge: 1e12, opening_ridge: 1e12, ..options };
        let carried =
            fit(&other, &samples, &held_out, Some(&weights), &held, &|| false, &mut |_| ())
                .unwrap();
        let knots = [carried.knots(), weights.knots()];
        assert_eq!((&knots[0][0], &knots[0][2..]), (&knots[1][0], &knots[1][1..]));
        assert!(knots[0][1].iter().any(|&weight| weight != 0));
        // Without a ridge, where some of the patterns are never seen.
        let free = FitOptions { ridge: 0.0, opening_ridge: 0.0, ..options };
        let free = fit(&spec, &samples, &held_out, None, &free, &|| false, &mut |_| ()).unwrap();
        for weights in [weights, free] {
            let evaluator = PatternEvaluator::new(weights);
            fits(&evaluator, &held_out);
        }
        // Labels that nothing can be.
        let wild = samples.iter().map(|&sample| Sample { label: f32::MAX, ..sample }).collect();
        let error =
            fit(&spec, &Samples::new(wild), &held_out, None, &options, &|| false, &mut |_| ());
        assert_eq!(error, Err(FitError::NotFinite(1)));
        let stopped = fit(&spec, &samples, &held_out, None, &options, &|| true, &mut |_| ());
        assert_eq!(stopped, Err(FitError::Stopped));
    }

    fn fits(evaluator: &PatternEvaluator, held_out: &Samples) {
        for sample in held_out.iter() {
            let position = sample.key.position();
            let value = evaluator.evaluate(&evaluator.state(position), position).discs();
            assert!((value - f64::from(sample.label)).abs() < 0.5, "{value} for {sample:?}");
        }
    }
}
