//! Fitting weights to games and labelled positions.

use std::collections::HashMap;
use std::path::PathBuf;

use rayon::prelude::*;

use super::{TrainError, read_training_games};
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

#[derive(Clone, Debug)]
pub(crate) struct FitRequest {
    pub spec: Spec,
    /// Game files, or folders of them.
    pub games: Vec<PathBuf>,
    /// Files of labelled positions.
    pub labels: Vec<PathBuf>,
    /// Positions of games are learned from up to so many moves before their exact value is known.
    pub furthest: u8,
    /// Positions of games with fewer empty squares are left out.
    pub least_empties: u8,
    pub start: Option<PathBuf>,
    pub options: FitOptions,
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
    request: &FitRequest,
    stop: &Stop,
    progress: &mut dyn FnMut(TrainProgress),
) -> Result<Weights, TrainError> {
    let start = request.start.as_deref().map(Weights::read).transpose()?;
    if let (Some(path), Some(start)) = (&request.start, &start)
        && !start.are_for(&request.spec)
    {
        let spec = request.spec.name().to_owned();
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
    let (spec, options) = (&request.spec, &request.options);
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
