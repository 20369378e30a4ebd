//! `rosebill train network`.

use std::path::PathBuf;

use clap::Args;

use super::prepare::{evaluator, pool, print_error};
use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::cli::interrupt::stop_on_interrupt;
use crate::cli::progress::Progress;
use crate::eval::train::NetworkOptions;
use crate::eval::weights::Provenance;
use crate::ops::train::{NetworkRequest, NetworkStep, train_network};

#[derive(Args, Debug)]
#[command(
    after_help = "Example: rosebill train network --labels a.labels b.labels --out new.weights"
)]
pub struct NetworkArguments {
    /// Files of labelled positions; one that is given twice counts twice
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    labels: Vec<PathBuf>,
    /// Weights to correct instead of the embedded ones; a network that they have is made anew
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Where the weights go with their network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often every position is learned from
    #[arg(long, default_value_t = NetworkOptions::default().epochs)]
    epochs: u32,
    /// How far a number moves at each step at first
    #[arg(long, default_value_t = NetworkOptions::default().rate)]
    rate: f32,
    /// How strongly numbers are drawn to nought
    #[arg(long, default_value_t = NetworkOptions::default().decay)]
    decay: f32,
    /// Another seed begins with other numbers, and learns in another order
    #[arg(long, default_value_t = NetworkOptions::default().seed)]
    seed: u64,
    /// The date to note in the file, such as 2026-11-20
    #[arg(long, default_value = "")]
    date: String,
    /// Threads; the configuration's number when left out
    #[arg(long)]
    threads: Option<usize>,
}

pub(super) fn run_network(
    arguments: &NetworkArguments,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let request = NetworkRequest {
        labels: arguments.labels.clone(),
        options: NetworkOptions {
            epochs: arguments.epochs,
            rate: arguments.rate,
            decay: arguments.decay,
            seed: arguments.seed,
        },
    };
    let evaluator = evaluator(arguments.weights.as_deref())?;
    let stop = stop_on_interrupt()?;
    let mut progress = Progress::new(context.quiet);
    let weights = pool(context, arguments.threads)?.install(|| {
        train_network(&request, evaluator.weights(), &mut |step| {
            progress.show(|| told(step));
            !stop.is_stopped()
        })
    })?;
    drop(progress);
    let provenance = weights.provenance().clone();
    let weights =
        weights.with_provenance(Provenance { date: arguments.date.clone(), ..provenance });
    weights.write(&arguments.out)?;
    for error in &weights.provenance().errors {
        print_error(context, error)?;
    }
    let (name, checksum) = (weights.spec().name(), weights.checksum());
    context.note(format_args!("{name} {checksum:08x} in {}", arguments.out.display()));
    Ok(if stop.is_stopped() { Status::Interrupted } else { Status::Done })
}

fn told(step: NetworkStep) -> String {
    match step {
        NetworkStep::Read(seen, held_out) => {
            format!("{seen} positions to learn from, {held_out} held out")
        }
        NetworkStep::Epoch(fit) => {
            format!("epoch {}: held-out error {:.4} discs", fit.epoch, fit.held_out_error)
        }
    }
}
