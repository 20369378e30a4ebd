//! What a search reports while it runs.

use super::{MoveScore, Outcome};
use crate::othello::score::Score;

/// What a search has found so far. Reports come on the thread that searches, which waits for them.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// It goes on; so many positions were visited. Every few thousand positions.
    Nodes(u64),
    /// An iteration of a search for the best move was finished: what is known now, for the side that has a move.
    Iteration(&'a Outcome),
    /// A search to the end has proven that the result is at least the first and at most the second, for the side
    /// that has a move.
    Bounds(Score, Score),
    /// A move was searched by itself.
    Move(&'a MoveScore),
}

/// What hears of the progress of a search.
pub type Watch<'w> = dyn FnMut(Progress<'_>) + 'w;

#[cfg(test)]
mod tests {
    use crate::othello::board::{Line, Position};
    use crate::othello::eval::by_name;
    use crate::othello::score::Score;
    use crate::othello::search::tests::random_position;
    use crate::othello::search::{
        AnySearcher, Goal, Limits, MoveScore, Progress, Selectivity, Stop,
    };

    fn position() -> Position {
        let line: Line = "f5d6c3d3c4".parse().unwrap();
        line.end().unwrap().position
    }

    #[test]
    fn every_iteration_is_reported_and_the_last_is_the_result() {
        let limits = Limits { nodes: Some(30_000), ..Limits::depth(20, Selectivity::OURS[0]) };
        for evaluator in ["rosebill", "linear"] {
            let mut searcher = AnySearcher::new(by_name(evaluator).unwrap(), 1);
            let (mut found, mut visited) = (Vec::new(), 0);
            let mut watch = |progress: Progress<'_>| match progress {
                Progress::Iteration(outcome) => found.push(outcome.clone()),
                Progress::Nodes(nodes) => visited = nodes,
                Progress::Bounds(..) => panic!("nothing is proven so far from the end"),
                Progress::Move(_) => panic!("moves are not searched by themselves"),
            };
            let stop = Stop::new();
            let outcome = searcher.search_watched(position(), 0, &limits, &stop, Some(&mut watch));
            if evaluator == "linear" {
                // It keeps to itself what it finds before the end.
                continue;
            }
            let depths: Vec<u8> = found.iter().map(|found| found.depth).collect();
            assert_eq!(depths, (1..=outcome.depth).collect::<Vec<u8>>());
            assert!(found.is_sorted_by_key(|found| found.nodes) && visited >= 2048);
            let last = found.last().unwrap();
            assert_eq!((last.best, last.value), (outcome.best, outcome.value));
            // A search that is not watched finds the same.
            assert_eq!(searcher.search(position(), 0, &limits, &stop), outcome);
        }
    }

    /// A first guess far from the result takes several windows, and each proves something.
    #[test]
    fn what_is_proven_closes_in_on_the_result() {
        let mut proven = 0;
        let ends = (0..60).map(|seed| random_position(seed, 12));
        for position in ends.filter(|position| position.can_move()) {
            let mut searcher = AnySearcher::new(by_name("rosebill").unwrap(), 1);
            let mut all = vec![(Score::MIN, Score::MAX)];
            let mut watch = |progress: Progress<'_>| {
                if let Progress::Bounds(lower, upper) = progress {
                    all.push((lower, upper));
                }
            };
            let (limits, stop) = (Limits::solve(Goal::Score), Stop::new());
            let outcome = searcher.search_watched(position, 0, &limits, &stop, Some(&mut watch));
            assert!(
                all.iter().all(|&(lower, upper)| lower <= outcome.score && outcome.score <= upper)
            );
            assert!(all.array_windows().all(|&[(l, u), (lower, upper)]| l <= lower && upper <= u));
            proven += all.len() - 1;
        }
        assert!(proven > 10, "{proven}");
    }

    #[test]
    fn every_move_that_is_searched_by_itself_is_reported() {
        let limits = Limits::depth(4, Selectivity::FULL);
        for evaluator in ["rosebill", "linear"] {
            let mut searcher = AnySearcher::new(by_name(evaluator).unwrap(), 1);
            let mut found: Vec<MoveScore> = Vec::new();
            let mut watch = |progress: Progress<'_>| match progress {
                Progress::Move(score) => found.push(score.clone()),
                Progress::Nodes(_) => {}
                Progress::Iteration(_) | Progress::Bounds(..) => {
                    panic!("iterations are those of other positions")
                }
            };
            let stop = Stop::new();
            let mut all = searcher.all_moves_watched(position(), &limits, &stop, Some(&mut watch));
            all.sort_by_key(|each| each.square);
            assert_eq!(found, all, "{evaluator}");
        }
    }
}
