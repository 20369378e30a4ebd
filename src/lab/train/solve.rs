//! Solving the ends of games.

use crate::app::amounts::within;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use rayon::prelude::*;

use super::{TrainError, read_training_games};
use crate::othello::board::{Key, Position};
use crate::othello::eval::PatternEvaluator;
use crate::othello::eval::train::{Label, LabelFile, TrainingGame, positions_of};
use crate::othello::search::{Goal, Limits, Proof, Searcher, Stop};
use crate::store::check_of_no_book;

#[derive(Args, Clone, Debug)]
pub(crate) struct SolveRequest {
    /// Game files (*.wtb) or folders of them
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub games: Vec<PathBuf>,
    /// The file of labels; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Positions with at most this many empties are solved
    #[arg(long, default_value_t = 12, value_parser = within::<u8>(0..=60))]
    pub empties: u8,
}

/// How many games are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Solved {
    /// Games whose ends are in the file.
    pub done: usize,
    pub of: usize,
}

/// Games of a chunk: what a crash loses at most.
const CHUNK: usize = 1024;

/// Solves the last positions of every game and adds them to a file of labels: the same command
/// again goes on where it ended. `progress` gets how many games are done of how many.
pub(crate) fn solve_games(
    request: &SolveRequest,
    evaluator: &Arc<PatternEvaluator>,
    stop: &Stop,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Solved, TrainError> {
    let games = read_training_games(&request.games)?;
    let failed = |source| TrainError::Io { path: request.out.clone(), source };
    check_of_no_book(&request.out).map_err(failed)?;
    let mut file = LabelFile::open(&request.out).map_err(failed)?;
    let searcher = || Searcher::new(Arc::clone(evaluator), 16);
    let solve = |searcher: &mut Searcher<PatternEvaluator>, game: &TrainingGame| {
        let late = positions_of(game).into_iter().map(|(position, _)| position);
        let late = late.filter(|position| position.empties() <= request.empties);
        // From the end backwards would be no faster: results do not depend on earlier searches.
        let labels: Vec<_> = late.filter_map(|position| solved(searcher, position, stop)).collect();
        (!stop.is_stopped()).then_some(labels)
    };
    let mut done = games.len().min(file.chunks() * CHUNK);
    for (number, games_of_chunk) in games.chunks(CHUNK).enumerate().skip(file.chunks()) {
        let labels: Option<Vec<Vec<Label>>> =
            games_of_chunk.par_iter().map_init(searcher, solve).collect();
        // What was stopped is not solved.
        let Some(labels) = labels else { break };
        file.add(&labels.concat()).map_err(failed)?;
        done = number * CHUNK + games_of_chunk.len();
        progress(done, games.len());
    }
    Ok(Solved { done, of: games.len() })
}

fn solved(
    searcher: &mut Searcher<PatternEvaluator>,
    position: Position,
    stop: &Stop,
) -> Option<Label> {
    let outcome = searcher.search(position, 0, &Limits::solve(Goal::Score), stop);
    (outcome.proof == Proof::Exact).then(|| Label {
        key: Key::of(position),
        centidiscs: outcome.score.centidiscs(),
        depth: Label::SOLVED,
        selectivity: 100,
    })
}
