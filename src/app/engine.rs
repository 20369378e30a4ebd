//! The engine asked directly: searches and solves of single positions and of OBF files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::live_search::Ticks;
use super::whole_line::whole_line;
use crate::othello::board::{ObfError, ObfPosition, Placed, Square, parse_obf};
use crate::othello::score::Score;
use crate::othello::search::{
    AnySearcher, CpuTime, Level, Limits, MoveScore, Outcome, Progress, Proof, Selectivity, Stop,
    ThreadTime,
};
use crate::othello::whole_file::{LONGEST_LIST, read_whole};

/// Why a file of positions cannot be read.
#[derive(Debug, Error)]
pub(crate) enum EngineError {
    #[error("cannot read {path}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path}")]
    Obf { path: PathBuf, source: ObfError },
    #[error("{0} holds no position")]
    Empty(PathBuf),
}

/// A position to look at.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Its number in the file, from 1.
    pub index: usize,
    pub placed: Placed,
    /// What the file says of it.
    pub known: Option<ObfPosition>,
}

/// Reads an OBF file.
pub(crate) fn read_questions(path: &Path) -> Result<Vec<Question>, EngineError> {
    let bytes = read_whole(path, LONGEST_LIST)
        .map_err(|source| EngineError::Read { path: path.to_owned(), source })?;
    let positions = parse_obf(&String::from_utf8_lossy(&bytes))
        .map_err(|source| EngineError::Obf { path: path.to_owned(), source })?;
    if positions.is_empty() {
        return Err(EngineError::Empty(path.to_owned()));
    }
    let question = |(number, known): (usize, ObfPosition)| Question {
        index: number + 1,
        placed: known.placed,
        known: Some(known),
    };
    Ok(positions.into_iter().enumerate().map(question).collect())
}

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    /// What the level asks for at each position's number of empties.
    Level(Level),
    /// The same everywhere.
    Limits(Limits),
}

impl Task {
    /// The limits for a position with so many empties.
    pub(crate) fn limits(self, empties: u8) -> Limits {
        match self {
            Self::Level(level) => Limits::level(level, empties),
            Self::Limits(limits) => limits,
        }
    }
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub(crate) struct TaskResult {
    /// What the search found: with every move searched, what is known of the best.
    pub outcome: Outcome,
    /// Every legal move, best first, where that was asked for.
    pub moves: Vec<MoveScore>,
    /// Processor time, in seconds: of the thread, or of the program where it searches nothing else.
    pub seconds: f64,
}

/// How far the search of a position has come.
#[derive(Clone, Debug)]
pub(crate) struct TaskProgress {
    /// Positions visited.
    pub nodes: u64,
    /// Since it began.
    pub time: Duration,
    /// What the last iteration found, for the side that has a move.
    pub found: Option<Outcome>,
    /// What is proven of the result.
    pub bounds: Option<(Score, Score)>,
    /// How many moves were searched by themselves.
    pub moves: usize,
}

/// Searches one position, or with `every_move` each of its moves as if the others did not exist. An
/// exact score comes with its line to the end of the game where that is found without much work.
/// `alone` says that the program searches nothing else meanwhile. `each` hears twice a second how far it has come.
pub(crate) fn run_task(
    searcher: &mut AnySearcher,
    question: &Question,
    limits: &Limits,
    stop: &Stop,
    alone: bool,
    every_move: bool,
    mut each: impl FnMut(TaskProgress),
) -> TaskResult {
    let mut ticks = Ticks::start();
    let mut reached =
        TaskProgress { nodes: 0, time: Duration::ZERO, found: None, bounds: None, moves: 0 };
    let mut watch = |progress: Progress<'_>| match progress {
        Progress::Nodes(nodes) => {
            if let Some(time) = ticks.due() {
                each(TaskProgress { nodes, time, ..reached.clone() });
            }
        }
        Progress::Iteration(found) => reached.found = Some(found.clone()),
        Progress::Bounds(lower, upper) => reached.bounds = Some((lower, upper)),
        Progress::Move(_) => reached.moves += 1,
    };
    let (thread, program) = (ThreadTime::now(), CpuTime::now());
    let position = question.placed.position;
    // A side that must pass has no moves to compare.
    let (mut outcome, mut moves) = if every_move && position.can_move() {
        let moves = searcher.all_moves_watched(position, limits, stop, Some(&mut watch));
        (best_of(&moves), moves)
    } else {
        (searcher.search_watched(position, 0, limits, stop, Some(&mut watch)), Vec::new())
    };
    let seconds = if alone { program.seconds() } else { thread.seconds() };
    let mut whole = |score, proof, line: &mut Vec<Square>| {
        if proof == Proof::Exact {
            *line = whole_line(searcher, position, score, line, stop);
        }
    };
    for each in &mut moves {
        whole(each.score, each.proof, &mut each.line);
    }
    match moves.first() {
        Some(best) => outcome.line.clone_from(&best.line),
        None => whole(outcome.score, outcome.proof, &mut outcome.line),
    }
    TaskResult { outcome, moves, seconds }
}

/// What searches of every move say of the position: the best of them.
fn best_of(moves: &[MoveScore]) -> Outcome {
    let best = moves.first();
    Outcome {
        best: best.map(|best| best.square),
        score: best.map_or(Score::MIN, |best| best.score),
        value: best.map_or(Score::MIN, |best| best.value),
        proof: best.map_or(Proof::None, |best| best.proof),
        depth: best.map_or(0, |best| best.depth),
        selectivity: best.map_or(Selectivity::FULL, |best| best.selectivity),
        line: best.map_or_else(Vec::new, |best| best.line.clone()),
        nodes: moves.iter().map(|each| each.nodes).sum(),
        complete: moves.iter().all(|each| each.complete),
    }
}
