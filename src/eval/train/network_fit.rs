//! Fitting the network that corrects a sum of weights: see [`Network`].
//!
//! Adam (source: Kingma and Ba, 2014) on batches. Each batch is dealt out in a fixed number of parts whose
//! gradients are added in a fixed order, so that the result does not depend on the number of threads. Rows
//! that few positions have move little: what is added to the root of their gradient's square is far above the
//! gradient that a single position makes.

use rayon::prelude::*;

use super::{Random, Sample, Samples};
use crate::board::Portable;
use crate::eval::lanes::LANES;
use crate::eval::network::{HIDDEN, Layers, Network, ONE, PRODUCTS, STAGES, WIDTH, stage_of};
use crate::eval::weights::Weights;
use crate::eval::{Evaluator, PatternEvaluator, UNITS_PER_DISC};

/// How to fit a network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkOptions {
    /// How often every position is learned from.
    pub epochs: u32,
    /// How far a number moves at each step at first; it falls evenly to nearly nought.
    pub rate: f32,
    /// By what share of itself times the rate a number of a row is drawn to nought at each step.
    pub decay: f32,
    /// Seed of the first numbers and of the order of positions.
    pub seed: u64,
}

impl Default for NetworkOptions {
    fn default() -> Self {
        Self { epochs: 10, rate: 0.003, decay: 1e-4, seed: 1 }
    }
}

/// Where a fit stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkProgress {
    /// Epochs done.
    pub epoch: u32,
    /// Weighted root mean square error on the held-out positions, in discs.
    pub held_out_error: f64,
}

/// Positions of a step.
const BATCH: usize = 32_768;

/// Parts of a batch that are worked on at once.
const PARTS: usize = 4;

/// Discs that an output of one stands for while it is fitted.
const SCALE: f32 = 10.0;

/// An error counts as its square up to so many discs, and grows evenly beyond: lopsided positions are not
/// what a book is made of.
const FAR: f32 = 10.0;

/// The largest number of a row: what fits into its byte.
const LARGEST: f32 = i8::MAX as f32 / ONE as f32;

/// Added to the root of a squared gradient: for rows, and for what all positions have.
const ROW_FLOOR: f32 = 1e-5;
const DENSE_FLOOR: f32 = 1e-8;

/// Where the numbers of a stage are: hidden layer by products, its biases, output, its bias.
const HIDDEN_BIAS: usize = PRODUCTS * HIDDEN;
const OUTPUT: usize = HIDDEN_BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUT + HIDDEN;
const PER_STAGE: usize = OUTPUT_BIAS + 1;

/// Fits a network to samples, on top of weights that stay as they are. `progress` is called after every epoch
/// and says whether to go on.
#[must_use]
pub fn fit_network(
    weights: &Weights,
    samples: &Samples,
    held_out: &Samples,
    options: &NetworkOptions,
    progress: &mut dyn FnMut(NetworkProgress) -> bool,
) -> Network {
    let evaluator = PatternEvaluator::new(weights.clone().with_network(None));
    let mut fit = Fit::new(evaluator, options.seed);
    let mut order: Vec<&Sample> = samples.iter().collect();
    let steps = (order.len().div_ceil(BATCH).max(1) * options.epochs as usize) as f32;
    let mut step = 0.0;
    for epoch in 1..=options.epochs {
        shuffle(&mut order, options.seed, epoch);
        for batch in order.chunks(BATCH) {
            let rate = options.rate * (1.0 - step / steps).max(0.02);
            fit.step(batch, rate, options.decay);
            step += 1.0;
        }
        let network = fit.numbers.quantised();
        let held_out_error = fit.error(network, held_out);
        if !progress(NetworkProgress { epoch, held_out_error }) {
            break;
        }
    }
    fit.numbers.quantised()
}

fn shuffle(order: &mut [&Sample], seed: u64, epoch: u32) {
    let mut random = Random::for_item(seed, u64::from(epoch));
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place + 1));
    }
}

/// The numbers that are fitted.
#[derive(Clone)]
struct Numbers {
    /// Row after row.
    rows: Vec<f32>,
    /// The layers of each stage, then a row for each number of discs.
    dense: Vec<f32>,
}

/// Gradients of them over a part of a batch.
struct Gradient(Numbers);

/// One position, taken apart.
struct Example {
    rows: [u32; LANES],
    count: usize,
    discs: usize,
    /// Value without the network, and label, in discs.
    sum: f32,
    label: f32,
    weight: f32,
}

impl Numbers {
    const BIASES: usize = STAGES * PER_STAGE;

    fn noughts(classes: usize) -> Self {
        Self { rows: vec![0.0; classes * WIDTH], dense: vec![0.0; Self::BIASES + 65 * WIDTH] }
    }

    /// Small random rows, and the same random layers for every stage.
    fn random(classes: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut around =
            |width: f32| ((random.number() >> 40) as f32 / (1 << 24) as f32 - 0.5) * width;
        let mut numbers = Self::noughts(classes);
        numbers.rows.fill_with(|| around(0.04));
        let mut layers = [0.0; PER_STAGE];
        layers[..HIDDEN_BIAS].fill_with(|| around(1.0));
        layers[OUTPUT..OUTPUT_BIAS].fill_with(|| around(0.5));
        let (stages, biases) = numbers.dense.split_at_mut(Self::BIASES);
        stages.as_chunks_mut::<PER_STAGE>().0.fill(layers);
        biases.fill(0.5);
        numbers
    }

    fn layers(&self, discs: usize) -> (usize, &[f32]) {
        let first = stage_of(discs as u8) * PER_STAGE;
        (first, &self.dense[first..first + PER_STAGE])
    }

    /// What the program uses: whole numbers in the rows.
    fn quantised(&self) -> Network {
        let one = f32::from(ONE);
        let (stages, biases) = self.dense.split_at(Self::BIASES);
        let units = SCALE * UNITS_PER_DISC as f32;
        let layers = |stage: &[f32; PER_STAGE]| Layers {
            hidden: std::array::from_fn(|product| {
                std::array::from_fn(|unit| stage[unit * PRODUCTS + product] / (one * one))
            }),
            hidden_bias: std::array::from_fn(|unit| stage[HIDDEN_BIAS + unit]),
            output: std::array::from_fn(|unit| stage[OUTPUT + unit] * units),
            output_bias: stage[OUTPUT_BIAS] * units,
        };
        Network {
            rows: by_width(&self.rows, |number| (number * one).round() as i8),
            biases: by_width(biases, |number| (number * one).round() as i16),
            layers: stages.as_chunks::<PER_STAGE>().0.iter().map(layers).collect(),
        }
    }
}

fn by_width<T>(numbers: &[f32], rounded: impl Fn(f32) -> T) -> Vec<[T; WIDTH]> {
    let rows = numbers.as_chunks::<WIDTH>().0.iter();
    rows.map(|row| std::array::from_fn(|place| rounded(row[place]))).collect()
}

/// What a position makes of the numbers.
struct Forward {
    sum: [f32; WIDTH],
    products: [f32; PRODUCTS],
    hidden: [f32; HIDDEN],
    /// The value, in discs.
    value: f32,
}

fn forward(numbers: &Numbers, example: &Example) -> Forward {
    let biases = &numbers.dense[Numbers::BIASES..].as_chunks::<WIDTH>().0;
    let mut sum = biases[example.discs];
    let rows = numbers.rows.as_chunks::<WIDTH>().0;
    for &row in &example.rows[..example.count] {
        let row = &rows[row as usize];
        for place in 0..WIDTH {
            sum[place] += row[place];
        }
    }
    let products: [f32; PRODUCTS] =
        std::array::from_fn(|at| held(sum[at]) * held(sum[at + PRODUCTS]));
    let (_, layers) = numbers.layers(example.discs);
    let mut hidden = [0.0; HIDDEN];
    let mut output = layers[OUTPUT_BIAS];
    for (unit, hidden) in hidden.iter_mut().enumerate() {
        let weights = &layers[unit * PRODUCTS..(unit + 1) * PRODUCTS];
        let mut total = layers[HIDDEN_BIAS + unit];
        for place in 0..PRODUCTS {
            total += weights[place] * products[place];
        }
        *hidden = total.max(0.0);
        output += layers[OUTPUT + unit] * *hidden;
    }
    Forward { sum, products, hidden, value: example.sum + SCALE * output }
}

fn held(number: f32) -> f32 {
    number.clamp(0.0, 1.0)
}

/// Whether a number of a sum moves what follows.
fn is_live(number: f32) -> bool {
    number > 0.0 && number < 1.0
}

impl Gradient {
    fn add(&mut self, numbers: &Numbers, example: &Example) {
        let Forward { sum, products, hidden, value } = forward(numbers, example);
        let error = (value - example.label).clamp(-FAR, FAR) * example.weight / SCALE;
        let (first, layers) = numbers.layers(example.discs);
        let dense = &mut self.0.dense;
        let mut of_products = [0.0; PRODUCTS];
        dense[first + OUTPUT_BIAS] += error;
        for unit in 0..HIDDEN {
            dense[first + OUTPUT + unit] += error * hidden[unit];
            if hidden[unit] > 0.0 {
                let of_unit = error * layers[OUTPUT + unit];
                dense[first + HIDDEN_BIAS + unit] += of_unit;
                let row = unit * PRODUCTS;
                for place in 0..PRODUCTS {
                    dense[first + row + place] += of_unit * products[place];
                    of_products[place] += of_unit * layers[row + place];
                }
            }
        }
        let of_sum: [f32; WIDTH] = std::array::from_fn(|at| {
            let partner = (at + PRODUCTS) % WIDTH;
            let live = if is_live(sum[at]) { held(sum[partner]) } else { 0.0 };
            of_products[at % PRODUCTS] * live
        });
        add(&mut dense[Numbers::BIASES + example.discs * WIDTH..], &of_sum);
        for &row in &example.rows[..example.count] {
            add(&mut self.0.rows[row as usize * WIDTH..], &of_sum);
        }
    }
}

fn add(to: &mut [f32], row: &[f32; WIDTH]) {
    if let Some(to) = to.first_chunk_mut::<WIDTH>() {
        for place in 0..WIDTH {
            to[place] += row[place];
        }
    }
}

/// A fit on its way.
struct Fit {
    evaluator: PatternEvaluator,
    /// For each image its lane, and the number of its pattern's family.
    images: Vec<(usize, usize)>,
    numbers: Numbers,
    gradients: Vec<Gradient>,
    rows: Adam,
    dense: Adam,
}

impl Fit {
    fn new(evaluator: PatternEvaluator, seed: u64) -> Self {
        let families = evaluator.features().families();
        let images = families.iter().enumerate();
        let images = images
            .flat_map(|(number, family)| {
                family.lanes.clone().take(family.images).map(move |lane| (lane, number))
            })
            .collect();
        let classes = evaluator.features().pattern_weights();
        let numbers = Numbers::random(classes, seed);
        let gradients = (0..PARTS).map(|_| Gradient(Numbers::noughts(classes))).collect();
        let (rows, dense) = (Adam::new(numbers.rows.len()), Adam::new(numbers.dense.len()));
        Self { evaluator, images, numbers, gradients, rows, dense }
    }

    fn example(&self, sample: &Sample) -> Example {
        let position = sample.key.position();
        let lanes = self.evaluator.state(position);
        let families = self.evaluator.features().families();
        let mut rows = [0; LANES];
        for (row, &(lane, family)) in rows.iter_mut().zip(&self.images) {
            let family = &families[family];
            let class = family.classes[usize::from(lanes.0[lane])];
            *row = (family.first_weight + usize::from(class)) as u32;
        }
        Example {
            rows,
            count: self.images.len(),
            discs: usize::from(position.discs()),
            sum: self.evaluator.estimate(Portable, &lanes, position).discs() as f32,
            label: sample.label,
            weight: sample.weight,
        }
    }

    fn step(&mut self, batch: &[&Sample], rate: f32, decay: f32) {
        let mut gradients = std::mem::take(&mut self.gradients);
        let each = batch.len().div_ceil(PARTS).max(1);
        gradients.par_iter_mut().zip(batch.par_chunks(each)).for_each(|(gradient, part)| {
            for sample in part {
                gradient.add(&self.numbers, &self.example(sample));
            }
        });
        let share = 1.0 / batch.len().max(1) as f32;
        let pace = Pace { share, rate, decay, floor: ROW_FLOOR };
        let rows = gradients.iter_mut().map(|gradient| gradient.0.rows.as_mut_slice());
        self.rows.step(&mut self.numbers.rows, rows.collect(), pace);
        let pace = Pace { decay: 0.0, floor: DENSE_FLOOR, ..pace };
        let dense = gradients.iter_mut().map(|gradient| gradient.0.dense.as_mut_slice());
        self.dense.step(&mut self.numbers.dense, dense.collect(), pace);
        for number in &mut self.numbers.rows {
            *number = number.clamp(-LARGEST, LARGEST);
        }
        self.gradients = gradients;
    }

    /// Weighted root mean square error with a network, in discs.
    fn error(&self, network: Network, samples: &Samples) -> f64 {
        let weights = self.evaluator.weights().clone().with_network(Some(network));
        let error = super::measure(&PatternEvaluator::new(weights), samples.iter());
        error.root_mean_square
    }
}

/// How far numbers move in a step.
#[derive(Clone, Copy)]
struct Pace {
    /// What a gradient counts: one by the positions of the batch.
    share: f32,
    rate: f32,
    decay: f32,
    floor: f32,
}

/// Means of the gradients and of their squares.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// Numbers that one thread moves at a time.
const STRIPE: usize = 1 << 16;

impl Adam {
    const KEEP_MEAN: f32 = 0.9;
    const KEEP_SQUARE: f32 = 0.999;

    fn new(len: usize) -> Self {
        Self { mean: vec![0.0; len], square: vec![0.0; len] }
    }

    /// Moves numbers against the sum of the gradients, and sets those to nought.
    fn step(&mut self, numbers: &mut [f32], gradients: Vec<&mut [f32]>, pace: Pace) {
        let mut parts: Vec<_> = gradients.into_iter().map(|part| part.chunks_mut(STRIPE)).collect();
        let means = self.mean.chunks_mut(STRIPE).zip(self.square.chunks_mut(STRIPE));
        let stripes: Vec<_> = numbers
            .chunks_mut(STRIPE)
            .zip(means)
            .map(|stripe| (stripe, parts.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()))
            .collect();
        stripes.into_par_iter().for_each(|((numbers, (mean, square)), mut parts)| {
            for at in 0..numbers.len() {
                let gradient: f32 = parts.iter().map(|part| part[at]).sum::<f32>() * pace.share;
                mean[at] += (1.0 - Self::KEEP_MEAN) * (gradient - mean[at]);
                square[at] += (1.0 - Self::KEEP_SQUARE) * (gradient * gradient - square[at]);
                let drift = mean[at] / (square[at].sqrt() + pace.floor);
                numbers[at] -= pace.rate * (drift + pace.decay * numbers[at]);
            }
            for part in &mut parts {
                part.fill(0.0);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{After, Position};
    use crate::eval::Spec;
    use crate::eval::weights::Provenance;

    /// Positions of games at random.
    fn positions(games: u64) -> Vec<Position> {
        let mut found = Vec::new();
        for game in 0..games {
            let mut random = Random::for_item(5, game);
            let mut position = Position::START;
            loop {
                let moves: Vec<_> = position.legal_moves().collect();
                match position.after(moves[random.below(moves.len())]) {
                    Some(After::Opponent(next) | After::Same(next)) => position = next,
                    _ => break,
                }
                found.push(position);
            }
        }
        found
    }

    /// Corners are worth something together only: no sum of weights can say that, a network can.
    #[test]
    fn a_network_learns_what_a_sum_cannot_say() {
        let patterns = [("corner", "a1 b1 a2"), ("middle", "d4 e4 d5 e5")];
        let spec = Spec::new("test", &patterns, &[], &[4, 64]).unwrap();
        let noughts = vec![vec![0; spec.weights_at_knot()]; 2];
        let weights = Weights::new(spec, Provenance::default(), noughts).unwrap();
        let truth = |position: Position| {
            let corners = (position.mover & 0x8100_0000_0000_0081).count_ones();
            if corners >= 2 { 10.0 } else { -2.0 }
        };
        let sample = |position: Position| Sample::new(position, truth(position), 1.0);
        let mut samples: Vec<_> = positions(400).into_iter().map(sample).collect();
        let held_out = Samples::new(samples.split_off(samples.len() - 1000));
        let samples = Samples::new(samples);
        let options = NetworkOptions { epochs: 80, rate: 0.03, ..NetworkOptions::default() };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut errors = Vec::new();
            let network = pool.install(|| {
                fit_network(&weights, &samples, &held_out, &options, &mut |progress| {
                    errors.push(progress.held_out_error);
                    true
                })
            });
            (network, errors)
        };
        let (network, errors) = run(1);
        assert!(errors[79] < 0.7 && errors[79] < errors[0] / 3.0, "{errors:?}");
        assert_eq!(network, run(3).0);
    }
}
