//! `rosebill search`.

mod static_value;

use crate::app::Task;
use crate::app::amounts::{whole, within};
use crate::faces::cli::answers::Answers;
use crate::faces::cli::asked::questions;
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::parse_duration;
use crate::faces::cli::engine::EngineArguments;
use crate::faces::cli::exit::Status;
use crate::faces::cli::place::Positions;
use crate::othello::search::{Goal, Level, Limits, Selectivity};
use std::ffi::OsString;
use std::time::Duration;

/// Arguments of `search`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill search f5d6c3d3c4 --depth 16 --selectivity 73\n          \
    rosebill search f5d6 --all-moves\n          rosebill search f5d6c3d3c4 --static\n\n\
    'value' is the best estimate. With --json, 'score' is the raw result of the last search; unless the position is solved, 'value' \
    averages the last two depths and is scaled away from 0 \
    to match observed results. For a file, lines of play are cut \
    at the terminal's width; in a pipe and with --json they are whole. With --all-moves, time and nodes are for all moves of a position together."
)]
pub struct Arguments {
    /// A line such as f5 d6 c3, an opening's name, a board, or a file with
    /// one of them on each line, such as OBF, or one board drawn in it (- for standard input)
    #[arg(required = true, value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// Level 0 to 60: fixes depth and selectivity for each number of empties [default: 16, a fraction of a
    /// second; with --time or --nodes alone, as deep as they allow]
    #[arg(long, conflicts_with_all = ["depth", "selectivity"])]
    level: Option<Level>,
    /// Plies to look ahead
    #[arg(long, value_parser = within::<u8>(0..=60))]
    depth: Option<u8>,
    /// With --depth: selectivity in percent, 73, 87, 95, 98, 99 or 100 (full width) [default: 100]
    #[arg(long, requires = "depth")]
    selectivity: Option<Selectivity>,
    /// The longest time for each position, such as 500ms, 10s or 2m
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// The most nodes for each position
    #[arg(long, value_parser = whole)]
    nodes: Option<u64>,
    /// Print the value that the evaluator gives without any search, in discs for the side to move, and its parts
    #[arg(long = "static", conflicts_with_all = [
        "level", "depth", "selectivity", "time", "nodes", "all_moves"
    ])]
    is_static: bool,
    #[command(flatten)]
    engine: EngineArguments,
}

const DEFAULT_LEVEL: u8 = 16;

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let positions = Positions::read(&arguments.position, context)?;
    if arguments.is_static {
        return static_value::run(&positions, &arguments.engine.evaluator()?, context);
    }
    let questions = questions(&positions);
    let engine = arguments.engine.engine(context)?;
    let mut answers = Answers::of(questions.len(), context.quiet);
    let output = &mut context.output;
    let finished = engine.answer(
        &questions,
        |question| Task::Limits(arguments.limits(question.placed.position.empties())),
        |question, answer| answers.hear(output, question, answer, Goal::Score),
    )?;
    answers.finish(output)?;
    if !finished {
        return Ok(Status::Interrupted);
    }
    Ok(positions.ended(Status::Done))
}

impl Arguments {
    fn limits(&self, empties: u8) -> Limits {
        let level = self.level.or(Level::new(DEFAULT_LEVEL)).unwrap_or(Level::MAX);
        let mut limits = match self.depth {
            Some(depth) => Limits::depth(depth, self.selectivity.unwrap_or_default()),
            // With only time or nodes as the limit, the depth has none.
            None if self.level.is_none() && (self.time.is_some() || self.nodes.is_some()) => {
                Limits::solve(Goal::Score)
            }
            None => Limits::level(level, empties),
        };
        limits.time = self.time;
        limits.nodes = self.nodes;
        limits
    }
}
