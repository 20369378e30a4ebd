//! Exact scores of known positions, where `../shared/data/positions` is at hand.

use std::path::Path;
use std::sync::Arc;

use rosebill::board::{Bitboard, ObfPosition, Position, Square, Symmetry, parse_obf};
use rosebill::eval::Evaluator;
use rosebill::score::Score;
use rosebill::search::{Goal, Limits, Proof, Searcher, Stop};

/// A mobility count: the scores of a solver do not depend on its evaluator.
struct Mobility;

impl Evaluator for Mobility {
    type State = ();

    fn state(&self, _: Position) {}

    fn play(&self, (): &(), _: Square, _: Bitboard) {}

    fn pass(&self, (): &()) {}

    fn evaluate(&self, (): &(), position: Position) -> Score {
        let moves = |side: Position| side.legal_moves().len() as i16;
        Score::from_centidiscs(150 * (moves(position) - moves(position.passed())))
    }

    fn name(&self) -> String {
        "mobility".into()
    }
}

fn read(name: &str) -> Vec<ObfPosition> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/positions");
    match std::fs::read_to_string(folder.join(name)) {
        Ok(text) => parse_obf(&text).expect("a well-formed file"),
        Err(error) => {
            eprintln!("skipped: {name}: {error}");
            Vec::new()
        }
    }
}

/// Best score, best move and sign.
fn check(searcher: &mut Searcher<Mobility>, position: Position, entry: &ObfPosition) {
    let best = entry.best_score().expect("a scored line");
    let outcome = searcher.search(position, 0, &Limits::solve(Goal::Score), &Stop::new());
    assert_eq!(outcome.score, Score::from_discs(best), "line {}", entry.line);
    assert_eq!(outcome.proof, Proof::Exact, "line {}", entry.line);
    if position == entry.placed.position && !entry.moves.is_empty() {
        let listed = entry.moves.iter().find(|&&(square, _)| Some(square) == outcome.best);
        assert_eq!(listed.map(|&(_, value)| value), Some(best), "line {}", entry.line);
    }
    let outcome = searcher.search(position, 0, &Limits::solve(Goal::WinLossDraw), &Stop::new());
    assert_eq!(outcome.score.centidiscs().signum(), i16::from(best.signum()));
    let (lower, upper) = outcome.proof.bounds(outcome.score);
    assert!(lower <= best && best <= upper, "line {}", entry.line);
}

/// One in `step` positions of a file.
fn check_sample(name: &str, step: usize) {
    let mut searcher = Searcher::new(Arc::new(Mobility), 16);
    for entry in read(name).iter().step_by(step) {
        check(&mut searcher, entry.placed.position, entry);
    }
}

#[test]
fn few_empties() {
    check_sample("e05-edax.obf", 1);
    check_sample("e08-own.obf", 1);
    check_sample("e10-edax.obf", 2);
}

#[test]
fn some_empties() {
    check_sample("e12-own.obf", 4);
    check_sample("e14-own.obf", 10);
    check_sample("e15-edax.obf", 60);
    check_sample("e16-own.obf", 20);
}

#[test]
fn passes_and_finished_games() {
    check_sample("pass-own.obf", 1);
    let mut searcher = Searcher::new(Arc::new(Mobility), 1);
    for entry in read("over-own.obf") {
        let limits = Limits::solve(Goal::Score);
        let outcome = searcher.search(entry.placed.position, 0, &limits, &Stop::new());
        assert_eq!(Some(outcome.score), entry.best_score().map(Score::from_discs));
        assert_eq!((outcome.best, outcome.proof), (None, Proof::Exact));
    }
}

#[test]
fn every_move_has_its_score() {
    let mut searcher = Searcher::new(Arc::new(Mobility), 16);
    for name in ["e05-edax.obf", "e08-own.obf", "e10-edax.obf"] {
        for entry in read(name).iter().step_by(3) {
            let limits = Limits::solve(Goal::Score);
            let found = searcher.all_moves(entry.placed.position, &limits, &Stop::new());
            assert_eq!(found.len(), entry.moves.len());
            for each in found {
                let listed = entry.moves.iter().find(|&&(square, _)| square == each.square);
                assert_eq!(listed.map(|&(_, value)| Score::from_discs(value)), Some(each.score));
            }
        }
    }
}

#[test]
fn a_turned_board_has_the_same_score() {
    let mut searcher = Searcher::new(Arc::new(Mobility), 16);
    for (name, step) in [("e12-own.obf", 20), ("pass-own.obf", 9), ("e10-edax.obf", 40)] {
        for entry in read(name).iter().step_by(step) {
            let Position { mover, opponent } = entry.placed.position;
            for symmetry in Symmetry::all() {
                let turned =
                    Position { mover: symmetry.bits(mover), opponent: symmetry.bits(opponent) };
                check(&mut searcher, turned, entry);
            }
        }
    }
}
