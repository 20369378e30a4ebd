//! The search against a plain negamax that shares nothing with it.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use crate::othello::board::{
    After, Bitboard, Cpu, CpuLevel, Line, Portable, Position, Square, Squares, parse_board,
};
use crate::othello::eval::{Evaluator, PatternEvaluator};
use crate::othello::score::Score;

use super::{Goal, Level, Limits, MoveOrdering, Outcome, Proof, Searcher, Selectivity, Stop};

/// Mobility and corners.
struct Simple;

impl Evaluator for Simple {
    type State = ();

    fn state(&self, _: Position) {}

    fn play(&self, (): &(), _: Square, _: Bitboard) {}

    fn pass(&self, (): &()) {}

    fn estimate<C: Cpu>(&self, _: C, (): &(), position: Position) -> Score {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        let count = |bits: u64| bits.count_ones() as i16;
        let worth = |side: Position| {
            130 * count(side.legal_moves().0)
                + 700 * count(side.mover & CORNERS)
                + 7 * count(side.mover & 0x3c7e_ffff_ffff_7e3c)
        };
        Score::from_centidiscs((worth(position) - worth(position.passed())).clamp(-6400, 6400))
    }

    fn name(&self) -> String {
        "mobility and corners".into()
    }
}

fn searcher() -> Searcher<Simple> {
    Searcher::new(Arc::new(Simple), 4)
}

/// Centidiscs for the side to move; `depth` none: to the end.
fn negamax(position: Position, depth: Option<u8>) -> i32 {
    if depth == Some(0) {
        return i32::from(Simple.estimate(Portable, &(), position).centidiscs());
    }
    let legal = position.legal_moves();
    if legal.is_empty() {
        if position.is_over() {
            return 100 * i32::from(position.final_score());
        }
        return -negamax(position.passed(), depth);
    }
    let depth = depth.map(|depth| depth - 1);
    legal
        .filter_map(|square| position.play(square))
        .map(|child| -negamax(child, depth))
        .max()
        .unwrap()
}

/// Like [`negamax`] for one move, whose finished games count exactly.
fn value_of(position: Position, square: Square, depth: Option<u8>) -> i32 {
    match position.after(square).unwrap() {
        After::Over(discs) => 100 * i32::from(discs),
        After::Opponent(child) => -negamax(child, depth.map(|depth| depth - 1)),
        After::Same(child) => -negamax(child.passed(), depth.map(|depth| depth - 1)),
    }
}

/// A position of a random game with so many empties left, or where the game ended before.
pub(super) fn random_position(mut seed: u64, empties: u8) -> Position {
    let mut position = Position::START;
    while position.empties() > empties {
        let legal: Vec<Square> = position.legal_moves().collect();
        if legal.is_empty() {
            if position.is_over() {
                break;
            }
            position = position.passed();
            continue;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chosen = legal[(seed >> 33) as usize % legal.len()];
        position = position.play(chosen).unwrap();
    }
    position
}

fn solve(position: Position, goal: Goal) -> Outcome {
    searcher().search(position, 0, &Limits::solve(goal), &Stop::new())
}

fn sign_proof(value: i32) -> Proof {
    match value {
        1.. => Proof::Win,
        0 => Proof::Exact,
        _ => Proof::Loss,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn solves_exactly(seed: u64, empties in 0u8..=8) {
        let position = random_position(seed, empties);
        let value = negamax(position, None);
        let outcome = solve(position, Goal::Score);
        prop_assert_eq!(i32::from(outcome.score.centidiscs()), value);
        prop_assert_eq!(outcome.proof, Proof::Exact);
        prop_assert!(outcome.complete);
        prop_assert_eq!(outcome.best.is_some(), position.can_move());
        if let Some(best) = outcome.best {
            prop_assert_eq!(value_of(position, best, None), value);
        }
        prop_assert_eq!(outcome, solve(position, Goal::Score), "repeatable");
    }

    #[test]
    fn solves_signs(seed: u64, empties in 0u8..=8) {
        let position = random_position(seed, empties);
        let value = negamax(position, None);
        let outcome = solve(position, Goal::WinLossDraw);
        if position.is_over() {
            prop_assert_eq!(outcome.proof, Proof::Exact);
        } else {
            prop_assert_eq!(outcome.proof, sign_proof(value));
        }
        prop_assert_eq!(i32::from(outcome.score.centidiscs()).signum(), value.signum());
    }

    #[test]
    fn excludes_moves(seed: u64, mask: u64, empties in 1u8..=8) {
        let position = random_position(seed, empties);
        prop_assume!(position.can_move());
        let allowed: Vec<Square> =
            position.legal_moves().filter(|square| mask & square.bit() == 0).collect();
        let outcome =
            searcher().search(position, mask, &Limits::solve(Goal::Score), &Stop::new());
        let best = allowed.iter().map(|&square| value_of(position, square, None)).max();
        match best {
            None => prop_assert_eq!((outcome.best, outcome.proof), (None, Proof::None)),
            Some(value) => {
                prop_assert_eq!(i32::from(outcome.score.centidiscs()), value);
                prop_assert!(allowed.contains(&outcome.best.unwrap()));
            }
        }
    }

    #[test]
    fn looks_ahead(seed: u64, empties in 12u8..=56, depth in 1u8..=4) {
        let position = random_position(seed, empties);
        prop_assume!(position.can_move() && position.empties() > depth);
        let limits = Limits::depth(depth, Selectivity::FULL);
        let outcome = searcher().search(position, 0, &limits, &Stop::new());
        let moves = position.legal_moves();
        let value = moves.map(|square| value_of(position, square, Some(depth))).max();
        prop_assert_eq!(Some(i32::from(outcome.score.centidiscs())), value);
        prop_assert_eq!((outcome.proof, outcome.depth), (Proof::None, depth));
        prop_assert_eq!(outcome.line.first().copied(), outcome.best);
    }

    #[test]
    fn a_value_is_the_mean_of_the_last_two_depths(seed: u64, empties in 12u8..=56, depth in 1u8..=4) {
        let position = random_position(seed, empties);
        prop_assume!(position.can_move() && position.empties() > depth);
        let score = |depth| {
            let moves = position.legal_moves();
            moves.map(|square| value_of(position, square, Some(depth))).max().unwrap()
        };
        let limits = Limits::depth(depth, Selectivity::FULL);
        let outcome = searcher().search(position, 0, &limits, &Stop::new());
        let before = if depth > 1 { score(depth - 1) } else { score(1) };
        let twice = score(depth) + before;
        // Half a centidisc goes one way or the other.
        prop_assert!((2 * i32::from(outcome.value.centidiscs()) - twice).abs() <= 1);
        for other in searcher().all_moves(position, &Limits::depth(depth, Selectivity::FULL), &Stop::new()) {
            let child = position.after(other.square).unwrap();
            let Some(next) = child.position() else { continue };
            let limits = Limits::depth(depth - 1, Selectivity::FULL);
            let value = searcher().search(next, 0, &limits, &Stop::new()).value;
            let same_side = matches!(child, After::Same(_));
            prop_assert_eq!(other.value, if same_side { value } else { -value });
        }
    }

    #[test]
    fn a_value_to_the_end_is_the_score(seed: u64, empties in 1u8..=8) {
        let position = random_position(seed, empties);
        for goal in [Goal::Score, Goal::WinLossDraw] {
            let outcome = solve(position, goal);
            prop_assert_eq!(outcome.value, outcome.score);
        }
    }

    #[test]
    fn values_all_moves(seed: u64, empties in 1u8..=8) {
        let position = random_position(seed, empties);
        let found = searcher().all_moves(position, &Limits::solve(Goal::Score), &Stop::new());
        prop_assert_eq!(found.len(), position.legal_moves().len());
        for each in &found {
            let value = value_of(position, each.square, None);
            prop_assert_eq!(i32::from(each.score.centidiscs()), value);
            prop_assert_eq!(each.proof, Proof::Exact);
        }
        prop_assert!(found.is_sorted_by(|a, b| a.score >= b.score));
        let signs = searcher().all_moves(position, &Limits::solve(Goal::WinLossDraw), &Stop::new());
        for each in signs {
            let value = value_of(position, each.square, None);
            let over = matches!(position.after(each.square), Some(After::Over(_)));
            let proof = if over { Proof::Exact } else { sign_proof(value) };
            prop_assert_eq!(each.proof, proof);
        }
    }
}

#[test]
fn a_result_never_depends_on_earlier_searches() {
    let position = random_position(7, 40);
    let limits = Limits::depth(9, Selectivity::OURS[0]);
    let fresh = searcher().search(position, 0, &limits, &Stop::new());
    let mut used = searcher();
    for seed in 0..4 {
        used.search(random_position(seed, 41), 0, &limits, &Stop::new());
    }
    used.search(position, position.legal_moves().0 & 0xff00_ff00, &limits, &Stop::new());
    assert_eq!(used.search(position, 0, &limits, &Stop::new()), fresh);
}

#[test]
fn every_ordering_finds_the_same_scores() {
    let mut nodes = [0, 0];
    for seed in 0..8 {
        for (limits, empties) in
            [(Limits::solve(Goal::Score), 13), (Limits::depth(6, Selectivity::FULL), 30)]
        {
            let position = random_position(seed, empties);
            let [ours, quick] = MoveOrdering::ALL.map(|ordering| {
                let mut searcher = searcher().with_ordering(ordering);
                searcher.search(position, 0, &limits, &Stop::new())
            });
            assert_eq!((ours.score, ours.proof), (quick.score, quick.proof));
            nodes = [nodes[0] + ours.nodes, nodes[1] + quick.nodes];
        }
    }
    assert!(nodes[1] > nodes[0], "{nodes:?}");
}

#[test]
fn every_processor_finds_the_same() {
    for (seed, limits) in [
        (1, Limits::solve(Goal::Score)),
        (2, Limits::solve(Goal::WinLossDraw)),
        (3, Limits::depth(8, Selectivity::OURS[0])),
    ] {
        let position = random_position(seed, 15);
        let found = CpuLevel::ALL
            .map(|level| searcher().on_cpu(level).search(position, 0, &limits, &Stop::new()));
        assert!(found.iter().all(|outcome| *outcome == found[0]), "{found:?}");
    }
}

#[test]
fn selective_searches_prove_nothing() {
    let position = random_position(3, 18);
    for selectivity in Selectivity::OURS {
        for goal in [Goal::Score, Goal::WinLossDraw] {
            let limits = Limits { goal, ..Limits::depth(60, selectivity) };
            let outcome = searcher().search(position, 0, &limits, &Stop::new());
            assert_eq!(outcome.proof == Proof::None, selectivity != Selectivity::FULL);
            assert_eq!((outcome.depth, outcome.selectivity), (18, selectivity));
        }
    }
}

#[test]
fn limits_cut_a_search_short() {
    let position = random_position(11, 44);
    let stop = Stop::new();
    let limits = Limits { nodes: Some(20_000), ..Limits::depth(30, Selectivity::FULL) };
    let outcome = searcher().search(position, 0, &limits, &stop);
    assert!(!outcome.complete && outcome.best.is_some() && outcome.depth < 30);
    assert!(outcome.nodes < 24_000, "{}", outcome.nodes);
    let limits = Limits { nodes: Some(20_000), ..Limits::solve(Goal::Score) };
    let outcome = searcher().search(random_position(5, 26), 0, &limits, &stop);
    assert_eq!((outcome.complete, outcome.proof), (false, Proof::None));
    stop.stop();
    let outcome = searcher().search(position, 0, &Limits::solve(Goal::Score), &stop);
    assert_eq!((outcome.complete, outcome.depth), (false, 0));
    assert!(outcome.best.is_some());
}

#[test]
fn depth_0_is_the_static_value() {
    let position = random_position(2, 30);
    let limits = Limits::depth(0, Selectivity::FULL);
    let outcome = searcher().search(position, 0, &limits, &Stop::new());
    assert_eq!(outcome.score, Simple.estimate(Portable, &(), position));
    let value = |square| value_of(position, square, Some(1));
    let best = position.legal_moves().map(value).max();
    assert_eq!(outcome.best.map(value), best);
}

#[test]
fn forced_passes_and_finished_games() {
    let text = "OOOOOO--XOOOOO--XXXOOO--OOXOOO--OOXXOO--OOOOOOO-OXOOXO--XXXXXX-- O";
    let position = parse_board(text).unwrap().position;
    assert!(!position.can_move());
    let outcome = solve(position, Goal::Score);
    assert_eq!((outcome.best, outcome.score), (None, Score::from_discs(-10)));
    assert_eq!(outcome.proof, Proof::Exact);
    assert_eq!(solve(position, Goal::WinLossDraw).proof, Proof::Loss);
    let over = Position { mover: 0xffff, opponent: 0 };
    let outcome = solve(over, Goal::Score);
    assert_eq!((outcome.best, outcome.score), (None, Score::from_discs(64)));
    assert_eq!(outcome.proof, Proof::Exact);
}

#[test]
fn any_number_of_threads_finds_the_same_score() {
    for seed in 0..10 {
        let position = random_position(seed, 16 + (seed % 2) as u8);
        let one = solve(position, Goal::Score);
        for threads in [2, 5] {
            let mut several = searcher().on_threads(threads);
            let found = several.search(position, 0, &Limits::solve(Goal::Score), &Stop::new());
            assert_eq!((found.score, found.proof, found.complete), (one.score, one.proof, true));
            let best = found.best.map(|square| value_of_solved(position, square));
            assert_eq!(best, position.can_move().then_some(one.score));
        }
    }
}

/// The exact score of one move.
fn value_of_solved(position: Position, square: Square) -> Score {
    let others = position.legal_moves().0 & !square.bit();
    searcher().search(position, others, &Limits::solve(Goal::Score), &Stop::new()).score
}

#[test]
fn several_threads_stop_together() {
    let stop = Stop::new();
    let limits = Limits { time: Some(Duration::from_millis(30)), ..Limits::solve(Goal::Score) };
    let outcome = searcher().on_threads(4).search(random_position(5, 30), 0, &limits, &stop);
    assert_eq!((outcome.complete, outcome.proof), (false, Proof::None));
    let limits = Limits::depth(12, Selectivity::OURS[0]);
    let outcome = searcher().on_threads(4).search(random_position(5, 40), 0, &limits, &stop);
    assert_eq!((outcome.complete, outcome.depth), (true, 12));
}

/// The nodes of some searches: they change only when the search does. A change on purpose writes
/// the new numbers here, and what they bought into NOTES.md.
#[test]
fn the_signature_of_the_search() {
    let nodes = |seed, empties, limits: Limits| {
        searcher().search(random_position(seed, empties), 0, &limits, &Stop::new()).nodes
    };
    let exact: Vec<u64> = (0..4).map(|seed| nodes(seed, 15, Limits::solve(Goal::Score))).collect();
    let signs = nodes(1, 16, Limits::solve(Goal::WinLossDraw));
    let selective = nodes(2, 44, Limits::depth(11, Selectivity::OURS[0]));
    let full = nodes(3, 40, Limits::depth(7, Selectivity::FULL));
    let expected = (vec![617_774, 72_395, 357_268, 433_980], 41_265, 66_267, 31_403);
    assert_eq!((exact, signs, selective, full), expected);
}

/// Among bad moves alone, cuts by chance said by turns that the score is below and above the same bound,
/// and the window around it was widened for ever (found by `grow --policy deviate --deviate 128`).
#[test]
fn a_window_that_is_missed_on_both_sides_by_turns_is_opened() {
    let board = "--------------------X------OXO-----XOO-------O------------------ X";
    let position = parse_board(board).unwrap().position;
    let evaluator = PatternEvaluator::embedded().unwrap();
    let mut searcher = Searcher::new(Arc::clone(&evaluator), 1);
    for excluded in [0x1004_0408_0000, 0x1004_4408_0000, 0x1044_0408_0000, 0x1044_4408_0000] {
        let limits = Limits::level(Level::new(7).unwrap(), position.empties());
        let found = searcher.search(position, excluded, &limits, &Stop::new());
        let of_children = Squares(position.legal_moves().0 & !excluded)
            .filter_map(|square| position.play(square))
            .map(|child| {
                let limits = Limits::depth(6, Selectivity::FULL);
                let mut searcher = Searcher::new(Arc::clone(&evaluator), 1);
                -searcher.search(child, 0, &limits, &Stop::new()).score
            });
        assert_eq!((found.complete, found.depth), (true, 7));
        assert_eq!(Some(found.score), of_children.max());
    }
}

/// What changes the tree changes these: a change that is meant to be without effect on it leaves them alone, one that
/// makes searches better says by how much (`bench search --depth 18` and `--depth 24` have ten positions).
#[test]
fn the_trees_of_deep_searches_are_pinned() {
    let evaluator = PatternEvaluator::embedded().unwrap();
    let position = "f5f6e6f4g5e7d3c5e3".parse::<Line>().unwrap().end().unwrap().position;
    let nodes = [18, 24].map(|depth| {
        let mut searcher = Searcher::new(Arc::clone(&evaluator), 64);
        let limits = Limits::depth(depth, Selectivity::OURS[0]);
        let outcome = searcher.search(position, 0, &limits, &Stop::new());
        (outcome.nodes, outcome.score.centidiscs())
    });
    assert_eq!(nodes, [(251_893, -214), (2_477_464, -102)]);
}
