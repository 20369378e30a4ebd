//! Games to learn from.

use std::path::{Path, PathBuf};

use super::TrainError;
use crate::files::games::wthor::read_games;
use crate::othello::eval::train::{Labeller, TrainingGame, is_game_file, read_own_games};

/// Reads games: WTHOR files, all of those in folders in the order of their names, and files of games
/// of our own.
pub(crate) fn read_training_games(paths: &[PathBuf]) -> Result<Vec<TrainingGame>, TrainError> {
    let mut games = Vec::new();
    for path in game_files(paths)? {
        if is_game_file(&path) {
            let own = read_own_games(&path);
            let own = own.map_err(|source| TrainError::Io { path: path.clone(), source })?;
            games.extend(own.into_iter().map(TrainingGame::from));
            continue;
        }
        let bytes =
            std::fs::read(&path).map_err(|source| TrainError::Io { path: path.clone(), source })?;
        let file = read_games(&bytes).map_err(|source| TrainError::Games { path, source })?;
        games.extend(file.games.into_iter().map(|game| {
            TrainingGame {
                theory: game
                    .theory(file.theory_empties)
                    .filter(|_| file.theory_empties == Labeller::THEORY_EMPTIES),
                moves: game.moves,
                own: None,
            }
        }));
    }
    Ok(games)
}

fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, TrainError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |source| TrainError::Io { path: path.clone(), source };
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if has_ending(&file, "wtb") {
                inside.push(file);
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

pub(super) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}
