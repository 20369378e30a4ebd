//! The searches that value moves of one position, done by one thread.

use std::time::Duration;

use crate::othello::board::{Key, Square};
use crate::othello::search::{AnySearcher, Limits, Selectivity, Stop};
use crate::store::{AnalysedSquare, PositionAnalysis, SearcherId};

/// Of the time for a position, how much the search of all moves gets: that of the move played then
/// goes as deep as it came.
const SHARE_OF_BEST: f64 = 0.6;

/// What is to be found out about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Job {
    pub(super) key: Key,
    /// Moves to be valued besides the best one, in the key's orientation, each the first of its images.
    pub(super) squares: Vec<Square>,
    /// Whether the best move is to be found; else it is known, searched with these very limits.
    pub(super) with_best: bool,
    /// Plies.
    pub(super) depth: u8,
    pub(super) selectivity: Selectivity,
}

/// What was found out, without the searcher's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) job: Job,
    /// None when it was stopped.
    pub(super) analysis: Option<PositionAnalysis>,
    /// Positions visited.
    pub(super) nodes: u64,
}

/// Values moves of a position. All are searched to the same depth with the same selectivity: that of the
/// limits, or where time runs out that which the search of each of them reached.
pub(super) fn run(
    searcher: &mut AnySearcher,
    job: Job,
    time: Option<Duration>,
    stop: &Stop,
) -> Found {
    let mut nodes = 0;
    let analysis = value(searcher, &job, time, stop, &mut nodes);
    let analysis = analysis.filter(|_| !stop.is_stopped());
    Found { job, analysis, nodes }
}

fn value(
    searcher: &mut AnySearcher,
    job: &Job,
    time: Option<Duration>,
    stop: &Stop,
    nodes: &mut u64,
) -> Option<PositionAnalysis> {
    let position = job.key.position();
    let legal = position.legal_moves();
    let mut limits = Limits { time, ..Limits::depth(job.depth, job.selectivity) };
    let mut moves: Vec<AnalysedSquare> = Vec::with_capacity(2);
    if job.with_best {
        let timed = Limits { time: time.map(|time| time.mul_f64(SHARE_OF_BEST)), ..limits };
        let mut outcome = searcher.search(position, 0, &timed, stop);
        *nodes += outcome.nodes;
        if outcome.depth == 0 && !stop.is_stopped() {
            // Not even one ply: so much must be.
            outcome = searcher.search(position, 0, &Limits::depth(1, Selectivity::FULL), stop);
            *nodes += outcome.nodes;
        }
        limits = Limits { time, ..Limits::depth(outcome.depth, outcome.selectivity) };
        moves.push(AnalysedSquare {
            square: job.key.first_image(outcome.best?),
            best: true,
            score: outcome.value,
            proof: outcome.proof,
        });
    }
    for &square in &job.squares {
        if moves.iter().any(|known| known.square == square) {
            continue;
        }
        // All others left out: the same search of the same position, so the same measure.
        let outcome = searcher.search(position, legal.0 & !square.bit(), &limits, stop);
        *nodes += outcome.nodes;
        if stop.is_stopped() {
            return None;
        }
        if !outcome.complete {
            // A bad move can take many times as long as the best one. Where its time is over, all are
            // searched again to the depth that it reached, mostly from the transposition table.
            let depth = outcome.depth.max(1);
            let reached =
                Job { with_best: true, depth, selectivity: outcome.selectivity, ..job.clone() };
            return value(searcher, &reached, None, stop, nodes);
        }
        let (score, proof) = (outcome.value, outcome.proof);
        moves.push(AnalysedSquare { square, best: false, score, proof });
    }
    moves.sort_by_key(|known| known.square);
    let Limits { depth, selectivity, .. } = limits;
    let depth = depth.min(position.empties());
    Some(PositionAnalysis { depth, selectivity, searcher: SearcherId::default(), moves })
}
