//! `rosebill lab bench perft`.

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::app::amounts::within;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::games::Asked;
use crate::lab::bench::{PerftRequest, count_leaves};
use crate::othello::board::{CpuLevel, PassRule};

/// Arguments of `lab bench perft`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Plies to look ahead
    #[arg(long, default_value_t = 10, value_parser = within::<u32>(0..=30))]
    depth: u32,
    /// The position to start from, instead of the start position
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    from: Option<Asked>,
    /// Whether a pass uses up a ply
    #[arg(long, value_enum, default_value_t = Passes::Ply)]
    passes: Passes,
    /// Count in the code for this kind of processor (portable, neon, avx2, avx512) instead of the
    /// fastest for this machine
    #[arg(long, value_name = "KIND")]
    cpu: Option<CpuLevel>,
    /// Count this many times, one after the other
    #[arg(long, default_value_t = 1, value_parser = within::<u32>(1..))]
    runs: u32,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Passes {
    /// A pass is a ply
    Ply,
    /// A pass uses no ply
    Free,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let level = arguments.cpu.unwrap_or_else(CpuLevel::detect);
    if !level.is_available() {
        anyhow::bail!("this machine cannot run the code for {level}");
    }
    let position = arguments.from.clone().unwrap_or_default().placed().position;
    let passes = match arguments.passes {
        Passes::Ply => PassRule::Ply,
        Passes::Free => PassRule::Free,
    };
    let request = PerftRequest { position, depth: arguments.depth, passes, level };
    if !context.output.is_json() {
        context.output.line("cpu       depth           leaves   seconds  million leaves/s")?;
    }
    for _ in 0..arguments.runs {
        let count = count_leaves(&request);
        let speed = count.leaves as f64 / count.seconds.max(1e-9);
        if context.output.is_json() {
            context.output.object(&json!({
                "bench": "perft",
                "cpu": level.name(),
                "depth": request.depth,
                "nodes": count.leaves,
                "seconds": count.seconds,
                "nodes_per_second": speed,
            }))?;
        } else {
            context.output.line(format_args!(
                "{:<8} {:>6} {:>16} {:>9.3} {:>17.1}",
                level.name(),
                request.depth,
                count.leaves,
                count.seconds,
                speed / 1e6
            ))?;
        }
        context.output.flush()?;
    }
    Ok(Status::Done)
}
