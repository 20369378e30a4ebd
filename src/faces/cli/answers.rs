//! How answers about searched and solved positions are printed.

use std::fmt::Write as _;

use super::duration::show_duration;
use super::output::Output;
use super::progress::Progress;
use crate::app::json::{moves_text, object, thousandths};
use crate::app::{Answer, Question, TaskProgress, TaskResult};
use crate::files::counted::{counted, grouped};
use crate::othello::board::Square;
use crate::othello::score::Score;
use crate::othello::search::{Goal, MoveScore, Outcome, Proof, Selectivity};

/// Columns before the line of play.
const BEFORE_THE_LINE: usize = 59;

/// Columns before it where it has lines of its own, since there is no room beside the rest.
const BEFORE_ITS_OWN_LINE: usize = 13;

/// The fewest moves for which there is room beside the rest.
const FEWEST_BESIDE: usize = 8;

/// What a row of the table says of one move.
struct Row<'a> {
    square: Option<Square>,
    /// None where only the winner was asked for, and nothing more is known.
    value: Option<Score>,
    proof: Proof,
    depth: u8,
    selectivity: Selectivity,
    nodes: u64,
    line: &'a [Square],
}

impl<'a> Row<'a> {
    fn of(outcome: &'a Outcome, goal: Goal) -> Self {
        let Outcome { best, value, proof, depth, selectivity, nodes, .. } = *outcome;
        let value = known_value(value, proof, goal);
        Self { square: best, value, proof, depth, selectivity, nodes, line: &outcome.line }
    }

    fn of_move(found: &'a MoveScore, goal: Goal) -> Self {
        let MoveScore { square, value, proof, depth, selectivity, nodes, .. } = *found;
        let value = known_value(value, proof, goal);
        Self { square: Some(square), value, proof, depth, selectivity, nodes, line: &found.line }
    }

    /// With what only the first row of a position says, in lines that are no longer than `width`: the line
    /// of play is cut or folded.
    fn text(
        &self,
        [index, empties, seconds]: [&str; 3],
        is_cut: bool,
        width: Option<usize>,
    ) -> String {
        let depth = match self.proof {
            Proof::None => format!("{}@{}%", self.depth, self.selectivity.percent()),
            proof => proof.name().to_owned(),
        };
        let square = self.square.map_or_else(|| "--".to_owned(), |square| square.to_string());
        let value = self.value.map_or_else(String::new, |value| value.to_string());
        let nodes = grouped(self.nodes);
        let mut text = format!(
            "{index:>4} {empties:>7} {depth:>8} {square:<4} {value:>6} {nodes:>14} {seconds:>8}  "
        );
        let beside = width.map_or(usize::MAX, |width| width.saturating_sub(BEFORE_THE_LINE) / 2);
        let (room, before) = match width {
            Some(width) if beside < FEWEST_BESIDE => {
                text.truncate(text.trim_end().len());
                let _ = write!(text, "\n{:BEFORE_ITS_OWN_LINE$}", "");
                let room = width.saturating_sub(BEFORE_ITS_OWN_LINE) / 2;
                (room.max(FEWEST_BESIDE), BEFORE_ITS_OWN_LINE)
            }
            _ => (beside, BEFORE_THE_LINE),
        };
        if is_cut && self.line.len() > room {
            text += &moves_text(&self.line[..room - 1]);
            text += "..";
            return text;
        }
        for (row, moves) in self.line.chunks(room).enumerate() {
            if row > 0 {
                let _ = write!(text, "\n{:before$}", "");
            }
            text += &moves_text(moves);
        }
        text.trim_end().to_owned()
    }
}

/// A value that is a result; where only the winner was asked for, a size is an estimate.
fn known_value(value: Score, proof: Proof, goal: Goal) -> Option<Score> {
    let is_result = matches!(proof, Proof::None | Proof::Exact) || goal != Goal::WinLossDraw;
    is_result.then_some(value)
}

/// How far a search has come, in parts that a line is made of.
fn parts(reached: &TaskProgress) -> Vec<String> {
    let TaskProgress { nodes, time, found, bounds, moves } = reached;
    let mut parts = Vec::new();
    if let Some(Outcome { depth, selectivity, best, value, .. }) = found {
        parts.push(format!("depth {depth}@{}%", selectivity.percent()));
        let best = best.map_or_else(String::new, |best| format!("{best} "));
        parts.push(format!("{best}{value}"));
    }
    if let Some((lower, upper)) = bounds {
        parts.push(format!("proven {lower} to {upper}"));
    }
    if *moves > 0 {
        parts.push(counted(*moves as u64, "move").to_string() + " searched");
    }
    let speed = *nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    parts.push(format!("{} nodes, {speed:.1} million nodes/s", grouped(*nodes)));
    parts.push(show_duration(*time));
    parts
}

/// Prints answers as they come and adds them up.
#[derive(Default)]
pub struct Answers {
    /// How many positions there are; of more than one, lines of play are cut in the table.
    of: usize,
    count: usize,
    nodes: u64,
    seconds: f64,
    checked: usize,
    wrong: usize,
    titled: bool,
    quiet: bool,
    progress: Option<Progress>,
    /// What is known of a single position while it is searched: printed if that is interrupted.
    so_far: Option<(Question, TaskResult)>,
}

impl Answers {
    /// For so many positions.
    pub fn of(positions: usize, quiet: bool) -> Self {
        Self { of: positions, quiet, ..Self::default() }
    }

    /// Prints an answer, or shows how far its search has come.
    pub fn hear(
        &mut self,
        output: &mut Output,
        question: &Question,
        answer: Answer,
        goal: Goal,
    ) -> anyhow::Result<()> {
        match answer {
            Answer::Found(result) => {
                (self.progress, self.so_far) = (None, None);
                self.count += 1;
                self.nodes += result.outcome.nodes;
                self.seconds += result.seconds;
                self.print(output, question, &result, goal)
            }
            Answer::Searching(reached) => {
                // Behind a pass it would be the other side's.
                let is_kept = self.of == 1 && question.placed.position.can_move();
                if let Some(outcome) = reached.found.clone().filter(|_| is_kept) {
                    let outcome = Outcome { nodes: reached.nodes, complete: false, ..outcome };
                    let seconds = reached.time.as_secs_f64();
                    let result = TaskResult { outcome, moves: Vec::new(), seconds };
                    self.so_far = Some((question.clone(), result));
                }
                let number = (self.of > 1).then(|| format!("position {}", question.index));
                let quiet = self.quiet;
                let progress = self.progress.get_or_insert_with(|| Progress::new(quiet));
                progress.show(|| {
                    number.into_iter().chain(parts(&reached)).collect::<Vec<_>>().join(" | ")
                });
                Ok(())
            }
        }
    }

    /// Prints one answer. A solved position of a file is compared with what the file says.
    fn print(
        &mut self,
        output: &mut Output,
        question: &Question,
        result: &TaskResult,
        goal: Goal,
    ) -> anyhow::Result<()> {
        let outcome = &result.outcome;
        let expected = question.known.as_ref().and_then(|known| known.best_score());
        let proven = outcome.proof != Proof::None;
        let correct = expected
            .filter(|_| proven)
            .map(|expected| is_right(question, expected, outcome.score, outcome.best, goal));
        self.checked += usize::from(correct.is_some());
        self.wrong += usize::from(correct == Some(false));
        if output.is_json() {
            output.object(&object! {
                index: question.index,
                position: question.placed,
                score: outcome.score,
                value: outcome.value,
                best_move: outcome.best,
                depth: outcome.depth,
                selectivity: outcome.selectivity,
                proof: outcome.proof,
                best_line: moves_text(&outcome.line),
                nodes: outcome.nodes,
                seconds: thousandths(result.seconds),
                complete: outcome.complete,
                expected?: expected,
                correct?: correct,
                // Every legal move, best first, where that was asked for.
                moves?: Some(&result.moves).filter(|moves| !moves.is_empty()),
            })?;
        } else {
            self.print_rows(output, question, result, goal)?;
            if let (Some(false), Some(expected)) = (correct, expected) {
                output.line(format_args!("{:13}WRONG: the file says {expected:+}", ""))?;
            }
        }
        output.flush()?;
        Ok(())
    }

    fn print_rows(
        &mut self,
        output: &mut Output,
        question: &Question,
        result: &TaskResult,
        goal: Goal,
    ) -> anyhow::Result<()> {
        if !self.titled {
            self.titled = true;
            output.line(format_args!(
                "{:>4} {:>7} {:>8} {:<4} {:>6} {:>14} {:>8}  line of play",
                "#", "empties", "depth", "move", "value", "nodes", "seconds"
            ))?;
        }
        let index = question.index.to_string();
        let empties = question.placed.position.empties().to_string();
        let seconds = format!("{:.3}", result.seconds);
        let (first, others) = match result.moves.split_first() {
            Some((best, others)) => (Row::of_move(best, goal), others),
            None => (Row::of(&result.outcome, goal), &[][..]),
        };
        let width = output.width();
        output.line(first.text([&index, &empties, &seconds], self.of > 1, width))?;
        for found in others {
            output.line(Row::of_move(found, goal).text([""; 3], self.of > 1, width))?;
        }
        if !result.outcome.complete {
            output.line(format_args!("{:13}stopped early", ""))?;
        }
        Ok(())
    }

    /// Prints the sums, and where it was stopped; true when no answer contradicts its file.
    pub fn finish(&mut self, output: &mut Output) -> anyhow::Result<bool> {
        self.progress = None;
        if let Some((question, result)) = self.so_far.take() {
            self.print(output, &question, &result, Goal::Score)?;
        }
        if !output.is_json() && self.count > 1 {
            let speed = self.nodes as f64 / self.seconds.max(1e-9) / 1e6;
            output.line(format_args!(
                "{}, {}, {:.3} CPU seconds, {speed:.1} million nodes a second",
                counted(self.count as u64, "position"),
                counted(self.nodes, "node"),
                self.seconds
            ))?;
            if self.checked > 0 {
                output.line(format_args!(
                    "{} of {} checked against the file are right",
                    self.checked - self.wrong,
                    self.checked
                ))?;
            }
        }
        if self.count < self.of {
            if output.is_json() {
                let (positions, of) = (self.count, self.of);
                output.object(&object! { complete: false, positions, of })?;
            } else {
                let of = counted(self.of as u64, "position");
                output.line(format_args!("stopped after {} of {of}", self.count))?;
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::othello::board::Line;

    fn row(moves: &str, is_cut: bool, width: Option<usize>) -> String {
        let line: Line = moves.parse().unwrap();
        let line: Vec<Square> = line.squares().collect();
        let row = Row {
            square: line.first().copied(),
            value: Some(Score::from_centidiscs(-6350)),
            proof: Proof::None,
            depth: 60,
            selectivity: Selectivity::FULL,
            nodes: 12_345_678_901,
            line: &line,
        };
        row.text(["1000", "60", "1234.567"], is_cut, width)
    }

    #[test]
    fn rows_are_no_longer_than_a_terminal_is_wide() {
        let moves = "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6f3f6";
        for (width, before, in_a_row) in [(80, 59, 10), (75, 59, 8), (60, 13, 23), (40, 13, 13)] {
            let wrapped = row(moves, false, Some(width));
            let lines: Vec<&str> = wrapped.lines().collect();
            let of_moves = if before == 13 { &lines[1..] } else { &lines[..] };
            assert!(of_moves.iter().all(|line| line.len() <= width), "{wrapped}");
            let squares: String = of_moves.iter().filter_map(|line| line.get(before..)).collect();
            assert_eq!(squares, moves, "{wrapped}");
            assert_eq!(of_moves[0].len(), (before + 2 * in_a_row).min(before + moves.len()));
        }
        assert!(row(moves, false, None).ends_with(moves), "nothing is folded in a pipe");
        let cut = row(moves, true, Some(80));
        assert!(cut.len() <= 80 && cut.ends_with("f5d6c3d3c4f4c5b3c2.."), "{cut}");
        assert!(row(&moves[..20], true, Some(80)).ends_with(&moves[..20]));
    }

    #[test]
    fn how_far_a_search_has_come_is_a_line() {
        let began = TaskProgress {
            nodes: 12_300_000,
            time: Duration::from_secs(10),
            found: None,
            bounds: None,
            moves: 0,
        };
        assert_eq!(parts(&began).join(" | "), "12,300,000 nodes, 1.2 million nodes/s | 0:10");
        let found = Outcome {
            best: "f5".parse().ok(),
            score: Score::from_discs(2),
            value: Score::from_centidiscs(231),
            proof: Proof::None,
            depth: 24,
            selectivity: Selectivity::OURS[0],
            line: Vec::new(),
            nodes: 5,
            complete: false,
        };
        let bounds = Some((Score::from_discs(-2), Score::from_discs(8)));
        let reached = TaskProgress { found: Some(found), bounds, ..began.clone() };
        let text = parts(&reached).join(" | ");
        assert!(text.starts_with("depth 24@73% | f5 +2.31 | proven -2 to +8 | 12,3"), "{text}");
        assert_eq!(parts(&TaskProgress { moves: 3, ..began })[0], "3 moves searched");
    }
}
