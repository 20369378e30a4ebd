//! `rosebill eval`.

use serde::Serialize;

use crate::cli::json::PositionJson;
use crate::cli::place::Place;
use crate::cli::table::Table;
use crate::cli::{Context, Status};
use crate::eval::{BoardReport, Explain, by_name};

/// Arguments of `eval`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill eval f5d6c3d3c4\n\n\
    The score is what the evaluator expects without looking ahead, in discs for the side to move.")]
pub struct Arguments {
    /// A line such as f5d6c3, or a board of 64 squares and the side to move
    #[arg(allow_hyphen_values = true)]
    position: Place,
    /// rosebill, zebra, ntest, squares, phases, edges, linear, or a weights file
    #[arg(long, default_value = "rosebill", value_name = "NAME")]
    evaluator: String,
}

#[derive(Serialize)]
struct EvalJson {
    position: PositionJson,
    evaluator: String,
    score: f64,
    components: Vec<ComponentJson>,
    board: BoardReport,
}

#[derive(Serialize)]
struct ComponentJson {
    name: String,
    score: f64,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let placed = arguments.position.placed;
    let evaluator = by_name(&arguments.evaluator)?;
    let score = evaluator.value(placed.position);
    let components = evaluator.components(placed.position);
    let report = BoardReport::of(placed.position);
    let output = &mut context.output;
    if output.is_json() {
        output.object(&EvalJson {
            position: placed.into(),
            evaluator: evaluator.title(),
            score: score.discs(),
            components: components
                .into_iter()
                .map(|(name, score)| ComponentJson { name, score })
                .collect(),
            board: report,
        })?;
        return Ok(Status::Done);
    }
    for line in crate::render::board_lines(placed, placed.position.legal_moves().0) {
        output.line(line)?;
    }
    output.line("")?;
    let mut table = Table::new(&["discs", "component"]);
    for (name, score) in components {
        table.row([format!("{score:+.2}"), name]);
    }
    output.line(table)?;
    output.line("")?;
    let mut table = Table::new(&["mover", "opponent", "difference", "on the board"]);
    for (both, name) in
        [(report.discs, "discs"), (report.mobility, "moves"), (report.stable_discs, "stable discs")]
    {
        table.row([
            both.mover.to_string(),
            both.opponent.to_string(),
            format!("{:+}", both.difference),
            name.to_owned(),
        ]);
    }
    output.line(table)?;
    output.line(format_args!("\n{score} for {}, by {}", placed.side, evaluator.title()))?;
    Ok(Status::Done)
}
