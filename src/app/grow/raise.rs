//! What it takes to raise a book to a level: how many searches, and about how long they take.

use std::sync::Arc;
use std::time::Duration;

use crate::app::json::{hundredths, object, serialize};
use crate::app::within::{ALL_DISCS, Walk};
use crate::openbook::Node;
use crate::openbook::policy::Deepen;
use crate::openbook::regret::Judge;
use crate::othello::board::{Bitboard, Square};
use crate::othello::eval::Evaluator;
use crate::othello::random::Random;
use crate::othello::search::{Level, Limits, Searcher, Stop, ThreadTime};
use crate::store::Reader;

use super::start::{GrowStart, missing};
use super::terms::{GrowError, GrowOptions};
use super::{roots, starts};

/// So many of the positions at most are searched to measure how long all take.
const MEASURED: usize = 16;
/// So much processor time that takes at most, and a single one of them: one that takes far longer than
/// most says nothing of the others.
const LONGEST: Duration = Duration::from_secs(4);
const LONGEST_OF_ONE: Duration = Duration::from_secs(1);
/// How many times as long a search takes that looks a ply further, where not even one ends in that time: a
/// ply of a selective search costs a third to a half more than the one before.
const PLY: f64 = 1.5;

/// What growth by [`Deepen`] has to do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RaisePlan {
    pub level: Level,
    /// How many searches: of positions that lack the level, and of those on which one is due.
    pub searches: u64,
    /// About how long they take on one thread, from the speed of the first few; zero where there is
    /// nothing to search.
    pub time: Duration,
}

serialize! {
    plan(RaisePlan) => object! {
        level: plan.level,
        searches: plan.searches,
        // On one thread.
        seconds: hundredths(plan.time.as_secs_f64()),
    },
}

/// Counts what growth with these options lacks to the level, and measures a few searches of it; nothing
/// is written.
pub(crate) fn plan_raise<E: Evaluator>(
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
    // More than can be waited for is as good as any number.
    let time = Duration::try_from_secs_f64(one * searches as f64).unwrap_or(Duration::MAX);
    Ok(RaisePlan { level, searches, time })
}

/// How many seconds of processor time a search takes, by some of these.
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
    let began = ThreadTime::now();
    let (mut ended, mut cut_short, mut plies_left) = (0_u32, 0_u32, 0_u32);
    for node in sample {
        let left = LONGEST.saturating_sub(began.elapsed());
        if stop.is_stopped() || left.is_zero() {
            break;
        }
        let position = node.key.position();
        let linked: Bitboard = node.linked().map(Square::bit).sum();
        let cpu_time = Some(left.min(LONGEST_OF_ONE));
        let limits = Limits { cpu_time, ..Limits::level(level, position.empties()) };
        let outcome = searcher.search(position, linked, &limits, stop);
        match outcome.complete {
            true => ended += 1,
            false => {
                cut_short += 1;
                plies_left += u32::from(limits.depth.saturating_sub(outcome.depth).max(1));
            }
        }
    }
    match (ended, cut_short) {
        (0, 0) => 0.0,
        (0, cut_short) => {
            let cut_short = f64::from(cut_short);
            began.seconds() / cut_short * PLY.powf(f64::from(plies_left) / cut_short)
        }
        // The time of those that did not end means long searches, so it counts.
        (ended, _) => began.seconds() / f64::from(ended),
    }
}
