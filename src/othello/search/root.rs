//! Iterative deepening at the root: a row of searches, each deeper or surer than the one before,
//! whose window lies around the last score.

use std::thread;

use crate::othello::board::{After, Bitboard, Cpu, CpuTask, Position, Square, Squares, flips};
use crate::othello::eval::Evaluator;
use crate::othello::score::Score;

use super::context::SearchState;
use super::node::Node;
use super::ordering::Moves;
use super::probcut::{self, FULL};
use super::table::NO_MOVE;
use super::{Goal, Limits, Outcome, Progress, Proof, Selectivity};

/// The window of all scores, centidiscs: nothing is beyond its ends, so that a wipe-out ends a search.
const WIDEST: (i32, i32) = (-6400, 6400);

/// The window that decides win, loss and draw, centidiscs.
const SIGN: (i32, i32) = (-100, 100);

/// Half the first window around the last score in the midgame, centidiscs. Searching again with
/// another window costs more than a wide one.
const MIDGAME_WINDOW: i32 = 400;

/// Plies from which on the threads of a team are called: what is shallower is done sooner.
const LEAST_TOGETHER: u8 = 10;

/// Half the first window in a search to the end: the scores are even.
const END_WINDOW: i32 = 100;

/// One iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    depth: u8,
    sureness: u8,
}

/// Plies between the iterations of a search that stops before the end: each iteration is there to sort the
/// moves of the next one, and what it costs is more than what one so much like it would still save. The
/// last two are a ply apart, since the value is made of both.
const MIDGAME_STRIDE: usize = 3;

/// The same before a search to the end.
const END_STRIDE: usize = 6;

/// Searches of fewer plies take all iterations.
const LEAST_STRIDDEN: u8 = 8;

/// The iterations that lead to the asked depth and selectivity. All depths, one by one, where it is not
/// known beforehand which will be the last.
fn steps(limits: &Limits, empties: u8) -> Vec<Step> {
    let target = probcut::sureness(limits.selectivity);
    let open_ended = limits.time.is_some() || limits.cpu_time.is_some() || limits.nodes.is_some();
    let stride = |depth, wanted| if open_ended || depth < LEAST_STRIDDEN { 1 } else { wanted };
    if limits.depth < empties {
        let first = target.min(if limits.depth > 5 { 0 } else { FULL });
        let before = limits.depth.saturating_sub(1);
        let mut steps = rising(before, stride(limits.depth, MIDGAME_STRIDE), first);
        steps.push(Step { depth: limits.depth, sureness: first });
        if first < target {
            steps.push(Step { depth: limits.depth, sureness: target });
        }
        return steps;
    }
    let midgame = empties.saturating_sub(6).min(20);
    let mut steps = rising(midgame, stride(midgame, END_STRIDE), 0);
    // Selective passes first: they fill the table with good moves for the exact one.
    let before: &[u8] = if empties < 16 { &[] } else { &[0, 2] };
    let selective = before.iter().copied().filter(|&sureness| sureness < target);
    steps.extend(selective.map(|sureness| Step { depth: empties, sureness }));
    steps.push(Step { depth: empties, sureness: target });
    steps
}

/// Iterations up to one depth, so many plies apart.
fn rising(last: u8, stride: usize, sureness: u8) -> Vec<Step> {
    let mut steps: Vec<Step> =
        (1..=last).rev().step_by(stride).map(|depth| Step { depth, sureness }).collect();
    steps.reverse();
    steps
}

#[derive(Clone, Copy)]
struct RootMove {
    square: Square,
    turned: Bitboard,
    /// The final score in centidiscs when the move ends the game.
    over: Option<i32>,
}

/// What one iteration found.
#[derive(Clone, Copy)]
struct Iteration {
    score: i32,
    best: Option<Square>,
}

/// Searches a position whose side to move has a move that is not excluded.
pub(super) struct RootSearch<'c, 'a, E: Evaluator> {
    pub context: &'c mut SearchState<'a, E>,
    pub position: Position,
    /// The moves to be searched: at least one.
    pub allowed: Bitboard,
    pub limits: Limits,
    /// Whether each iteration is reported.
    pub reports: bool,
}

impl<E: Evaluator> CpuTask for RootSearch<'_, '_, E> {
    type Output = Outcome;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Outcome {
        let Self { context, position, allowed, limits, reports } = self;
        let reports = reports && context.watch.is_some();
        match context.team {
            Some(team) if limits.depth >= LEAST_TOGETHER => thread::scope(|scope| {
                let _session = team.session();
                for _ in 0..team.helpers() {
                    let helper = context.helper(team);
                    scope.spawn(move || helper.run(cpu));
                }
                search(cpu, context, position, allowed, &limits, reports)
            }),
            _ => search(cpu, context, position, allowed, &limits, reports),
        }
    }
}

#[inline(always)]
fn search<C: Cpu, E: Evaluator>(
    cpu: C,
    context: &mut SearchState<'_, E>,
    position: Position,
    allowed: Bitboard,
    limits: &Limits,
    reports: bool,
) -> Outcome {
    let empties = position.empties();
    let state = context.evaluator.state(position);
    let mut moves = root_moves(cpu, context, &state, position, allowed);
    let score = i32::from(context.evaluator.estimate(cpu, &state, position).centidiscs());
    let mut last = Iteration { score, best: moves.first().map(|first| first.square) };
    let mut reached = Step { depth: 0, sureness: FULL };
    let mut proof = Proof::None;
    let mut estimate = score;
    let mut complete = true;
    let mut finished: Vec<(Step, i32)> = Vec::new();
    let steps = if limits.depth == 0 { Vec::new() } else { steps(limits, empties) };
    for step in steps {
        context.sureness = step.sureness;
        context.deadline.stop.tell_depth(step.depth);
        let root = Node { state: &state, position, depth: step.depth, empties };
        let to_the_end = step.depth == empties;
        let sign_only = to_the_end && limits.goal == Goal::WinLossDraw;
        let found = if sign_only {
            search_window(cpu, context, root, &mut moves, SIGN)
        } else {
            let around = if reached.depth == 0 { None } else { Some(last.score) };
            aspire(cpu, context, root, &mut moves, around, reports)
        };
        if context.aborted {
            complete = false;
            break;
        }
        if sign_only && step.sureness < FULL {
            // The size of such a score means nothing, and its sign is not proven.
            last = Iteration { score: estimate, best: found.best };
        } else if sign_only {
            let (kind, score) = match found.score {
                1.. => (Proof::Win, estimate.max(200)),
                0 => (Proof::Exact, 0),
                _ => (Proof::Loss, estimate.min(-200)),
            };
            proof = kind;
            last = Iteration { score, best: found.best };
        } else {
            last = found;
            estimate = found.score;
            if to_the_end && step.sureness == FULL {
                proof = Proof::Exact;
            }
        }
        reached = step;
        finished.push((step, last.score));
        if reports {
            let so_far = outcome(context, position, (last, reached, proof), &finished, false);
            context.report(Progress::Iteration(&so_far));
        }
    }
    outcome(context, position, (last, reached, proof), &finished, complete)
}

/// What the iterations say that were finished so far, of which the last reached this.
fn outcome<E: Evaluator>(
    context: &SearchState<'_, E>,
    position: Position,
    (last, reached, proof): (Iteration, Step, Proof),
    finished: &[(Step, i32)],
    complete: bool,
) -> Outcome {
    let empties = position.empties();
    Outcome {
        best: last.best,
        score: Score::from_centidiscs(last.score as i16),
        value: believed(
            context,
            damped(last.score, finished, empties),
            empties.saturating_sub(reached.depth),
        ),
        proof,
        depth: reached.depth,
        selectivity: Selectivity::OURS[usize::from(reached.sureness)],
        line: last.best.map_or_else(Vec::new, |best| expected_line(context, position, best)),
        nodes: context.nodes,
        complete,
    }
}

/// A damped score as what is best believed of the position, where the last iteration judged positions with
/// so many empty squares left: none of them, if it went to the end.
fn believed<E: Evaluator>(context: &SearchState<'_, E>, damped: i32, left: u8) -> Score {
    let damped = Score::from_centidiscs(damped as i16);
    if left == 0 { damped } else { context.evaluator.stretched(damped, left) }
}

/// The last score without what it owes to the parity of its depth: half of what the iteration of that
/// depth changed against the one before, both with the same selectivity. (The last may have a
/// higher one at the same depth.) A search to the end, and one of a single ply, stay as they are.
///
/// Source: measured; see `eval/NOTES.md`, "Odd and even".
fn damped(score: i32, finished: &[(Step, i32)], empties: u8) -> i32 {
    let pair = finished.array_windows().rev().find_map(|&[(before, shallow), (step, deep)]| {
        let is_pair = before.sureness == step.sureness && before.depth + 1 == step.depth;
        is_pair.then_some((step.depth, shallow, deep))
    });
    match (finished.last(), pair) {
        (Some((last, _)), Some((depth, shallow, deep)))
            if last.depth == depth && depth < empties =>
        {
            let most = i32::from(Score::MAX.centidiscs());
            (score + (shallow - deep) / 2).clamp(-most, most)
        }
        _ => score,
    }
}

/// The moves to be searched, best static value first.
fn root_moves<C: Cpu, E: Evaluator>(
    cpu: C,
    context: &mut SearchState<'_, E>,
    state: &E::State,
    position: Position,
    allowed: Bitboard,
) -> Vec<RootMove> {
    let mut rated: Vec<(i32, RootMove)> = Squares(allowed & position.legal_moves().0)
        .map(|square| {
            context.nodes += 1;
            let turned = flips(square, position.mover, position.opponent);
            let child = position.with_move(square, turned);
            let over = match position.after(square) {
                Some(After::Over(discs)) => Some(100 * i32::from(discs)),
                _ => None,
            };
            let score = over.unwrap_or_else(|| {
                let state = context.evaluator.play(state, square, turned);
                -i32::from(context.evaluator.estimate(cpu, &state, child).centidiscs())
            });
            (score, RootMove { square, turned, over })
        })
        .collect();
    rated.sort_by_key(|&(score, _)| -score);
    rated.into_iter().map(|(_, each)| each).collect()
}

/// Searches with a window around a score, widened until the result is inside; a search to the end reports what
/// each window proves.
#[inline(always)]
fn aspire<C: Cpu, E: Evaluator>(
    cpu: C,
    context: &mut SearchState<'_, E>,
    root: Node<'_, E::State>,
    moves: &mut [RootMove],
    around: Option<i32>,
    reports: bool,
) -> Iteration {
    let to_the_end = root.depth == root.empties;
    let proves = reports && to_the_end && context.sureness == FULL;
    let (mut least, mut most) = (Score::MIN, Score::MAX);
    let (mut alpha, mut beta) = WIDEST;
    let (mut below, mut above) = (MIDGAME_WINDOW, MIDGAME_WINDOW);
    if let Some(around) = around {
        let mut center = around;
        if to_the_end {
            center = 200 * ((around + around.signum() * 100) / 200);
            (below, above) = (END_WINDOW, END_WINDOW);
        }
        (alpha, beta) = (center - below, center + above);
    }
    loop {
        (alpha, beta) = (alpha.max(WIDEST.0), beta.min(WIDEST.1));
        let found = search_window(cpu, context, root, moves, (alpha, beta));
        if context.aborted {
            return found;
        }
        if found.score <= alpha && alpha > WIDEST.0 {
            most = most.min(Score::from_centidiscs((200 * alpha.div_euclid(200)) as i16));
            below *= 2;
            (alpha, beta) = (found.score - below, alpha + 1);
        } else if found.score >= beta && beta < WIDEST.1 {
            least = least.max(Score::from_centidiscs((-200 * (-beta).div_euclid(200)) as i16));
            above *= 2;
            (alpha, beta) = (beta - 1, found.score + above);
        } else {
            return found;
        }
        if proves {
            context.report(Progress::Bounds(least, most));
        }
        // Cuts by chance may answer each window with "beyond it": only one without bounds ends that.
        if below.min(above) > WIDEST.1 {
            (below, above) = (MIDGAME_WINDOW, MIDGAME_WINDOW);
            (alpha, beta) = WIDEST;
        }
    }
}

/// One search of all root moves; the best comes first afterwards.
#[inline(always)]
fn search_window<C: Cpu, E: Evaluator>(
    cpu: C,
    context: &mut SearchState<'_, E>,
    root: Node<'_, E::State>,
    moves: &mut [RootMove],
    (alpha, beta): (i32, i32),
) -> Iteration {
    context.enter();
    let mut left = Moves::in_order(moves.iter().map(|each| (each.square, each.turned)));
    let (mut score, mut best) = (i32::MIN, NO_MOVE);
    while left.has_next() && score < beta {
        if score > i32::MIN && context.can_share(root) {
            (score, best) = context.share_open(cpu, root, (alpha, beta), &mut left, (score, best));
            if context.aborted {
                break;
            }
            continue;
        }
        let Some(next) = left.next_best() else { break };
        let state = context.evaluator.play(root.state, next.square, next.turned);
        let child = root.after(&state, next.square, next.turned);
        let over = moves.iter().find(|each| each.square == next.square).and_then(|each| each.over);
        let found = over.unwrap_or_else(|| context.search_child(cpu, child, score, (alpha, beta)));
        if context.aborted {
            break;
        }
        if found > score {
            (score, best) = (found, next.square.number());
        }
    }
    let place = moves.iter().position(|each| each.square.number() == best).unwrap_or(0);
    // There is one at least.
    moves[..=place].rotate_right(1);
    Iteration { score, best: Some(moves[0].square) }
}

/// The best move and what the table remembers of the line after it.
fn expected_line<E: Evaluator>(
    context: &SearchState<'_, E>,
    position: Position,
    best: Square,
) -> Vec<Square> {
    let mut line = vec![best];
    let mut next = position.after(best).and_then(After::position);
    while let Some(position) = next {
        let known = context.table.probe(position).map_or(NO_MOVE, |found| found.moves[0]);
        let Some(square) = Square::try_new(known) else { break };
        let Some(after) = position.after(square) else { break };
        line.push(square);
        next = after.position();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Iterations of one selectivity, from depth 1 on, and a last one of a higher one.
    fn iterations(scores: &[i32], surer: i32) -> Vec<(Step, i32)> {
        let step = |depth, sureness| Step { depth, sureness };
        let mut all: Vec<(Step, i32)> =
            (1..).zip(scores).map(|(depth, &score)| (step(depth, 0), score)).collect();
        all.push((step(scores.len() as u8, FULL), surer));
        all
    }

    #[test]
    fn the_value_is_the_last_score_less_half_of_the_last_change() {
        assert_eq!(damped(300, &iterations(&[100, 400, 200], 300), 20), 400);
        // Of a search to the end nothing is taken away.
        assert_eq!(damped(300, &iterations(&[100, 400, 200], 300), 3), 300);
        assert_eq!(damped(300, &iterations(&[200], 300), 20), 300);
    }

    #[test]
    fn the_last_two_iterations_are_a_ply_apart_and_the_others_more() {
        let depths = |limits: Limits, empties| -> Vec<u8> {
            steps(&limits, empties).iter().map(|step| step.depth).collect()
        };
        let selective = Limits::depth(12, Selectivity::OURS[0]);
        assert_eq!(depths(selective, 40), [2, 5, 8, 11, 12]);
        // Once more with the selectivity that was asked for.
        assert_eq!(depths(Limits::depth(9, Selectivity::FULL), 40), [2, 5, 8, 9, 9]);
        assert_eq!(depths(Limits::depth(7, Selectivity::OURS[0]), 40), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(depths(Limits::depth(1, Selectivity::FULL), 40), [1]);
        assert_eq!(depths(Limits::solve(Goal::Score), 20), [2, 8, 14, 20, 20, 20]);
        // A search that may run out of time needs the deepest there could be.
        let timed = Limits { nodes: Some(1000), ..selective };
        assert_eq!(depths(timed, 40), (1..=12).collect::<Vec<_>>());
    }

    #[test]
    fn the_value_is_no_more_than_a_wipe_out() {
        assert_eq!(damped(6400, &iterations(&[6400, 6324], 6400), 20), 6400);
        assert_eq!(damped(-6400, &iterations(&[-6400, -6324], -6400), 20), -6400);
    }
}
