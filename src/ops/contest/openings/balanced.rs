//! Balanced openings.

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{After, Key, Line, Position, Square};
use crate::eval::PatternEvaluator;
use crate::eval::train::Random;
use crate::eval::weights::WeightsError;
use crate::score::Score;
use crate::search::{Limits, Searcher, Selectivity, Stop};

/// Which openings to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningRequest {
    /// How many, no two with the same position at the end.
    pub count: usize,
    /// Another seed finds others.
    pub seed: u64,
    /// Plies of the search that says whether they are balanced.
    pub depth: u8,
}

/// Numbers of discs at the end of an opening.
const DISCS: std::ops::RangeInclusive<u8> = 8..=12;

/// The most that a balanced position is worth to either side.
const BALANCED: Score = Score::from_discs(2);

/// Random lines tried at once.
const BATCH: u64 = 64;

/// Random lines to 8 to 12 discs whose last position our own search holds to be worth at most two
/// discs to either side. The same request gives the same openings with the same embedded weights.
///
/// # Errors
/// When the embedded weights are damaged.
pub fn balanced_openings(request: &OpeningRequest, stop: &Stop) -> Result<Vec<Line>, WeightsError> {
    let evaluator = PatternEvaluator::embedded()?;
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut first = 0;
    while found.len() < request.count && !stop.is_stopped() {
        let tried: Vec<Option<(Line, Key)>> = (first..first + BATCH)
            .into_par_iter()
            .map_init(
                || Searcher::new(Arc::clone(&evaluator), 16),
                |searcher, number| opening(searcher, request, number, stop),
            )
            .collect();
        found.extend(
            tried.into_iter().flatten().filter(|&(_, key)| seen.insert(key)).map(|(line, _)| line),
        );
        first += BATCH;
    }
    found.truncate(request.count);
    Ok(found)
}

fn opening(
    searcher: &mut Searcher<PatternEvaluator>,
    request: &OpeningRequest,
    number: u64,
    stop: &Stop,
) -> Option<(Line, Key)> {
    let mut random = Random::for_item(request.seed, number);
    let discs = DISCS.start() + random.below(usize::from(DISCS.end() - DISCS.start()) + 1) as u8;
    let (mut position, mut moves) = (Position::START, Vec::new());
    while position.discs() < discs {
        let mut legal = position.legal_moves();
        let square: Square = legal.nth(random.below(legal.len()))?;
        moves.push(square);
        // A pass so early would leave the line hard to read.
        let After::Opponent(next) = position.after(square)? else { return None };
        position = next;
    }
    let limits = Limits::depth(request.depth, Selectivity::OURS[0]);
    let score = searcher.search(position, 0, &limits, stop).score;
    let line: String = moves.iter().map(ToString::to_string).collect();
    (score.centidiscs().abs() <= BALANCED.centidiscs())
        .then_some((line.parse().ok()?, Key::of(position)))
}
