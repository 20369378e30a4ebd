//! Labelling positions by searches.

use crate::app::amounts::within;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use rayon::prelude::*;

use super::{TrainError, read_training_games};
use crate::app::amounts::whole;
use crate::othello::board::{Key, Position};
use crate::othello::eval::train::{Label, LabelFile, PositionMaker};
use crate::othello::eval::{Evaluator, PatternEvaluator};
use crate::othello::search::{Limits, Proof, Searcher, Selectivity, Stop};
use crate::store::check_of_no_book;

#[derive(Args, Clone, Debug)]
pub(crate) struct LabelRequest {
    /// Game files (*.wtb) or folders of them, whose beginnings lead to positions
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub games: Vec<PathBuf>,
    /// The file that labels are added to; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Labels that the file is to hold in the end
    #[arg(long, value_parser = whole)]
    pub count: u64,
    /// Another seed chooses other positions
    #[arg(long, default_value_t = 1, value_parser = whole)]
    pub seed: u64,
    /// Fewest discs of a position
    #[arg(long, default_value_t = 5, value_parser = within::<u8>(4..=63))]
    pub from_discs: u8,
    /// Most discs of a position
    #[arg(long, default_value_t = 60, value_parser = within::<u8>(4..=63))]
    pub to_discs: u8,
    /// Plies of a search
    #[arg(long, default_value_t = 8, value_parser = within::<u8>(1..=60))]
    pub depth: u8,
    /// Confidence of a search, percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, default_value = "100")]
    pub selectivity: Selectivity,
    /// Positions with at most this many empties are solved
    #[arg(long, default_value_t = 14, value_parser = within::<u8>(0..=60))]
    pub solve_from: u8,
}

/// How far the labelling is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LabelProgress {
    pub labels: u64,
    pub wanted: u64,
}

/// Labels of a chunk: what a crash loses at most.
const CHUNK: u64 = 4096;

/// Table of a search: those of a few plies need little.
const TABLE_MEGABYTES: usize = 16;

/// Labels positions and adds them to a file, chunk by chunk: the same command again goes on where
/// it ended. The labels do not depend on the number of threads. Says how many labels the file holds.
pub(crate) fn label_positions(
    request: &LabelRequest,
    evaluator: &Arc<PatternEvaluator>,
    stop: &Stop,
    progress: &mut dyn FnMut(LabelProgress),
) -> Result<u64, TrainError> {
    if request.from_discs > request.to_discs || request.from_discs < 4 || request.to_discs > 63 {
        return Err(TrainError::Discs(request.from_discs, request.to_discs));
    }
    let games = read_training_games(&request.games)?;
    let failed = |source| TrainError::Io { path: request.out.clone(), source };
    check_of_no_book(&request.out).map_err(failed)?;
    let mut file = LabelFile::open(&request.out).map_err(failed)?;
    let maker = PositionMaker {
        games: &games,
        evaluator: evaluator.as_ref(),
        from_discs: request.from_discs,
        to_discs: request.to_discs,
    };
    let mut labels = file.chunks() as u64 * CHUNK;
    while labels < request.count && !stop.is_stopped() {
        let chunk: Option<Vec<Label>> = (labels..labels + CHUNK)
            .into_par_iter()
            .map_init(
                || Searcher::new(Arc::clone(evaluator), TABLE_MEGABYTES),
                |searcher, number| {
                    let position = maker.position(request.seed, number);
                    let label = label(searcher, position, request, stop);
                    (!stop.is_stopped()).then_some(label)
                },
            )
            .collect();
        // What was stopped is no label.
        let Some(chunk) = chunk else { break };
        file.add(&chunk).map_err(failed)?;
        labels += CHUNK;
        progress(LabelProgress { labels, wanted: request.count });
    }
    Ok(labels)
}

fn label<E: Evaluator>(
    searcher: &mut Searcher<E>,
    position: Position,
    request: &LabelRequest,
    stop: &Stop,
) -> Label {
    let limits = if position.empties() <= request.solve_from {
        Limits::solve(crate::othello::search::Goal::Score)
    } else {
        Limits::depth(request.depth, request.selectivity)
    };
    let outcome = searcher.search(position, 0, &limits, stop);
    let solved = outcome.proof == Proof::Exact;
    Label {
        key: Key::of(position),
        centidiscs: outcome.value.centidiscs(),
        depth: if solved { Label::SOLVED } else { outcome.depth },
        selectivity: outcome.selectivity.percent(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::train::read_labels;

    #[test]
    fn labels_repeat_and_the_file_goes_on_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let evaluator = PatternEvaluator::embedded().unwrap();
        let run = |name: &str, count| {
            let request = LabelRequest {
                games: Vec::new(),
                out: folder.path().join(name),
                count,
                seed: 5,
                from_discs: 50,
                to_discs: 62,
                depth: 1,
                selectivity: Selectivity::FULL,
                solve_from: 4,
            };
            label_positions(&request, &evaluator, &Stop::new(), &mut |_| ()).unwrap();
            std::fs::read(request.out).unwrap()
        };
        let whole = run("a", 2 * CHUNK);
        run("b", CHUNK);
        assert_eq!(run("b", 2 * CHUNK), whole);
        let labels = read_labels(&folder.path().join("a")).unwrap();
        assert_eq!(labels.len() as u64, 2 * CHUNK);
        for label in labels {
            let empties = label.key.position().empties();
            assert_eq!(label.depth == Label::SOLVED, empties <= 4, "{label:?}");
            assert!(label.depth != Label::SOLVED || label.centidiscs % 200 == 0);
        }
    }
}
