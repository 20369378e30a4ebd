//! Fitting weights to games and labelled positions.

use crate::app::amounts::within;
use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::{TrainError, read_training_games};
use crate::app::amounts::pull;
use crate::othello::board::Key;
use crate::othello::eval::train::{
    FitError, FitOptions, FitProgress, Label, Labeller, Sample, Samples, TrainingGame,
    error_by_discs, fit, is_held_out, read_labels,
};
use crate::othello::eval::weights::{Provenance, Weights};
use crate::othello::eval::{PatternEvaluator, Spec};
use crate::othello::program::ENGINE;
use crate::othello::score::Score;
use crate::othello::search::Stop;

#[derive(Args, Clone, Debug)]
pub(crate) struct FitRequest {
    /// Game files (*.wtb) or folders of them
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub games: Vec<PathBuf>,
    /// Files of labeled positions
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub labels: Vec<PathBuf>,
    /// Learn from positions of games up to so many moves before their value is known
    #[arg(long, default_value_t = 8, value_parser = within::<u8>(0..=60))]
    pub furthest: u8,
    /// Learn only from positions of games with at least this many empties
    #[arg(long, default_value_t = 0, value_parser = within::<u8>(0..=60))]
    pub least_empties: u8,
    /// Start from these weights
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// Most rounds of the fit
    #[arg(long, default_value_t = 50, value_parser = within::<u32>(1..))]
    pub rounds: u32,
    /// Pull of each weight to its start or to zero, in positions
    #[arg(long, default_value_t = 8.0, value_parser = pull)]
    pub ridge: f32,
    /// The ridge at the first knot, where configurations are few and repeat
    #[arg(long, default_value_t = 24.0, value_parser = pull)]
    pub opening_ridge: f32,
}

/// What a fit is doing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum TrainProgress {
    /// So many games were read.
    Read(usize),
    /// So many positions were labelled, of which so many are held out.
    Labelled(usize, usize),
    Round(FitProgress),
}

/// Fits weights to games and labels and measures them on what was held out: one game and one
/// labelled position in twenty.
pub(crate) fn fit_weights(
    spec: &Spec,
    request: &FitRequest,
    stop: &Stop,
    progress: &mut dyn FnMut(TrainProgress),
) -> Result<Weights, TrainError> {
    let start = request.start.as_deref().map(Weights::read).transpose()?;
    if let (Some(path), Some(start)) = (&request.start, &start)
        && !start.are_for(spec)
    {
        let spec = spec.name().to_owned();
        return Err(TrainError::Start { path: path.clone(), spec });
    }
    let games = read_training_games(&request.games)?;
    progress(TrainProgress::Read(games.len()));
    let mut labels = Vec::new();
    for path in &request.labels {
        labels.extend(
            read_labels(path).map_err(|source| TrainError::Io { path: path.clone(), source })?,
        );
    }
    let unless_stopped = || if stop.is_stopped() { Err(TrainError::Stopped) } else { Ok(()) };
    unless_stopped()?;
    let (mut samples, mut held_out) = label_games(&games, &labels, request);
    unless_stopped()?;
    let mut sources = vec![("positions of games".to_owned(), samples.len() as u64)];
    sources.extend(counted(&labels));
    for (number, label) in labels.iter().enumerate() {
        let set = if number % 20 == 7 { &mut held_out } else { &mut samples };
        set.push(sample(label));
    }
    drop(labels);
    let samples = Samples::new(samples);
    let mut held_out = Samples::new(held_out);
    held_out.remove_all_in(&samples);
    if samples.is_empty() {
        return Err(TrainError::NoSamples);
    }
    progress(TrainProgress::Labelled(samples.len(), held_out.len()));
    let &FitRequest { rounds, ridge, opening_ridge, .. } = request;
    let options = &FitOptions { rounds, ridge, opening_ridge };
    let is_stopped = || stop.is_stopped();
    let telling = &mut |round| progress(TrainProgress::Round(round));
    let fitted = fit(spec, &samples, &held_out, start.as_ref(), options, &is_stopped, telling);
    let weights = match fitted {
        Err(FitError::Stopped) => return Err(TrainError::Stopped),
        fitted => fitted?,
    };
    let evaluator = PatternEvaluator::new(weights);
    let errors = error_by_discs(&evaluator, &held_out);
    Ok(evaluator.into_weights().with_provenance(Provenance {
        made_by: format!("{ENGINE} train fit"),
        games: games.len() as u64,
        positions: samples.len() as u64,
        labels: sources,
        errors,
        ..Provenance::default()
    }))
}

/// Samples to fit, and held-out ones.
fn label_games(
    games: &[TrainingGame],
    labels: &[Label],
    request: &FitRequest,
) -> (Vec<Sample>, Vec<Sample>) {
    let exact: HashMap<Key, i8, foldhash::fast::FixedState> = labels
        .iter()
        .filter(|label| label.depth == Label::SOLVED)
        .map(|label| (label.key, Score::from_centidiscs(label.centidiscs).rounded_discs()))
        .collect();
    let labeller = Labeller {
        exact: &|position| exact.get(&Key::of(position)).copied(),
        furthest: request.furthest,
        least_empties: request.least_empties,
    };
    let (held_out, seen): (Vec<_>, Vec<_>) = games.iter().partition(|game| is_held_out(game));
    let label = |games: Vec<&TrainingGame>| -> Vec<Sample> {
        games.into_par_iter().flat_map_iter(|game| labeller.label(game)).collect()
    };
    (label(seen), label(held_out))
}

/// A search is off by this variance in discs^2, next to what the evaluator cannot express.
const SEARCH_WEIGHT: f32 = 0.8;

fn sample(label: &Label) -> Sample {
    let weight = if label.depth == Label::SOLVED { 1.0 } else { SEARCH_WEIGHT };
    Sample { key: label.key, label: f32::from(label.centidiscs) / 100.0, weight }
}

fn counted(labels: &[Label]) -> Vec<(String, u64)> {
    let solved = labels.iter().filter(|label| label.depth == Label::SOLVED).count() as u64;
    vec![
        ("solved positions".to_owned(), solved),
        ("searched positions".to_owned(), labels.len() as u64 - solved),
    ]
}
