//! What growth would search first: `rosebill grow --dry-run`.

use serde::Serialize;

use super::report::{PlanJson, plan_text};
use crate::app::{Candidate, GrowOptions, next_leaves, plan_raise};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::Interrupt;
use crate::faces::cli::table::Table;
use crate::faces::figures::signed;
use crate::faces::render::json::PositionJson;
use crate::othello::board::{Placed, Side};
use crate::othello::eval::PatternEvaluator;
use crate::othello::search::Level;

/// How many are listed.
const LISTED: usize = 20;

#[derive(Serialize)]
struct CandidateJson {
    line: Option<String>,
    reason: &'static str,
    black_regret: f64,
    white_regret: f64,
    priority: Option<f64>,
    guess: Option<f64>,
    position: PositionJson,
}

impl From<&Candidate> for CandidateJson {
    fn from(candidate: &Candidate) -> Self {
        let discs = |centidiscs: i32| f64::from(centidiscs) / 100.0;
        let Candidate { leaf, target, guess, priority } = candidate;
        Self {
            line: target.line.as_ref().map(|_| target.to_string()),
            reason: leaf.reason.name(),
            black_regret: discs(leaf.regret.black),
            white_regret: discs(leaf.regret.white),
            priority: *priority,
            guess: guess.map(|guess| guess.discs()),
            position: Placed::black_to_move(target.position).into(),
        }
    }
}

pub(super) fn run(
    options: &GrowOptions,
    raise: Option<Level>,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    if let Some(level) = raise {
        let interrupt = Interrupt::listen()?;
        let evaluator = PatternEvaluator::embedded()?;
        let plan = plan_raise(&book, level, options, &evaluator, &interrupt.stop)?;
        match context.output.is_json() {
            true => context.output.object(&PlanJson::from(&plan))?,
            false => context.output.line(plan_text(&plan, Some(options.threads)))?,
        }
    }
    let candidates = next_leaves(&book, options, LISTED)?;
    if candidates.is_empty() {
        context.note("nothing is left to search within the bounds");
        return Ok(Status::NotFound);
    }
    if context.output.is_json() {
        for candidate in &candidates {
            context.output.object(&CandidateJson::from(candidate))?;
        }
        return Ok(Status::Done);
    }
    let mut table = Table::new(&["why", "black lost", "white lost", "guess", "position"]);
    for candidate in &candidates {
        let row = CandidateJson::from(candidate);
        table.row([
            row.reason.to_owned(),
            format!("{:.2}", row.black_regret),
            format!("{:.2}", row.white_regret),
            row.guess.map_or_else(String::new, |guess| signed(guess, 2)),
            match row.line {
                Some(line) if line.is_empty() => "start".to_owned(),
                Some(line) => line,
                None => candidate.target.position.board_text(Side::Black),
            },
        ]);
    }
    context.output.table(&table)?;
    Ok(Status::Done)
}
