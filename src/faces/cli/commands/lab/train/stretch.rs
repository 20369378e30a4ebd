//! `rosebill lab train stretch`.

use super::prepare::Means;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::lab::train::{StretchRequest, keep_weights, measure_stretch};
use crate::othello::search::Stop;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill lab train stretch solved.labels --out new.weights")]
pub struct StretchArguments {
    #[command(flatten)]
    request: StretchRequest,
    /// Where the weights go with their stretch; without it, it is only measured
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    with: Means,
}

pub(super) fn run_stretch(
    arguments: &StretchArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = &arguments.request;
    let evaluator = arguments.with.evaluator()?;
    let weights = evaluator.weights();
    let pool = arguments.with.pool(context)?;
    let (stretch, cells) = pool.install(|| measure_stretch(request, weights, stop))?;
    if context.output.is_json() {
        cells.iter().try_for_each(|cell| context.output.object(cell))?;
        context.output.object(&stretch)?;
    } else {
        let mut table = Table::new(&["left", "value", "searches", "further", "still further"]);
        for cell in &cells {
            table.row([
                format!("{}-{}", cell.from_left, cell.to_left),
                format!("{}-{}", cell.from, cell.below),
                cell.searches.to_string(),
                format!("{:+.2}", cell.further),
                format!("{:+.2}", cell.further_than_stretched),
            ]);
        }
        context.output.table(&table)?;
        let most = stretch.most.iter().map(|(left, most)| format!("{left}:{most}"));
        context.output.line(format_args!(
            "\nfrom {} to {} centidiscs; most by empty squares left: {}",
            stretch.from,
            stretch.full,
            most.collect::<Vec<_>>().join(" ")
        ))?;
    }
    if let Some(out) = &arguments.out {
        keep_weights(&weights.clone().with_stretch(Some(stretch)), out)?;
        context.note(format_args!("stretched weights in {}", out.display()));
    }
    Ok(Status::Done)
}
