//! The constants of odd and of even numbers of empties, set so that searches are right in the mean at
//! positions of known value.
//!
//! [`correct_constants`](super::correct_constants) makes shallow and deep searches of one position agree.
//! What is left is invisible to it: with all constants of odd numbers of empties too high and all of
//! even ones too low by the same, every search from an odd number of empties says too much and every
//! one from an even number too little, whatever its depth. Only positions of known value show it.

use crate::app::amounts::within;
use std::path::PathBuf;

use clap::Args;

use super::measure::{MeasureRequest, measure_file};
use super::{TrainError, bounce::raised};
use crate::app::Task;
use crate::app::amounts::{at_least, one_or_more};
use crate::othello::eval::AnyEvaluator;
use crate::othello::eval::weights::Weights;
use crate::othello::search::{Limits, Selectivity, Stop};

/// Which searches of which positions are to be right in the mean.
#[derive(Args, Clone, Debug)]
pub(crate) struct BalanceRequest {
    /// Files of positions with scores: OBF, CSV with columns board and value, or our own labels
    #[arg(required = true, value_name = "FILE")]
    pub positions: Vec<PathBuf>,
    /// Depths to search each position to
    #[arg(long, num_args = 1.., value_parser = within::<u8>(0..=60), default_values_t = [8, 9, 10, 11, 12, 13])]
    pub depths: Vec<u8>,
    /// Confidence of the searches, percent
    #[arg(long, default_value = "73")]
    pub selectivity: Selectivity,
    /// Take only every Nth position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = one_or_more)]
    pub every: usize,
    /// Leave out this many positions at the beginning of each file
    #[arg(long, default_value_t = 0, value_parser = at_least::<0, usize>)]
    pub skip: usize,
}

/// The mean error of searches of one depth at positions with so many empties.
#[derive(Clone, Copy, Debug)]
struct Sample {
    empties: u8,
    depth: u8,
    positions: f64,
    /// Discs.
    bias: f64,
}

/// How strongly neighbouring constants of one parity are held together, in positions.
const STIFFNESS: f64 = 600.0;

/// How strongly a correction that nothing asks for is pulled to zero, in positions.
const PULL: f64 = 100.0;

/// Rounds of the fit. Each number of empties in turn takes the value that suits its neighbours.
const ROUNDS: usize = 2000;

/// Corrects the constant of each number of empties, in discs; the other end of `progress` gets each
/// depth that was searched.
pub(crate) fn balance_constants(
    request: &BalanceRequest,
    weights: &Weights,
    evaluator: &AnyEvaluator,
    stop: &Stop,
    progress: &mut dyn FnMut(u8),
) -> Result<Weights, TrainError> {
    let mut samples = Vec::new();
    for &depth in &request.depths {
        for file in &request.positions {
            let measured = measure_file(
                evaluator,
                &MeasureRequest {
                    positions: file.clone(),
                    task: Some(Task::Limits(Limits::depth(depth, request.selectivity))),
                    last_iteration: true,
                    every: request.every,
                    skip: request.skip,
                    empties: None,
                },
                stop,
            )?;
            // A search to the end is right already.
            let deep_enough = |&&(discs, _): &&(u8, _)| 64 - discs > depth;
            samples.extend(measured.by_discs.iter().filter(deep_enough).map(
                |(discs, accuracy)| {
                    let (positions, bias) = (accuracy.positions as f64, accuracy.bias);
                    Sample { empties: 64 - discs, depth, positions, bias }
                },
            ));
        }
        progress(depth);
    }
    Ok(raised(weights, &corrections(&samples)))
}

/// What each number of empties adds to a search that ends there, turned round. What all searches err in
/// common is no constant's doing, and is fitted beside.
fn corrections(samples: &[Sample]) -> [f64; 65] {
    let mut constants = [0.0_f64; 65];
    let mut common = 0.0;
    let all: f64 = samples.iter().map(|sample| sample.positions).sum();
    let sign = |sample: &Sample| if sample.depth.is_multiple_of(2) { 1.0 } else { -1.0 };
    let place = |sample: &Sample| usize::from(sample.empties - sample.depth);
    for _ in 0..ROUNDS {
        for at in 0..constants.len() {
            let here = samples.iter().filter(|sample| place(sample) == at);
            let (mut sum, mut weight) = here.fold((0.0, PULL), |(sum, weight), sample| {
                let asked = sign(sample) * (sample.bias - common);
                (sum + sample.positions * asked, weight + sample.positions)
            });
            for neighbour in [at.checked_sub(2), Some(at + 2)].into_iter().flatten() {
                if let Some(constant) = constants.get(neighbour) {
                    sum += STIFFNESS * constant;
                    weight += STIFFNESS;
                }
            }
            constants[at] = sum / weight;
        }
        let rest = |sample: &Sample| sample.bias - sign(sample) * constants[place(sample)];
        let rests: f64 = samples.iter().map(|sample| sample.positions * rest(sample)).sum();
        common = rests / all.max(1.0);
    }
    constants.map(|constant| -constant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_parity_is_off_is_found_beside_what_all_err() {
        let truth = |empties: u8| if empties % 2 == 1 { 0.7 } else { -0.1 };
        let samples: Vec<Sample> = (40..=52)
            .flat_map(|empties| [8, 9, 10, 11].map(|depth| (empties, depth)))
            .map(|(empties, depth)| {
                let sign = if depth % 2 == 0 { 1.0 } else { -1.0 };
                let bias = 0.2 + sign * truth(empties - depth);
                Sample { empties, depth, positions: 5000.0, bias }
            })
            .collect();
        let found = corrections(&samples);
        for empties in 29..=44 {
            let left = truth(empties as u8) + found[empties];
            assert!(left.abs() < 0.06, "{empties} empties: {left} of {found:?}");
        }
        // What no search ended at follows its neighbours, and fades.
        assert!(found[27] < -0.3 && found[5].abs() < 0.1, "{found:?}");
    }
}
