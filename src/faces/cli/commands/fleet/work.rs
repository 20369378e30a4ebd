//! `rosebill fleet work`.

use crate::app::amounts::within;
use crate::faces::cli::fleet::FleetArguments;
#[cfg(not(feature = "fleet"))]
use crate::faces::cli::{context::Context, exit::Status};

/// Arguments of `fleet work`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill fleet work --fleet nats://host:4222\n\n\
    A worker needs no book and no disk. It may start before 'rosebill grow --fleet' or after it, serves \
    any number of books, and can be killed at any moment: other workers get its jobs. Ctrl-C returns them \
    at once.")]
pub struct Arguments {
    #[command(flatten)]
    at: FleetArguments,
    /// Searches at once [default: the setting, else all processors]
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
}

#[cfg(not(feature = "fleet"))]
pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let _ = arguments.threads;
    match arguments.at.address(context)? {}
}

#[cfg(feature = "fleet")]
pub(super) use by_fleet::run;

#[cfg(feature = "fleet")]
mod by_fleet {
    use super::Arguments;
    use crate::app::json::object;
    use crate::faces::cli::context::Context;
    use crate::faces::cli::duration::show_duration;
    use crate::faces::cli::exit::Status;
    use crate::faces::cli::fleet::trouble;
    use crate::faces::cli::interrupt::stop_on_interrupt;
    use crate::faces::cli::progress::Progress;
    use crate::files::counted::{counted, node_count};
    use crate::fleet::{WorkOptions, WorkSummary, work};
    use crate::othello::eval::PatternEvaluator;

    /// Works until Ctrl-C.
    pub fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
        let address = arguments.at.address(context)?;
        let threads = context.threads(arguments.threads.map(usize::from));
        context.note(format_args!("{} for {address}", counted(threads as u64, "thread")));
        let evaluator = PatternEvaluator::embedded()?;
        let stop = stop_on_interrupt()?;
        let mut progress = Progress::new(context.quiet);
        let options = WorkOptions { address, threads };
        let summary = work(&evaluator, &options, &stop, &mut |summary| {
            progress.in_trouble(trouble(summary.contact)).show(|| line(summary));
        })?;
        drop(progress);
        if context.output.is_json() {
            let WorkSummary { name, jobs, nodes, elapsed, .. } = summary;
            let seconds = elapsed.as_secs_f64();
            context.output.object(&object! { worker: name, jobs, nodes, seconds })?;
        } else {
            let nodes = node_count(summary.nodes);
            let time = show_duration(summary.elapsed);
            let jobs = counted(summary.jobs, "job");
            context.summary(format_args!("{jobs} done, {nodes} in {time}"))?;
        }
        Ok(Status::Interrupted)
    }

    /// How far it has come.
    fn line(summary: &WorkSummary) -> String {
        let mut parts =
            vec![show_duration(summary.elapsed), counted(summary.jobs, "job").to_string()];
        let at_hand = format!("{} at hand", summary.at_hand);
        match (&summary.waits, trouble(summary.contact)) {
            (Some(what), _) if summary.at_hand == 0 => parts.push(format!("{what}; waiting")),
            (_, Some(trouble)) => parts.extend([format!("{trouble}; waiting"), at_hand]),
            (_, None) => parts.extend([
                at_hand,
                format!("{:.1} jobs/s", summary.jobs_per_second),
                format!("{:.1} million nodes/s", summary.nodes_per_second / 1e6),
            ]),
        }
        parts.push(summary.name.clone());
        parts.join(" | ")
    }
}
