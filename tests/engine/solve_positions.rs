//! Exact scores: of the FFO suite, of positions that we solved, and of what naive rules say.

use std::path::Path;
use std::sync::Arc;

use rosebill::othello::board::{
    After, Bitboard, Cpu, ObfPosition, Position, Square, Symmetry, parse_board, parse_obf,
};
use rosebill::othello::eval::Evaluator;
use rosebill::othello::score::Score;
use rosebill::othello::search::{Goal, Limits, Proof, Searcher, Stop};

use crate::naive::Naive;
use crate::random::position_after;

/// A mobility count: the scores of a solver do not depend on its evaluator.
struct Mobility;

impl Evaluator for Mobility {
    type State = ();

    fn state(&self, _: Position) {}

    fn play(&self, (): &(), _: Square, _: Bitboard) {}

    fn pass(&self, (): &()) {}

    fn estimate<C: Cpu>(&self, _: C, (): &(), position: Position) -> Score {
        let moves = |side: Position| side.legal_moves().len() as i16;
        Score::from_centidiscs(150 * (moves(position) - moves(position.passed())))
    }

    fn name(&self) -> String {
        "mobility".into()
    }
}

/// Score and sign of a position; the moves whose scores are known are the best ones at least.
fn check(searcher: &mut Searcher<Mobility>, position: Position, best: i8, moves: &[(Square, i8)]) {
    let outcome = searcher.search(position, 0, &Limits::solve(Goal::Score), &Stop::new());
    assert_eq!(outcome.score, Score::from_discs(best), "{position:?}");
    assert_eq!(outcome.proof, Proof::Exact, "{position:?}");
    if !moves.is_empty() {
        let listed = moves.iter().find(|&&(square, _)| Some(square) == outcome.best);
        assert_eq!(listed.map(|&(_, value)| value), Some(best), "{position:?}");
    }
    let outcome = searcher.search(position, 0, &Limits::solve(Goal::WinLossDraw), &Stop::new());
    assert_eq!(outcome.score.centidiscs().signum(), i16::from(best.signum()), "{position:?}");
    let (lower, upper) = outcome.proof.bounds(outcome.score);
    assert!(lower <= best && best <= upper, "{position:?}");
}

fn check_entry(searcher: &mut Searcher<Mobility>, entry: &ObfPosition) {
    let best = entry.best_score().expect("a scored line");
    check(searcher, entry.placed.position, best, &entry.moves);
}

/// Every move has its score when all are asked for.
fn check_all_moves(searcher: &mut Searcher<Mobility>, position: Position, moves: &[(Square, i8)]) {
    let found = searcher.all_moves(position, &Limits::solve(Goal::Score), &Stop::new());
    assert_eq!(found.len(), moves.len(), "{position:?}");
    for each in found {
        let listed = moves.iter().find(|&&(square, _)| square == each.square);
        assert_eq!(listed.map(|&(_, value)| Score::from_discs(value)), Some(each.score));
    }
}

fn searcher() -> Searcher<Mobility> {
    Searcher::new(Arc::new(Mobility), 16)
}

/// Positions of random games with so many empties and somebody to move, no two the same.
fn with_empties(empties: u8, count: usize) -> Vec<Position> {
    let mut found: Vec<Position> = vec![];
    for seed in 0.. {
        let position = position_after(seed, 60 - usize::from(empties));
        if position.empties() == empties && !found.contains(&position) {
            found.push(position);
        }
        if found.len() == count {
            break;
        }
    }
    found
}

/// What the naive rules say of every move, in discs.
fn naive_moves(position: Position) -> Vec<(Square, i8)> {
    let moves = Naive::of(position).moves().into_iter();
    moves.map(|(square, next)| (Square::new(square), -next.solve() as i8)).collect()
}

#[test]
fn few_empties() {
    let mut searcher = searcher();
    for (empties, count) in
        [(1, 20), (2, 20), (3, 20), (4, 20), (5, 40), (6, 30), (7, 20), (8, 12), (9, 4), (10, 2)]
    {
        for position in with_empties(empties, count) {
            let moves = naive_moves(position);
            let best = moves.iter().map(|&(_, score)| score).max().unwrap();
            check(&mut searcher, position, best, &moves);
            check_all_moves(&mut searcher, position, &moves);
        }
    }
}

/// Positions whose mover must pass, and boards at their end, of random games.
#[test]
fn passes_and_finished_games() {
    let mut searcher = searcher();
    let (mut passes, mut ends, mut with_empty_squares) = (0, 0, 0);
    for seed in 0..3000 {
        let position = position_after(seed, 50 + seed as usize % 11);
        for square in position.legal_moves() {
            let next = position.play(square).unwrap();
            match position.after(square).unwrap() {
                After::Same(_) if next.empties() <= 7 && passes < 60 => {
                    passes += 1;
                    check(&mut searcher, next, Naive::of(next).solve() as i8, &[]);
                }
                After::Over(discs) if ends < 400 => {
                    ends += 1;
                    with_empty_squares += usize::from(next.empties() > 0);
                    let score = Naive::of(next).solve();
                    assert_eq!(i32::from(discs), -score);
                    let outcome =
                        searcher.search(next, 0, &Limits::solve(Goal::Score), &Stop::new());
                    assert_eq!(outcome.score, Score::from_discs(score as i8));
                    assert_eq!((outcome.best, outcome.proof), (None, Proof::Exact));
                }
                _ => {}
            }
        }
    }
    assert!((passes, ends) == (60, 400) && with_empty_squares > 5, "{with_empty_squares}");
    // A wipe-out early in a game: all squares go to the winner.
    for (board, score) in [
        ("--------------------------XXX----------------------------------- O", -64),
        ("--------------------------XXX----------------------------------- X", 64),
        ("OOOOOOO-OOOOOOO-OOOOOOO-OOOOOOO-OOOOOOO-OOOOOOO-OOOOOOO-OOOOOO-X X", -62),
        ("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X", 0),
    ] {
        let position = parse_board(board).unwrap().position;
        let outcome = searcher.search(position, 0, &Limits::solve(Goal::Score), &Stop::new());
        assert_eq!((outcome.score, outcome.best), (Score::from_discs(score), None), "{board}");
    }
}

#[test]
fn a_turned_board_has_the_same_score() {
    let mut searcher = searcher();
    for (empties, count) in [(5, 4), (8, 2), (9, 1)] {
        for position in with_empties(empties, count) {
            let best = Naive::of(position).solve() as i8;
            for symmetry in Symmetry::all() {
                check(&mut searcher, symmetry.position(position), best, &[]);
            }
        }
    }
}

/// Those of the FFO suite with so many empties.
fn check_suite(empties: std::ops::RangeInclusive<u8>) -> usize {
    let suite = parse_obf(include_str!("ffo.obf")).unwrap();
    assert_eq!(suite.len(), 59);
    let mut searcher = searcher();
    let of_size = |entry: &&ObfPosition| empties.contains(&entry.placed.position.empties());
    let chosen: Vec<_> = suite.iter().filter(of_size).collect();
    for entry in &chosen {
        check_entry(&mut searcher, entry);
    }
    chosen.len()
}

#[test]
fn the_ffo_suite_up_to_19_empties() {
    assert_eq!(check_suite(0..=19), 25);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test engine -- --ignored ffo"]
fn the_ffo_suite_up_to_30_empties() {
    assert_eq!(check_suite(20..=30), 33);
}

/// Ours, of 10 to 18 empties: random games have other ends than good ones.
#[test]
fn positions_that_we_solved() {
    let mut searcher = searcher();
    let entries = parse_obf(include_str!("exact.obf")).unwrap();
    for entry in &entries {
        check_entry(&mut searcher, entry);
        if entry.placed.position.empties() <= 12 {
            check_all_moves(&mut searcher, entry.placed.position, &entry.moves);
        }
    }
    assert_eq!(entries.len(), 24);
}

fn shared(name: &str) -> Vec<ObfPosition> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/positions");
    parse_obf(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

#[test]
#[ignore = "needs ../shared/data/positions"]
fn shared_positions_have_their_scores() {
    let mut searcher = searcher();
    for (name, step) in [
        ("e05-edax.obf", 1),
        ("e08-own.obf", 1),
        ("e10-edax.obf", 2),
        ("e12-own.obf", 4),
        ("e14-own.obf", 10),
        ("e15-edax.obf", 60),
        ("e16-own.obf", 20),
        ("pass-own.obf", 1),
        ("over-own.obf", 1),
    ] {
        for entry in shared(name).iter().step_by(step) {
            check_entry(&mut searcher, entry);
        }
    }
}

#[test]
#[ignore = "needs ../shared/data/positions"]
fn shared_moves_have_their_scores() {
    let mut searcher = searcher();
    for name in ["e05-edax.obf", "e08-own.obf", "e10-edax.obf"] {
        for entry in shared(name).iter().step_by(3) {
            check_all_moves(&mut searcher, entry.placed.position, &entry.moves);
        }
    }
}
