//! Answers like those of a search, without a search: to measure all the rest of growth.

use crate::board::{Position, Square};
use crate::book::Rest;
use crate::ops::{Depth, Done, Spot, SpotResult, Work};
use crate::score::Score;
use crate::search::{Goal, Limits, Proof, Selectivity};

use super::scratch::{judged, moves_by};

/// What a search of this work would bring that judged as scratch books are judged.
pub fn stand_in(work: Work, depth: Depth) -> Done {
    answer(work, depth, &judged)
}

/// What a search of this work would bring that judged positions like this, in centidiscs for the side to move.
pub(super) fn answer(work: Work, depth: Depth, judge: &dyn Fn(Position) -> i32) -> Done {
    let result = |spot: &Spot, limits: &Limits| result(spot, limits, judge);
    let limits = |spot: &Spot| depth.limits(spot.key.position().empties());
    let found = match work {
        Work::Rest { spot, solve: true } => vec![result(&spot, &Limits::solve(Goal::Score))],
        Work::Rest { spot, .. } | Work::New(spot) => vec![result(&spot, &limits(&spot))],
        Work::Expand { child, parent } => {
            vec![result(&child, &limits(&child)), result(&parent, &limits(&parent))]
        }
    };
    Done { work, depth, found, nodes: 1 }
}

fn result(spot: &Spot, limits: &Limits, judge: &dyn Fn(Position) -> i32) -> SpotResult {
    let position = spot.key.position();
    let depth = limits.depth.min(position.empties());
    let left = moves_by(position, judge).filter(|(_, square, _)| spot.linked & square.bit() == 0);
    let best = left.map(|(score, square, _)| (score, square)).max();
    let is_whole = depth > 0 && depth == position.empties() && limits.selectivity.is_full();
    let rest = |(score, square): (i32, Square)| Rest {
        square: Some(square),
        score: Score::from_centidiscs(if is_whole { score / 200 * 200 } else { score } as i16),
        proof: if is_whole { Proof::Exact } else { Proof::None },
    };
    let is_still = depth == 0 && best.is_some();
    SpotResult {
        rest: best.map(rest),
        depth,
        selectivity: if is_still { Selectivity::FULL } else { limits.selectivity },
    }
}
