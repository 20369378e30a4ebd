//! Arguments that are a position or an OBF file, and how answers about them are printed.

use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

use super::output::Output;
use super::place::Place;
use crate::board::Square;
use crate::ops::{Question, TaskResult, read_questions};
use crate::score::Score;
use crate::search::{Goal, Proof};

/// The questions that an argument asks: the positions of a file, or one position.
///
/// # Errors
/// When it is neither an OBF file nor a position.
pub fn questions(argument: &str) -> anyhow::Result<Vec<Question>> {
    let path = Path::new(argument);
    if path.is_file() {
        return Ok(read_questions(path)?);
    }
    if path.is_dir() {
        anyhow::bail!("{argument} is a folder: expected an OBF file or a position");
    }
    if argument.to_ascii_lowercase().ends_with(".obf") {
        anyhow::bail!("no file {argument}");
    }
    let place: Place = argument.parse().context("neither a file nor a position")?;
    Ok(vec![Question { index: 1, placed: place.placed, known: None }])
}

/// One line of JSON for a searched or solved position.
#[derive(Serialize)]
struct AnswerJson {
    index: usize,
    score: f64,
    #[serde(rename = "move")]
    best: Option<String>,
    depth: u8,
    selectivity: u8,
    proof: &'static str,
    line: String,
    nodes: u64,
    seconds: f64,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correct: Option<bool>,
}

/// Prints answers as they come and adds them up.
#[derive(Default)]
pub struct Answers {
    count: usize,
    nodes: u64,
    seconds: f64,
    checked: usize,
    wrong: usize,
    titled: bool,
}

impl Answers {
    /// Prints one answer. A solved position of a file is compared with what the file says.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn print(
        &mut self,
        output: &mut Output,
        question: &Question,
        result: &TaskResult,
        goal: Goal,
    ) -> anyhow::Result<()> {
        let outcome = &result.outcome;
        self.count += 1;
        self.nodes += outcome.nodes;
        self.seconds += result.seconds;
        let expected = question.known.as_ref().and_then(|known| known.best_score());
        let proven = outcome.proof != Proof::None;
        let correct = expected
            .filter(|_| proven)
            .map(|expected| is_right(question, expected, outcome.score, outcome.best, goal));
        self.checked += usize::from(correct.is_some());
        self.wrong += usize::from(correct == Some(false));
        if output.is_json() {
            output.object(&AnswerJson {
                index: question.index,
                score: outcome.score.discs(),
                best: outcome.best.map(|square| square.to_string()),
                depth: outcome.depth,
                selectivity: outcome.selectivity.percent(),
                proof: outcome.proof.name(),
                line: outcome.line.iter().map(ToString::to_string).collect(),
                nodes: outcome.nodes,
                seconds: result.seconds,
                complete: outcome.complete,
                expected,
                correct,
            })?;
        } else {
            if !self.titled {
                self.titled = true;
                output.line(format_args!(
                    "{:>4} {:>7} {:>9}  {:<4} {:>8} {:>14} {:>9}  line",
                    "#", "empties", "depth", "move", "score", "nodes", "seconds"
                ))?;
            }
            let depth = format!("{}@{}%", outcome.depth, outcome.selectivity.percent());
            let line: String = outcome.line.iter().take(10).map(ToString::to_string).collect();
            let verdict = match (correct, expected) {
                (Some(false), Some(expected)) => format!("  WRONG, expected {expected:+}"),
                _ if !outcome.complete => "  stopped early".to_owned(),
                _ => String::new(),
            };
            output.line(format_args!(
                "{:>4} {:>7} {:>9}  {:<4} {:>8} {:>14} {:>9.3}  {line}{verdict}",
                question.index,
                question.placed.position.empties(),
                depth,
                outcome.best.map_or_else(|| "--".to_owned(), |square| square.to_string()),
                outcome.score.to_string(),
                outcome.nodes,
                result.seconds,
            ))?;
        }
        output.flush()?;
        Ok(())
    }

    /// Prints the sums; true when no answer contradicts its file.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn finish(&self, output: &mut Output) -> anyhow::Result<bool> {
        if !output.is_json() && self.count > 1 {
            let speed = self.nodes as f64 / self.seconds.max(1e-9) / 1e6;
            output.line(format_args!(
                "{} positions, {} nodes, {:.3} CPU seconds, {speed:.1} million nodes a second",
                self.count, self.nodes, self.seconds
            ))?;
            if self.checked > 0 {
                output.line(format_args!(
                    "{} of {} checked against the file are right",
                    self.checked - self.wrong,
                    self.checked
                ))?;
            }
        }
        Ok(self.wrong == 0)
    }
}

/// Whether a solved score, and the move that it came with, are what the file says.
pub fn is_right(
    question: &Question,
    expected: i8,
    score: Score,
    best: Option<Square>,
    goal: Goal,
) -> bool {
    let same = |found: Score, known: i8| match goal {
        Goal::Score => found == Score::from_discs(known),
        Goal::WinLossDraw => found.centidiscs().signum() == i16::from(known.signum()),
    };
    let listed = question.known.as_ref().and_then(|known| {
        let mut moves = known.moves.iter();
        moves.find(|(square, _)| Some(*square) == best).map(|&(_, score)| score)
    });
    same(score, expected) && listed.is_none_or(|listed| same(score, listed))
}
