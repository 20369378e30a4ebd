//! What it takes to raise a book to a level: how many searches, and about how long they take.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::Bitboard;
use crate::book::Node;
use crate::book::policy::Deepen;
use crate::book::regret::Judge;
use crate::eval::Evaluator;
use crate::ops::within::{ALL_DISCS, Walk};
use crate::random::Random;
use crate::search::{Level, Limits, Searcher, Selectivity, Stop};
use crate::store::Reader;

use super::start::{GrowStart, missing};
use super::terms::{GrowError, GrowOptions};
use super::{roots, starts};

/// So many of the positions at most are searched to measure how long all take.
const MEASURED: usize = 16;
/// So long that takes at most. Each search has an equal share of what is left of it.
const LONGEST: Duration = Duration::from_secs(3);
/// How many times as long a search takes that looks a ply further, where one does not end in its share:
/// a selective one, and one at full width.
const PLY: f64 = 1.5;
const PLY_AT_FULL_WIDTH: f64 = 2.0;

/// What growth by [`Deepen`] has to do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RaisePlan {
    /// The level.
    pub level: Level,
    /// How many searches: of positions that lack the level, and of those on which one is due.
    pub searches: u64,
    /// About how long they take on one thread, from the speed of the first few; zero where there is
    /// nothing to search.
    pub time: Duration,
}

/// Counts what growth with these options lacks to the level, and measures a few searches of it; nothing
/// is written.
///
/// # Errors
/// The book cannot be read, or no game goes on where growth is to start.
pub fn plan_raise<E: Evaluator>(
    book: &Reader,
    level: Level,
    options: &GrowOptions,
    evaluator: &Arc<E>,
    stop: &Stop,
) -> Result<RaisePlan, GrowError> {
    let snapshot = book.snapshot()?;
    let start = [GrowStart::default()];
    let starts = starts(options, &start);
    let walk = Walk {
        roots: roots(starts)?,
        limits: options.limits,
        judge: Judge { contempt: options.contempt },
        last: ALL_DISCS,
    };
    let deepen = Deepen { level };
    let mut searches = missing(book, starts, options.max_discs)?.len() as u64;
    let mut sample: Vec<Node> = Vec::with_capacity(MEASURED);
    let mut dice = Random::new(0);
    let mut lacking = 0;
    walk.run(book, |discs, node, is_reached| {
        let is_in_bounds = options.max_discs.is_none_or(|most| discs <= most);
        if is_reached && (node.is_incomplete() || (deepen.wants(node) && is_in_bounds)) {
            // Each of them is in the sample with the same chance.
            lacking += 1;
            match sample.len() < MEASURED {
                true => sample.push(*node),
                false => {
                    if let Some(place) = sample.get_mut(dice.below(lacking)) {
                        *place = *node;
                    }
                }
            }
        }
        // As the policy goes: what is exact is not gone through.
        is_reached && !node.values.is_exact()
    })?;
    searches += lacking as u64;
    drop(snapshot);
    let one = measure(&sample, level, options.table_megabytes, evaluator, stop);
    // More than anybody waits for is as good as any number.
    let time = Duration::try_from_secs_f64(one * searches as f64).unwrap_or(Duration::MAX);
    Ok(RaisePlan { level, searches, time })
}

/// How many seconds a search takes, on average over some of these.
fn measure<E: Evaluator>(
    sample: &[Node],
    level: Level,
    table_megabytes: usize,
    evaluator: &Arc<E>,
    stop: &Stop,
) -> f64 {
    if sample.is_empty() {
        return 0.0;
    }
    let mut searcher = Searcher::new(Arc::clone(evaluator), table_megabytes);
    let began = Instant::now();
    let (mut sum, mut count) = (0.0, 0.0);
    for (node, searches_left) in sample.iter().zip((1..=sample.len() as u32).rev()) {
        let left = LONGEST.saturating_sub(began.elapsed()) / searches_left;
        if stop.is_stopped() || left.is_zero() {
            break;
        }
        let position = node.key.position();
        let linked: Bitboard = node.linked().map(crate::board::Square::bit).sum();
        let limits = Limits { time: Some(left), ..Limits::level(level, position.empties()) };
        let search_began = Instant::now();
        let outcome = searcher.search(position, linked, &limits, stop);
        let took = search_began.elapsed().as_secs_f64();
        count += 1.0;
        sum += match outcome.complete {
            true => took,
            false => {
                let is_full = limits.selectivity == Selectivity::FULL;
                let ply = if is_full { PLY_AT_FULL_WIDTH } else { PLY };
                let plies = limits.depth.saturating_sub(outcome.depth).max(1);
                took * ply.powi(i32::from(plies))
            }
        };
    }
    sum / f64::max(count, 1.0)
}
