//! Answers like those of a search, without a search: to measure all the rest of growth.

use crate::app::{Depth, Done, Spot, SpotResult, Work};
use crate::openbook::Rest;
use crate::othello::board::{After, CORNERS, Key, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{Goal, Limits, Proof, Selectivity};

/// What a search of this work would bring that judged as scratch books are judged.
pub(crate) fn stand_in(work: Work, depth: Depth) -> Done {
    answer(work, depth, &judged)
}

/// What a search of this work would bring that judged positions like this, in centidiscs for the side to move.
pub(crate) fn answer(work: Work, depth: Depth, judge: &dyn Fn(Position) -> i32) -> Done {
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

/// All moves with their worth in centidiscs for the side that makes them, where positions are judged like this for the
/// side to move, and where they lead.
pub(crate) fn moves_by(
    position: Position,
    judge: impl Fn(Position) -> i32,
) -> impl Iterator<Item = (i32, Square, Option<Key>)> {
    position.legal_moves().filter_map(move |square| match position.after(square)? {
        After::Opponent(next) => Some((-judge(next), square, Some(Key::of(next)))),
        After::Same(next) => Some((judge(next), square, Some(Key::of(next)))),
        After::Over(discs) => Some((i32::from(discs) * 100, square, None)),
    })
}

/// Mobility, corners and noise, for the side to move, in centidiscs.
pub(crate) fn judged(position: Position) -> i32 {
    let count = |set: u64| set.count_ones() as i32;
    let moves = count(position.legal_moves().0) - count(position.passed().legal_moves().0);
    let corners = count(position.mover & CORNERS) - count(position.opponent & CORNERS);
    let noise = (mixed(Key::of(position)) % 301) as i32 - 150;
    (moves * 60 + corners * 400 + noise).clamp(-6000, 6000)
}

pub(crate) fn mixed(key: Key) -> u64 {
    let Position { mover, opponent } = key.position();
    let mut mix = mover.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ opponent.rotate_left(29);
    mix = (mix ^ mix >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mix = (mix ^ mix >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mix ^ mix >> 32
}
