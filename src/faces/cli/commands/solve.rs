//! `rosebill solve`.

use std::ffi::OsString;
use std::ops::RangeInclusive;

use anyhow::bail;

use crate::app::amounts::numbers;
use crate::app::{Question, Task};
use crate::faces::cli::answers::Answers;
use crate::faces::cli::asked::questions;
use crate::faces::cli::context::Context;
use crate::faces::cli::engine::EngineArguments;
use crate::faces::cli::exit::Status;
use crate::faces::cli::place::Positions;
use crate::faces::render::Command;
use crate::othello::search::{Goal, Limits};

/// Arguments of `solve`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill solve positions.obf --numbers 1-20\n\n\
    A file's own scores are compared with ours; the exit code is 1 when one differs. For a file, lines of play are \
    cut at the terminal's width; in a pipe and with --json they are whole. With --json, 'value' is the best \
    estimate and 'score' the raw result of the search; they are equal where it is exact.")]
pub struct Arguments {
    /// A line such as f5 d6 c3, an opening's name, a board, or a file with
    /// one of them on each line, such as OBF, or one board drawn in it (- for standard input)
    #[arg(required = true, value_name = "POSITION|FILE")]
    position: Vec<OsString>,
    /// Find out only which side wins: with --json 'value' and 'score' are estimates then, unless 'proof' is exact
    #[arg(long)]
    wld: bool,
    /// Only these positions of the file, counted from 1: 3, 3-10, 3- or -10
    #[arg(long, value_name = "N-N", value_parser = numbers)]
    numbers: Option<RangeInclusive<usize>>,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Beyond so many empties an exact result may take hours, and soon longer than can be waited for.
const MOST_EMPTIES: u8 = 34;

fn empties(question: &Question) -> u8 {
    question.placed.position.empties()
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let positions = Positions::read(&arguments.position, context)?;
    let questions = questions(&positions);
    let goal = if arguments.wld { Goal::WinLossDraw } else { Goal::Score };
    let task = Task::Limits(Limits::solve(goal));
    let engine = arguments.engine.engine(context)?;
    let count = questions.len();
    let is_asked = |index| arguments.numbers.as_ref().is_none_or(|range| range.contains(&index));
    let questions: Vec<_> = questions.into_iter().filter(|q| is_asked(q.index)).collect();
    if questions.is_empty() {
        bail!("no position is in this range: there are {count}");
    }
    let hardest = questions.iter().filter(|question| !question.placed.position.is_over());
    if let Some(longest) = hardest.max_by_key(|question| empties(question))
        && empties(longest) > MOST_EMPTIES
    {
        let which = if positions.are_listed {
            format!(" (position {})", longest.index)
        } else {
            String::new()
        };
        context.note(format_args!(
            "{} empties{which}: an exact result takes hours or never comes; a search says within seconds what \
             a position may be worth",
            empties(longest)
        ));
        context.hint(&[Command::new("search").of_no_book().with(["POSITION"])]);
    }
    let mut answers = Answers::of(questions.len(), context.quiet);
    let output = &mut context.output;
    let finished = engine.answer(
        &questions,
        |_| task,
        |question, answer| answers.hear(output, question, answer, goal),
    )?;
    let all_right = answers.finish(&mut context.output)?;
    if !finished {
        return Ok(Status::Interrupted);
    }
    Ok(positions.ended(if all_right { Status::Done } else { Status::NotFound }))
}
