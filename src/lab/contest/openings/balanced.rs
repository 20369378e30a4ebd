//! Balanced openings.

use std::collections::HashSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::othello::board::{After, Key, Line, Position, Square};
use crate::othello::eval::PatternEvaluator;
use crate::othello::eval::train::Random;
use crate::othello::eval::weights::WeightsError;
use crate::othello::score::Score;
use crate::othello::search::{Limits, Searcher, Selectivity, Stop};

/// Which openings to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpeningRequest {
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

/// After so many batches without a new opening no more are looked for.
const BATCHES_IN_VAIN: u32 = 32;

/// Random lines to 8 to 12 discs whose last position our own search holds to be worth at most two
/// discs to either side. The same request gives the same openings with the same embedded weights; they
/// are fewer than asked for where hardly any others are found. `progress` hears again and again how many there are.
pub(crate) fn balanced_openings(
    request: &OpeningRequest,
    stop: &Stop,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Line>, WeightsError> {
    let evaluator = PatternEvaluator::embedded()?;
    let batch = |first: u64| {
        let tried = (first..first + BATCH).into_par_iter().map_init(
            || Searcher::new(Arc::clone(&evaluator), 16),
            |searcher, number| opening(searcher, request, number, stop),
        );
        tried.collect()
    };
    Ok(gathered(request.count, stop, batch, progress))
}

/// So many openings of batches, each of which begins at a number of its own; fewer where the last batches brought
/// nothing new.
fn gathered(
    count: usize,
    stop: &Stop,
    batch: impl Fn(u64) -> Vec<Option<(Line, Key)>>,
    progress: &mut dyn FnMut(usize),
) -> Vec<Line> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let (mut first, mut in_vain) = (0, 0);
    while found.len() < count && in_vain < BATCHES_IN_VAIN && !stop.is_stopped() {
        let before = found.len();
        let new = batch(first).into_iter().flatten().filter(|&(_, key)| seen.insert(key));
        found.extend(new.map(|(line, _)| line));
        first += BATCH;
        in_vain = if found.len() == before { in_vain + 1 } else { 0 };
        progress(found.len());
    }
    found.truncate(count);
    found
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_are_too_few_there_is_an_end() {
        let known = ["f5d6", "f5f6", "f5f4"].map(|text| text.parse::<Line>().unwrap());
        let batch = |first: u64| {
            // The last one comes late.
            let among = if first < 10 * BATCH { 2 } else { 3 };
            let line = known[(first / BATCH) as usize % among].clone();
            let key = Key::of(line.end().unwrap().position);
            vec![None, Some((line, key))]
        };
        let mut told = Vec::new();
        let found = gathered(9, &Stop::new(), batch, &mut |found| told.push(found));
        assert_eq!(found, known);
        assert_eq!(
            (told[0], told.last(), told.len()),
            (1, Some(&3), 12 + BATCHES_IN_VAIN as usize)
        );
        assert_eq!(gathered(2, &Stop::new(), batch, &mut |_| ()), known[..2]);
    }
}
