//! `rosebill lab bench solve`, `rosebill lab bench search` and `rosebill lab bench eval`.

use crate::app::amounts::{numbers, within};
use crate::app::read_questions;
use crate::faces::cli::answers::is_right;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::lab::bench::{TimedSearch, midgame_positions, time_evaluations, time_search};
use crate::othello::board::Position;
use crate::othello::eval::{AnyEvaluator, Evaluator, PatternEvaluator, by_name};
use crate::othello::search::{Goal, Limits, MoveOrdering, Outcome, Proof, Searcher, Selectivity};
use anyhow::bail;
use clap::Args;
use serde_json::json;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

/// What searches.
#[derive(Args, Debug)]
struct SearcherArguments {
    /// Memory for the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = within::<u32>(1..=1 << 20))]
    table: u32,
    /// Threads that search each position together
    #[arg(long, default_value_t = 1, value_parser = within::<u16>(1..=1024))]
    threads: u16,
    /// How moves are sorted: rosebill, or quick, by the kind of square alone, to compare nodes
    #[arg(long, default_value = "rosebill")]
    ordering: MoveOrdering,
    /// A weights file instead of the evaluator inside
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// Arguments of `lab bench solve`.
#[derive(Args, Debug)]
pub struct SolveArguments {
    /// Positions (OBF), such as the FFO suite
    file: PathBuf,
    /// Only these positions of the file, counted from 1: 3, 3-10, 3- or -10
    #[arg(long, value_name = "N-N", value_parser = numbers)]
    numbers: Option<RangeInclusive<usize>>,
    /// Find out only which side wins
    #[arg(long)]
    wld: bool,
    #[command(flatten)]
    searcher: SearcherArguments,
}

/// Arguments of `lab bench search`.
#[derive(Args, Debug)]
pub struct SearchArguments {
    /// Plies to look ahead
    #[arg(long, default_value_t = 20, value_parser = within::<u8>(0..=60))]
    depth: u8,
    /// Confidence in percent: 73, 87, 95, 98, 99 or 100
    #[arg(long, default_value = "73")]
    selectivity: Selectivity,
    /// How many of the ten positions
    #[arg(long, default_value_t = 10, value_parser = within::<u8>(1..=10))]
    positions: u8,
    #[command(flatten)]
    searcher: SearcherArguments,
}

/// Arguments of `lab bench eval`.
#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab bench eval --depth 6")]
pub struct EvalArguments {
    /// Plies from each of the ten positions whose tree is evaluated
    #[arg(long, default_value_t = 6, value_parser = within::<u32>(0..=10))]
    depth: u32,
    /// Evaluators: names or weights files
    #[arg(long, num_args = 1.., default_values = ["rosebill"], value_name = "NAME")]
    evaluator: Vec<String>,
}

#[derive(Default)]
struct Total {
    nodes: u64,
    seconds: f64,
    elapsed: f64,
    wrong: usize,
    count: usize,
}

impl Total {
    fn add(
        &mut self,
        bench: &str,
        name: &str,
        timed: &TimedSearch,
        right: Option<bool>,
        context: &mut Context,
    ) -> anyhow::Result<()> {
        let TimedSearch { outcome, seconds, elapsed } = timed;
        self.count += 1;
        self.nodes += outcome.nodes;
        self.seconds += seconds;
        self.elapsed += elapsed;
        self.wrong += usize::from(right == Some(false));
        let best = outcome.best.map(|square| square.to_string()).unwrap_or_default();
        let speed = outcome.nodes as f64 / seconds.max(1e-9);
        if context.output.is_json() {
            context.output.object(&json!({
                "bench": bench,
                "position": name,
                "score": outcome.score.discs(),
                "value": outcome.value.discs(),
                "proof": outcome.proof.name(),
                "move": best,
                "right": right,
                "nodes": outcome.nodes,
                "seconds": seconds,
                "elapsed": elapsed,
                "nodes_per_second": speed,
            }))?;
        } else {
            let verdict = if right == Some(false) { "  WRONG" } else { "" };
            context.output.line(format_args!(
                "{name:<22} {best:>4} {:>7} {:>14} {seconds:>9.3} {elapsed:>9.3} {:>8.1}{verdict}",
                value_text(outcome),
                outcome.nodes,
                speed / 1e6
            ))?;
        }
        Ok(context.output.flush()?)
    }

    fn finish(&self, bench: &str, context: &mut Context) -> anyhow::Result<Status> {
        let speed = self.nodes as f64 / self.seconds.max(1e-9);
        if context.output.is_json() {
            context.output.object(&json!({
                "bench": bench,
                "position": "all",
                "wrong": self.wrong,
                "nodes": self.nodes,
                "seconds": self.seconds,
                "elapsed": self.elapsed,
                "nodes_per_second": speed,
            }))?;
        } else {
            context.output.line(format_args!(
                "{:<22} {:>4} {:>7} {:>14} {:>9.3} {:>9.3} {:>8.1}",
                "all",
                "",
                "",
                self.nodes,
                self.seconds,
                self.elapsed,
                speed / 1e6
            ))?;
        }
        Ok(if self.wrong == 0 { Status::Done } else { Status::NotFound })
    }
}

/// What was found: only the winner, where no more is proven.
fn value_text(outcome: &Outcome) -> String {
    match outcome.proof {
        Proof::None | Proof::Exact => outcome.value.to_string(),
        proof => proof.name().to_owned(),
    }
}

impl SearcherArguments {
    fn searcher(&self) -> anyhow::Result<Searcher<PatternEvaluator>> {
        let evaluator = match &self.weights {
            Some(file) => Arc::new(PatternEvaluator::from_file(file)?),
            None => PatternEvaluator::embedded()?,
        };
        let searcher = Searcher::new(evaluator, self.table as usize);
        Ok(searcher.on_threads(usize::from(self.threads)).with_ordering(self.ordering))
    }
}

fn head(context: &mut Context) -> anyhow::Result<()> {
    if !context.output.is_json() {
        context.output.line(format_args!(
            "{:<22} {:>4} {:>7} {:>14} {:>9} {:>9} {:>8}",
            "position", "move", "value", "nodes", "seconds", "elapsed", "Mnodes/s"
        ))?;
    }
    Ok(())
}

pub(super) fn run_solve(
    arguments: &SolveArguments,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let questions = read_questions(&arguments.file)?;
    let mut searcher = arguments.searcher.searcher()?;
    let goal = if arguments.wld { Goal::WinLossDraw } else { Goal::Score };
    let mut total = Total::default();
    head(context)?;
    let is_asked = |index| arguments.numbers.as_ref().is_none_or(|range| range.contains(&index));
    for question in questions.iter().filter(|question| is_asked(question.index)) {
        let position = question.placed.position;
        let timed = time_search(&mut searcher, position, &Limits::solve(goal));
        let known = question.known.as_ref().and_then(|known| known.best_score());
        let right = known.map(|known| {
            let found = &timed.outcome;
            is_right(question, known, found.score, found.best, goal)
        });
        let name = format!("{} ({} empties)", question.index, position.empties());
        total.add("solve", &name, &timed, right, context)?;
    }
    if total.count == 0 {
        let file = arguments.file.display();
        let held = questions.len();
        bail!("{file} holds {held} positions: expected --numbers within 1-{held}");
    }
    total.finish("solve", context)
}

pub(super) fn run_search(
    arguments: &SearchArguments,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let mut searcher = arguments.searcher.searcher()?;
    let limits = Limits::depth(arguments.depth, arguments.selectivity);
    let mut total = Total::default();
    head(context)?;
    for (line, placed) in midgame_positions().into_iter().take(arguments.positions.into()) {
        let timed = time_search(&mut searcher, placed.position, &limits);
        let name = if line.is_empty() { "start" } else { line };
        total.add("search", name, &timed, None, context)?;
    }
    total.finish("search", context)
}

pub(super) fn run_eval(arguments: &EvalArguments, context: &mut Context) -> anyhow::Result<Status> {
    let positions: Vec<Position> =
        midgame_positions().iter().map(|(_, placed)| placed.position).collect();
    for name in &arguments.evaluator {
        match by_name(name)? {
            AnyEvaluator::Pattern(evaluator) => {
                bench_eval(&*evaluator, &positions, arguments.depth, context)?;
            }
            AnyEvaluator::Plain(evaluator) => {
                bench_eval(&*evaluator, &positions, arguments.depth, context)?;
            }
        }
    }
    Ok(Status::Done)
}

fn bench_eval<E: Evaluator>(
    evaluator: &E,
    positions: &[Position],
    depth: u32,
    context: &mut Context,
) -> anyhow::Result<()> {
    let title = evaluator.name();
    context.note(&title);
    // The tables of the stages are laid out when they are first used: that is not to be timed.
    time_evaluations(evaluator, positions, depth, false);
    for (name, incremental) in [("incremental", true), ("from scratch", false)] {
        let timed = time_evaluations(evaluator, positions, depth, incremental);
        let speed = timed.count as f64 / timed.seconds.max(1e-9);
        if context.output.is_json() {
            context.output.object(&json!({
                "bench": "eval",
                "evaluator": title,
                "state": name,
                "nodes": timed.count,
                "seconds": timed.seconds,
                "nodes_per_second": speed,
                "sum": timed.sum,
            }))?;
        } else {
            context.output.line(format_args!(
                "{name:<12} {:>12} positions {:>9.3} s {:>8.1} million/s, sum {}",
                timed.count,
                timed.seconds,
                speed / 1e6,
                timed.sum
            ))?;
        }
    }
    Ok(())
}
