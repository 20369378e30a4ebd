//! `rosebill bench kill`.

use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::store::parse_count;
use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::ops::bench::{KillOptions, Killed, kill_at_random};

/// Arguments of `bench kill`.
#[derive(Args, Debug)]
#[command(after_help = "Example: rosebill bench kill --kills 60\n\n\
    Processes that grow, import, prune, merge, propagate and restore a scratch book are killed at \
    random, with both durabilities in turn; then the book is looked through. The exit code is 1 \
    when anything was lost or broken.")]
pub struct Arguments {
    /// How many processes
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    kills: u32,
    /// How large the scratch book is to be: a number, or as 500k or 2m
    #[arg(long, default_value = "50k", value_parser = parse_count)]
    positions: u64,
    /// The longest that growth is let alone, in milliseconds
    #[arg(long, default_value_t = 4000)]
    longest: u64,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let folder = std::env::temp_dir().join(format!("rosebill-kill-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let options = KillOptions {
        program: std::env::current_exe()?,
        folder: folder.clone(),
        positions: arguments.positions,
        kills: arguments.kills,
        longest: Duration::from_millis(arguments.longest),
    };
    let mut all = Vec::new();
    let mut printed = Ok(());
    let outcome = kill_at_random(&options, |killed| {
        if printed.is_ok() {
            printed = show(killed, context);
        }
        all.push(killed.clone());
    });
    let broken = all.iter().filter(|killed| !killed.wrong.is_empty()).count();
    if outcome.is_ok() && broken == 0 {
        std::fs::remove_dir_all(&folder)?;
    } else {
        context.note(format_args!("the books are left in {}", folder.display()));
    }
    outcome?;
    printed?;
    let count = |which: fn(&Killed) -> bool| all.iter().filter(|killed| which(killed)).count();
    let finished = count(|killed| killed.finished);
    if !context.output.is_json() {
        context.output.line(format_args!(
            "{} processes, {} killed, {finished} done before that; the book was changed in {}; \
             {broken} books broken",
            all.len(),
            all.len() - finished,
            count(|killed| killed.changed),
        ))?;
    }
    Ok(if broken == 0 { Status::Done } else { Status::NotFound })
}

fn show(killed: &Killed, context: &mut Context) -> anyhow::Result<()> {
    let Killed { operation, durability, finished, changed, wrong } = killed;
    let operation = operation.name();
    if context.output.is_json() {
        context.output.object(&json!({
            "bench": "kill",
            "operation": operation,
            "durability": durability,
            "finished": finished,
            "changed": changed,
            "wrong": wrong,
        }))?;
    } else if !wrong.is_empty() {
        context.output.line(format_args!("{operation} ({durability}): {}", wrong.join("; ")))?;
    }
    context.output.flush()?;
    Ok(())
}
