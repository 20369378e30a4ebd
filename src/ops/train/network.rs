//! Fitting a network on top of weights.

use std::path::PathBuf;

use super::TrainError;
use super::fit::{counted, read_all_labels, split_labels};
use crate::eval::PatternEvaluator;
use crate::eval::train::{NetworkOptions, NetworkProgress, Samples, error_by_discs, fit_network};
use crate::eval::weights::{Provenance, Weights};
use crate::program::ENGINE;

/// What to fit, and to what.
#[derive(Clone, Debug)]
pub struct NetworkRequest {
    /// Files of labelled positions. One that is given twice counts twice.
    pub labels: Vec<PathBuf>,
    /// How.
    pub options: NetworkOptions,
}

/// What a fit is doing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NetworkStep {
    /// So many positions are learned from, and so many held out.
    Read(usize, usize),
    /// An epoch is done.
    Epoch(NetworkProgress),
}

/// Fits a network to labels, on top of weights that stay as they are, and measures both on one labelled
/// position in twenty that was held out. `progress` says whether to go on.
///
/// # Errors
/// When a file cannot be read, or there is nothing to learn from.
pub fn train_network(
    request: &NetworkRequest,
    weights: &Weights,
    progress: &mut dyn FnMut(NetworkStep) -> bool,
) -> Result<Weights, TrainError> {
    let labels = read_all_labels(&request.labels)?;
    let sources = counted(&labels);
    let (samples, held_out) = split_labels(labels);
    let samples = Samples::new(samples);
    let mut held_out = Samples::new(held_out);
    held_out.remove_all_in(&samples);
    if samples.is_empty() {
        return Err(TrainError::NoSamples);
    }
    progress(NetworkStep::Read(samples.len(), held_out.len()));
    let network = fit_network(weights, &samples, &held_out, &request.options, &mut |epoch| {
        progress(NetworkStep::Epoch(epoch))
    });
    let evaluator = PatternEvaluator::new(weights.clone().with_network(Some(network)));
    let errors = error_by_discs(&evaluator, &held_out);
    Ok(evaluator.into_weights().with_provenance(Provenance {
        made_by: format!("{ENGINE} train network"),
        seed: request.options.seed,
        positions: samples.len() as u64,
        labels: sources,
        errors,
        ..Provenance::default()
    }))
}
