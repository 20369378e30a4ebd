//! A search that deepens and reports each iteration.

use std::time::Instant;

use crate::othello::board::{Bitboard, Position, same_move};
use crate::othello::search::{AnySearcher, Level, Limits, MoveScore, Proof, Selectivity, Stop};

/// What is known of the moves of a position after a level.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LiveStep {
    /// The level that was finished.
    pub level: Level,
    /// All moves, each searched as if the others did not exist, the best first; of moves that are
    /// images of each other the first. Values are for the side to move.
    pub moves: Vec<MoveScore>,
    /// Positions visited so far, by all levels.
    pub nodes: u64,
    /// Seconds since the search began.
    pub seconds: f64,
}

/// Searches every move of a position at a low level, then at higher ones up to `last`, and gives what
/// each level found. It ends early where all moves are solved, or when `stop` is raised; what an
/// unfinished level found is not given. A position without a move gives nothing.
pub(crate) fn deepen(
    searcher: &mut AnySearcher,
    position: Position,
    last: Level,
    stop: &Stop,
    each: impl FnMut(&LiveStep),
) {
    deepen_by(position, last, stop, each, |limits| searcher.all_moves(position, limits, stop));
}

/// As [`deepen`], for the best `count` moves that are not `excluded`: fewer moves take less time.
pub(super) fn deepen_best(
    searcher: &mut AnySearcher,
    position: Position,
    excluded: Bitboard,
    count: usize,
    last: Level,
    stop: &Stop,
    each: impl FnMut(&LiveStep),
) {
    let moves = position.legal_moves().filter(|square| excluded & square.bit() == 0).count();
    deepen_by(position, last, stop, each, |limits| match count < moves {
        true => best_moves(searcher, position, excluded, count, limits, stop),
        false => {
            let mut all = searcher.all_moves(position, limits, stop);
            all.retain(|found| excluded & found.square.bit() == 0);
            all
        }
    });
}

/// The best moves that are not excluded, found one after the other, each as the best of a search without those
/// before it, and sorted by value.
fn best_moves(
    searcher: &mut AnySearcher,
    position: Position,
    mut excluded: Bitboard,
    count: usize,
    limits: &Limits,
    stop: &Stop,
) -> Vec<MoveScore> {
    let mut found = Vec::with_capacity(count);
    while found.len() < count && !stop.is_stopped() {
        let outcome = searcher.search(position, excluded, limits, stop);
        let Some(square) = outcome.best else { break };
        let images = position.legal_moves().filter(|&other| same_move(position, square, other));
        excluded |= images.fold(0, |images, other| images | other.bit());
        found.push(MoveScore::of(square, outcome));
    }
    found.sort_by_key(|each| std::cmp::Reverse(each.value));
    found
}

fn deepen_by(
    position: Position,
    last: Level,
    stop: &Stop,
    mut each: impl FnMut(&LiveStep),
    mut search: impl FnMut(&Limits) -> Vec<MoveScore>,
) {
    if !position.can_move() {
        return;
    }
    let started = Instant::now();
    let mut nodes = 0;
    let mut before = None;
    for level in levels(last) {
        let limits = Limits::level(level, position.empties());
        // Near the end several levels ask for the same.
        let plan = (limits.depth, limits.selectivity);
        if before.replace(plan) == Some(plan) {
            continue;
        }
        let found = search(&limits);
        if stop.is_stopped() {
            return;
        }
        nodes += found.iter().map(|found| found.nodes).sum::<u64>();
        let mut moves: Vec<MoveScore> = Vec::with_capacity(found.len());
        for found in found {
            if !moves.iter().any(|known| same_move(position, known.square, found.square)) {
                moves.push(found);
            }
        }
        let is_solved = |found: &MoveScore| {
            found.proof == Proof::Exact && found.selectivity == Selectivity::FULL
        };
        let is_over = moves.iter().all(is_solved);
        each(&LiveStep { level, moves, nodes, seconds: started.elapsed().as_secs_f64() });
        if is_over {
            return;
        }
    }
}

/// The levels on the way: two plies more each time, as a value swings between odd and even depths.
fn levels(last: Level) -> impl Iterator<Item = Level> {
    let numbers = (2..last.number()).step_by(2).chain([last.number().max(1)]);
    numbers.filter_map(Level::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::{Line, Placed};
    use crate::othello::eval::by_name;

    fn searcher() -> AnySearcher {
        AnySearcher::new(by_name("rosebill").unwrap(), 1)
    }

    fn steps(position: Position, last: u8) -> Vec<LiveStep> {
        let mut steps = Vec::new();
        let last = Level::new(last).unwrap();
        deepen(&mut searcher(), position, last, &Stop::new(), |step| steps.push(step.clone()));
        steps
    }

    #[test]
    fn levels_rise_by_two_to_the_last() {
        let numbers = |last: u8| -> Vec<u8> {
            levels(Level::new(last).unwrap()).map(Level::number).collect()
        };
        assert_eq!(numbers(7), [2, 4, 6, 7]);
        assert_eq!(numbers(6), [2, 4, 6]);
        assert_eq!(numbers(0), [1]);
    }

    #[test]
    fn every_move_is_there_once_at_every_level_as_a_search_finds_it() {
        let line: Line = "f5d6c3d3c4".parse().unwrap();
        let position = line.end().unwrap().position;
        let steps = steps(position, 5);
        let levels: Vec<u8> = steps.iter().map(|step| step.level.number()).collect();
        assert_eq!(levels, [2, 4, 5]);
        for step in &steps {
            assert_eq!(step.moves.len(), position.legal_moves().len());
            let limits = Limits::level(step.level, position.empties());
            let alone = searcher().search(position, 0, &limits, &Stop::new());
            assert_eq!(step.moves[0].score, alone.score, "level {}", step.level);
        }
        assert!(steps.windows(2).all(|pair| pair[0].nodes < pair[1].nodes));
        // The four first moves are one.
        let start = super::tests::steps(Placed::START.position, 2);
        assert_eq!(start[0].moves.len(), 1);
    }

    #[test]
    fn the_best_moves_are_the_first_of_all() {
        // Moves are found by score and sorted by value: here both agree on the order.
        let line: Line = "f5d6c3".parse().unwrap();
        let (position, last) = (line.end().unwrap().position, Level::new(4).unwrap());
        let all = steps(position, 4);
        let stop = Stop::new();
        let first = all[1].moves[0].square;
        for (excluded, skipped, count) in [(0, 0, 2), (first.bit(), 1, 2), (first.bit(), 1, 64)] {
            let mut best = Vec::new();
            let each = |step: &LiveStep| best.push(step.clone());
            deepen_best(&mut searcher(), position, excluded, count, last, &stop, each);
            assert_eq!(best.len(), all.len());
            let (best, all) = (&best[1].moves, &all[1].moves[skipped..]);
            assert_eq!(best.len(), all.len().min(count));
            let scores = |moves: &[MoveScore]| -> Vec<(crate::othello::board::Square, i16)> {
                moves.iter().map(|found| (found.square, found.score.centidiscs())).collect()
            };
            assert_eq!(scores(best), scores(&all[..best.len()]));
        }
        // Of moves that are images of each other one is enough.
        let mut start = Vec::new();
        let each = |step: &LiveStep| start.push(step.moves.len());
        deepen_best(&mut searcher(), Placed::START.position, 0, 3, last, &stop, each);
        assert_eq!(start, [1, 1]);
    }

    #[test]
    fn it_ends_where_all_is_solved() {
        let mut position = Placed::START.position;
        while position.empties() > 8 {
            let next = position.legal_moves().next().and_then(|square| position.after(square));
            position = next.and_then(crate::othello::board::After::position).unwrap();
        }
        let steps = steps(position, 30);
        assert!(steps.len() < 5, "{} levels", steps.len());
        assert!(steps.last().unwrap().moves.iter().all(|found| found.proof == Proof::Exact));
    }

    #[test]
    fn a_raised_stop_gives_nothing_half_done() {
        let stop = Stop::new();
        let mut seen = 0;
        deepen(&mut searcher(), Placed::START.position, Level::MAX, &stop, |_| {
            seen += 1;
            stop.stop();
        });
        assert_eq!(seen, 1);
    }
}
