//! `rosebill train stretch`.

use std::path::PathBuf;

use clap::Args;

use super::prepare::{evaluator, pool};
use crate::faces::cli::amounts::{at_least, one_or_more, within};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::lab::train::{StretchRequest, keep_weights, measure_stretch};
use crate::othello::search::{Selectivity, Stop};

#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill train stretch solved.labels --out new.weights")]
pub struct StretchArguments {
    /// Files of positions with scores: OBF, CSV with columns board and value, or our own labels
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Weights to search with instead of the embedded ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Where the weights go with their stretch; without it, it is only measured
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Depths to search each position to
    #[arg(long, num_args = 1.., value_parser = within::<u8>(0..=60), default_values_t = [4, 6, 8, 10, 12])]
    depths: Vec<u8>,
    /// Confidence of the searches, percent
    #[arg(long, default_value = "73")]
    selectivity: Selectivity,
    /// Take every so many-th position
    #[arg(long, default_value_t = 1, value_parser = one_or_more)]
    every: usize,
    /// Leave out so many positions at the beginning of each file
    #[arg(long, default_value_t = 0, value_parser = at_least::<0, usize>)]
    skip: usize,
    /// Searches at once; the configuration's number when left out
    #[arg(long, value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

pub(super) fn run_stretch(
    arguments: &StretchArguments,
    stop: &Stop,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = StretchRequest {
        positions: arguments.positions.clone(),
        depths: arguments.depths.clone(),
        selectivity: arguments.selectivity,
        every: arguments.every,
        skip: arguments.skip,
    };
    let evaluator = evaluator(arguments.weights.as_deref())?;
    let weights = evaluator.weights();
    let pool = pool(context, arguments.threads)?;
    let (stretch, cells) = pool.install(|| measure_stretch(&request, weights, stop))?;
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
