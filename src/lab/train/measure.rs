//! Measuring an evaluator, or searches with it, against known values.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::TrainError;
use super::games::has_ending;
use crate::app::engine::Task;
use crate::othello::board::{Position, Square, parse_board, parse_obf};
use crate::othello::eval::train::{is_label_file, read_labels};
use crate::othello::eval::{AnyEvaluator, Explain};
use crate::othello::search::{AnySearcher, Stop, ThreadTime};
use crate::othello::whole_file::{LONGEST_LIST, read_text};

#[derive(Clone, Default, Debug)]
pub(crate) struct MeasureRequest {
    /// A file of OBF lines with scores, a table (`.csv`) with columns `board` and `value`, or labels of ours.
    pub positions: PathBuf,
    /// Search so far; the static value when none.
    pub task: Option<Task>,
    /// Judge what the last iteration scored, not the value that is made of the last two.
    pub last_iteration: bool,
    /// Take only every Nth position.
    pub every: usize,
    /// Leave out this many positions at the beginning: with every second one, 1 takes those that 0 does
    /// not.
    pub skip: usize,
    /// Only positions with so many empties.
    pub empties: Option<u8>,
}

/// How close values come to known ones, in discs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Accuracy {
    pub positions: u64,
    pub mean_absolute: f64,
    pub root_mean_square: f64,
    /// Mean of ours less known.
    pub bias: f64,
    /// Known against ours, by least squares: above 1 when ours are too close to zero.
    pub slope: f64,
    /// Ours against known: below 1 when ours are too close to zero. Noise of ours does not make it
    /// smaller, as it does the other one.
    pub slope_of_ours: f64,
    /// Share of the searches that chose a move of the best score, where scores of moves are known.
    pub best_move: Option<f64>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Processor time of all searches, in seconds.
    pub seconds: f64,
}

/// The accuracy on a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Measured {
    pub all: Accuracy,
    /// For each number of discs that it has positions with.
    pub by_discs: Vec<(u8, Accuracy)>,
}

/// What was said of a position.
#[derive(Clone, Copy, Default)]
struct Answer {
    /// In discs.
    value: f64,
    best: Option<Square>,
    nodes: u64,
    /// Processor time.
    seconds: f64,
}

pub(super) struct KnownPosition {
    pub position: Position,
    /// In discs.
    pub value: f64,
    best: Vec<Square>,
}

/// Measures one file.
pub(crate) fn measure_file(
    evaluator: &AnyEvaluator,
    request: &MeasureRequest,
    stop: &Stop,
) -> Result<Measured, TrainError> {
    let known: Vec<KnownPosition> = read_known(&request.positions)?
        .into_iter()
        .skip(request.skip)
        .step_by(request.every.max(1))
        .filter(|known| !known.position.is_over())
        .filter(|known| request.empties.is_none_or(|empties| known.position.empties() == empties))
        .collect();
    let values: Option<Vec<Answer>> = known
        .par_iter()
        .map_init(
            || AnySearcher::new(evaluator.clone(), 64),
            |searcher, known| {
                let position = known.position;
                let Some(task) = request.task else {
                    let value = evaluator.value(position).discs();
                    return Some(Answer { value, ..Answer::default() });
                };
                let started = ThreadTime::now();
                let limits = task.limits(position.empties());
                let outcome = searcher.search(position, 0, &limits, stop);
                let found = if request.last_iteration { outcome.score } else { outcome.value };
                let answer = Answer {
                    value: found.discs(),
                    best: outcome.best,
                    nodes: outcome.nodes,
                    seconds: started.seconds(),
                };
                (!stop.is_stopped()).then_some(answer)
            },
        )
        .collect();
    let all: Vec<_> = known.iter().zip(values.ok_or(TrainError::Stopped)?).collect();
    let by_discs = (0..=64_u8)
        .map(|discs| {
            let here = |(known, _): &&(&KnownPosition, Answer)| known.position.discs() == discs;
            (discs, accuracy(&all.iter().filter(here).copied().collect::<Vec<_>>()))
        })
        .filter(|(_, accuracy)| accuracy.positions > 0)
        .collect();
    Ok(Measured { all: accuracy(&all), by_discs })
}

fn accuracy(known: &[(&KnownPosition, Answer)]) -> Accuracy {
    let count = known.len() as f64;
    let mut sums = Accuracy { positions: known.len() as u64, ..Accuracy::default() };
    let (mut right, mut asked) = (0_u32, 0_u32);
    let mut moments = [0.0; 5];
    for &(known, Answer { value, best, nodes, seconds }) in known {
        let miss = value - known.value;
        sums.mean_absolute += miss.abs() / count;
        sums.root_mean_square += miss * miss / count;
        sums.bias += miss / count;
        sums.nodes += nodes;
        sums.seconds += seconds;
        let of_both =
            [value, known.value, value * value, value * known.value, known.value * known.value];
        for (moment, term) in moments.iter_mut().zip(of_both) {
            *moment += term / count;
        }
        if let Some(best) = best
            && !known.best.is_empty()
        {
            asked += 1;
            right += u32::from(known.best.contains(&best));
        }
    }
    let [ours, theirs, squares, products, their_squares] = moments;
    sums.root_mean_square = sums.root_mean_square.sqrt();
    sums.slope = (products - ours * theirs) / (squares - ours * ours);
    sums.slope_of_ours = (products - ours * theirs) / (their_squares - theirs * theirs);
    sums.best_move = (asked > 0).then(|| f64::from(right) / f64::from(asked));
    sums
}

pub(super) fn read_known(path: &Path) -> Result<Vec<KnownPosition>, TrainError> {
    if is_label_file(path) {
        let labels =
            read_labels(path).map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
        let known = labels.iter().map(|label| KnownPosition {
            position: label.key.position(),
            value: f64::from(label.centidiscs) / 100.0,
            best: Vec::new(),
        });
        return Ok(known.collect());
    }
    let text = read_text(path, LONGEST_LIST)
        .map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
    if has_ending(path, "csv") {
        return read_table(path, &text);
    }
    let lines = parse_obf(&text)
        .map_err(|source| TrainError::Positions { path: path.to_owned(), source })?;
    let known = lines.iter().filter_map(|line| {
        let score = line.best_score()?;
        let best = line.moves.iter().filter(|&&(_, each)| each == score);
        Some(KnownPosition {
            position: line.placed.position,
            value: f64::from(score),
            best: best.map(|&(square, _)| square).collect(),
        })
    });
    Ok(known.collect())
}

/// A table with the columns `board` (64 squares, X to move) and `value` (discs).
fn read_table(path: &Path, text: &str) -> Result<Vec<KnownPosition>, TrainError> {
    let failed =
        |line: usize, what: String| TrainError::Table { path: path.to_owned(), line, what };
    let mut lines = text.lines();
    let heads: Vec<_> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| heads.iter().position(|&head| head == name);
    let (Some(board), Some(value)) = (column("board"), column("value")) else {
        return Err(failed(1, "expected a heading with the columns board and value".to_owned()));
    };
    let read = |(index, line): (usize, &str)| {
        let fields: Vec<_> = line.split(',').collect();
        let field = |at: usize| fields.get(at).copied().unwrap_or_default();
        let placed = parse_board(&format!("{} X", field(board)))
            .map_err(|error| failed(index + 2, error.to_string()))?;
        let value =
            field(value).parse().ok().filter(|value: &f64| value.abs() <= 64.0).ok_or_else(
                || failed(index + 2, format!("'{}' is not a value in discs", field(value))),
            )?;
        Ok(KnownPosition { position: placed.position, value, best: Vec::new() })
    };
    lines.enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::search::{Goal, Limits};

    /// Noise of ours flattens the known values against ours, but not ours against the known values.
    #[test]
    fn both_slopes() {
        let known =
            |value: f64| KnownPosition { position: Position::START, value, best: Vec::new() };
        let values = [-4.0, -2.0, 0.0, 2.0, 4.0].map(known);
        let noise = [1.0, -2.0, 2.0, -2.0, 1.0];
        let found: Vec<_> = values
            .iter()
            .zip(noise)
            .map(|(known, noise)| {
                let value = 0.5 * known.value + noise;
                (known, Answer { value, ..Answer::default() })
            })
            .collect();
        let accuracy = accuracy(&found);
        assert!((accuracy.slope_of_ours - 0.5).abs() < 1e-9, "{accuracy:?}");
        assert!((accuracy.slope - 20.0 / 24.0).abs() < 1e-9, "{accuracy:?}");
    }

    #[test]
    fn a_search_to_the_end_is_exact() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.csv");
        let board = Position::START.squares_text(crate::othello::board::Side::Black);
        std::fs::write(&path, format!("board,empties,value\n{board},60,1.5\n")).unwrap();
        let evaluator = crate::othello::eval::by_name("rosebill").unwrap();
        let mut request =
            MeasureRequest { positions: path.clone(), every: 1, ..MeasureRequest::default() };
        let measured = measure_file(&evaluator, &request, &Stop::new()).unwrap();
        let accuracy = measured.all;
        assert_eq!((accuracy.positions, measured.by_discs.len()), (1, 1));
        assert!((accuracy.mean_absolute - accuracy.bias.abs()).abs() < 1e-9);
        std::fs::write(&path, format!("board,value\n{board},x\n")).unwrap();
        let message = measure_file(&evaluator, &request, &Stop::new()).unwrap_err().to_string();
        assert!(message.ends_with("known.csv, line 2: 'x' is not a value in discs"), "{message}");

        // FFO #20 and one of our own, with the scores of all moves that are best; one where a pass is
        // forced, and a finished game, which nothing is asked about.
        request.positions = folder.path().join("known.obf");
        let positions = "XXXO----XXXOOOX-XXXO-OOXXOOXXOXXX-OXOX-XX-OOXXXXXOOXXXXXOOOO-OOO X; e1:+2;\n\
                         XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; h5:+6;\n\
                         -XXXXXXXOXOOOXOXXXXOOOOXXXOXOOOXOOXOXOOXOXXXOXOXXXXXXOXXXXXXXXXX O; PS:-22;\n\
                         OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO--OOOOOO---O-OOO-----OOO-----O-O X; --:-64;\n";
        std::fs::write(&request.positions, positions).unwrap();
        request.task = Some(Task::Limits(Limits::solve(Goal::Score)));
        let accuracy = measure_file(&evaluator, &request, &Stop::new()).unwrap().all;
        assert_eq!((accuracy.mean_absolute, accuracy.best_move), (0.0, Some(1.0)));
        assert_eq!(accuracy.positions, 3);
    }
}
