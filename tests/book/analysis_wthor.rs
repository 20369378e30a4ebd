//! Analyses of tournament games.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rosebill::app::analysis::AnalysisOptions;
use rosebill::files::games::{self, Game, ReadOptions};
use rosebill::othello::eval::by_name;
use rosebill::othello::search::{AnySearcher, Goal, Level, Limits, Stop};

use crate::analysis::{analyse, assert_exact_losses_add_up, quick};

/// Where the WTHOR base is.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/wthor")
}

/// So many whole games, taken evenly from all years.
fn tournament_games(count: usize) -> Vec<Game> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "wtb"))
        .collect();
    files.sort();
    let mut all: Vec<Game> = Vec::new();
    for file in files {
        let reader = games::open(&file, &ReadOptions::default()).unwrap();
        all.extend(reader.filter_map(|read| Some(read.ok()?.game)));
    }
    all.retain(|game| game.black_discs.is_some());
    let step = (all.len() / count).max(1);
    all.into_iter().step_by(step).take(count).collect()
}

fn asked(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).map_or(otherwise, |value| value.parse().unwrap())
}

/// `ROSEBILL_GAMES` says how many (40; 200 take a quarter of a minute in release).
#[test]
#[ignore = "needs ../shared/data/wthor"]
fn exact_losses_of_tournament_games_add_up() {
    let games = tournament_games(asked("ROSEBILL_GAMES", 40));
    let options =
        AnalysisOptions { level: Level::new(1).unwrap(), exact_from: 16, threads: 2, ..quick() };
    let (analysed, summary) = analyse(None, &games, &options);
    assert_eq!(summary.games as usize, games.len());
    for game in &analysed {
        assert_exact_losses_add_up(game);
        let first_exact = game.exact_from().unwrap();
        assert!(
            game.moves[first_exact - 1].before.position.empties() >= 16,
            "{}",
            game.game.line()
        );
    }
    println!("{} games: all exact losses add up", analysed.len());
}

/// `ROSEBILL_GAMES` says how many (6, as each takes some seconds); wrong ones are told.
#[test]
#[ignore = "needs ../shared/data/wthor"]
fn theoretical_scores_are_met_by_solving() {
    let most = asked("ROSEBILL_MOST_EMPTIES", 24) as u8;
    let mut games = tournament_games(asked("ROSEBILL_GAMES", 6));
    games.retain(|game| game.theoretical.is_some_and(|known| known.empties <= most));
    let next = AtomicUsize::new(0);
    let wrong: Vec<(usize, String)> = std::thread::scope(|scope| {
        let search = || {
            let mut searcher = AnySearcher::new(by_name("rosebill").unwrap(), 64);
            let mut wrong = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(game) = games.get(index) else { break };
                let known = game.theoretical.unwrap();
                let line = game.line();
                let at = line.steps().iter().map(|step| step.before);
                let mut at = at.filter(|at| at.position.empties() == known.empties);
                // A game that ended before has no such position.
                let Some(placed) = at.next_back() else { continue };
                let limits = Limits::solve(Goal::Score);
                let outcome = searcher.search(placed.position, 0, &limits, &Stop::new());
                let score = match placed.side {
                    rosebill::othello::board::Side::Black => outcome.score,
                    rosebill::othello::board::Side::White => -outcome.score,
                };
                let discs = (i16::from(score.rounded_discs()) + 64) / 2;
                if discs != i16::from(known.black_discs) {
                    let told = format!(
                        "{:?} {}: {} empties, header {}, solved {discs}: {line}",
                        game.date, game.source, known.empties, known.black_discs
                    );
                    wrong.push((index, told));
                }
            }
            wrong
        };
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(search)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut by_empties = BTreeMap::new();
    for game in &games {
        *by_empties.entry(game.theoretical.unwrap().empties).or_insert(0) += 1;
    }
    for (_, told) in &wrong {
        println!("{told}");
    }
    println!("{} games {by_empties:?}, {} of the headers are wrong", games.len(), wrong.len());
    assert!(
        !games.is_empty() && wrong.len() * 20 <= games.len().max(20),
        "{} of {}",
        wrong.len(),
        games.len()
    );
}
