//! What growth would search first: `rosebill grow --dry-run`.

use super::report::plan_text;
use crate::app::json::{discs, object};
use crate::app::{Candidate, GrowOptions, next_leaves, plan_raise};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::Interrupt;
use crate::faces::cli::table::Table;
use crate::faces::figures::signed;
use crate::othello::board::Placed;
use crate::othello::eval::PatternEvaluator;
use crate::othello::search::Level;

/// How many are listed.
const LISTED: usize = 20;

pub(super) fn run(
    options: &GrowOptions,
    raise: Option<Level>,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let book = context.book().read()?;
    if let Some(level) = raise {
        let interrupt = Interrupt::listen()?;
        let evaluator = PatternEvaluator::embedded()?;
        let plan = plan_raise(&book, level, options, &evaluator, &interrupt.stop)?;
        match context.output.is_json() {
            true => context.output.object(&plan)?,
            false => context.output.line(plan_text(&plan, Some(options.threads)))?,
        }
    }
    let candidates = next_leaves(&book, options, LISTED)?;
    if candidates.is_empty() {
        context.note("nothing is left to search within the limits");
        return Ok(Status::NotFound);
    }
    if context.output.is_json() {
        for Candidate { leaf, target, guess, priority } in &candidates {
            context.output.object(&object! {
                line: target.line.as_ref().map(|_| target.to_string()),
                reason: leaf.reason.name(),
                black_regret: discs(leaf.regret.black),
                white_regret: discs(leaf.regret.white),
                priority,
                guess,
                position: Placed::black_to_move(target.position),
            })?;
        }
        return Ok(Status::Done);
    }
    let mut table = Table::new(&["why", "black regret", "white regret", "guess", "position"]);
    for Candidate { leaf, target, guess, .. } in &candidates {
        table.row([
            leaf.reason.name().to_owned(),
            format!("{:.2}", discs(leaf.regret.black)),
            format!("{:.2}", discs(leaf.regret.white)),
            guess.map_or_else(String::new, |guess| signed(guess.discs(), 2)),
            match &target.line {
                Some(line) if line.is_empty() => "start".to_owned(),
                _ => target.to_string(),
            },
        ]);
    }
    context.output.table(&table)?;
    Ok(Status::Done)
}
