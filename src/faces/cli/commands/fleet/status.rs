//! `rosebill fleet status`.

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::fleet::FleetArguments;
#[cfg(feature = "fleet")]
use crate::faces::cli::interrupt::stop_on_interrupt;
#[cfg(feature = "fleet")]
use crate::fleet::{FleetError, fleet_status};

#[cfg(not(feature = "fleet"))]
pub(super) fn run(at: &FleetArguments, context: &mut Context) -> anyhow::Result<Status> {
    match at.address(context)? {}
}

#[cfg(feature = "fleet")]
pub(super) fn run(at: &FleetArguments, context: &mut Context) -> anyhow::Result<Status> {
    let address = at.address(context)?;
    let stop = stop_on_interrupt()?;
    match fleet_status(&address, &stop) {
        Ok(status) => {
            show::print(&status, context)?;
            Ok(Status::Done)
        }
        Err(error @ FleetError::Interrupted) => {
            context.failure(&error);
            Ok(Status::Interrupted)
        }
        // There was nothing wrong with asking.
        Err(error @ FleetError::Unreachable { .. }) => {
            context.failure(&error);
            Ok(Status::NotFound)
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(feature = "fleet")]
mod show {
    use serde::Serialize;

    use crate::app::json::object;
    use crate::faces::cli::context::Context;
    use crate::faces::cli::hint::TRY;
    use crate::faces::cli::table::Table;
    use crate::faces::render::Command;
    use crate::files::counted::counted;
    use crate::fleet::{FleetStatus, SeenCoordinator, SeenWorker};

    fn coordinator_json(seen: &SeenCoordinator) -> impl Serialize + '_ {
        let status = &seen.status;
        object! {
            book: &status.book,
            title: &status.title,
            signature: &status.signature,
            in_flight: status.in_flight,
            results: status.results,
            results_per_second: tenths(status.results_per_second),
            failed: status.failed,
            seconds_ago: tenths(seen.seconds_ago),
            refused: &status.refused,
        }
    }

    fn worker_json(seen: &SeenWorker) -> impl Serialize + '_ {
        let status = &seen.status;
        object! {
            name: &status.name,
            version: &status.version,
            weights: &status.weights,
            signature: &status.signature,
            threads: status.threads,
            jobs: status.jobs,
            nodes_per_second: status.nodes_per_second,
            seconds_ago: tenths(seen.seconds_ago),
            checked: seen.checked,
            agreed: seen.agreed,
            shut_out: seen.shut_out,
        }
    }

    fn ago(seconds: f64) -> String {
        format!("{seconds:.0} s ago")
    }

    fn tenths(number: f64) -> f64 {
        (number * 10.0).round() / 10.0
    }

    fn sums(status: &FleetStatus) -> (u64, f64) {
        // Anybody may have said so.
        let each = status.coordinators.iter().map(|each| each.status.failed);
        let failed = each.fold(0, u64::saturating_add);
        // Nothing at all adds up to -0.
        let speeds = status.coordinators.iter().map(|each| each.status.results_per_second);
        let speed = 0.0 + speeds.sum::<f64>();
        (failed, speed)
    }

    pub fn print(status: &FleetStatus, context: &mut Context) -> anyhow::Result<()> {
        let (failed, speed) = sums(status);
        if context.output.is_json() {
            context.output.object(&object! {
                server: &status.server,
                waiting: status.waiting,
                in_work: status.in_work,
                failed,
                results_waiting: status.results_waiting,
                results_per_second: tenths(speed),
                coordinators: status.coordinators.iter().map(coordinator_json).collect::<Vec<_>>(),
                workers: status.workers.iter().map(worker_json).collect::<Vec<_>>(),
            })?;
            return Ok(());
        }
        context.output.line(format_args!(
            "{}: {} waiting, {} in work, {failed} failed; {speed:.1} results/s",
            status.server,
            counted(status.waiting, "job"),
            status.in_work,
        ))?;
        if status.coordinators.is_empty() {
            context.output.line("no book grows")?;
            context.print_command(TRY, &Command::new("grow").with(["--fleet"]))?;
        } else {
            let mut books = Table::new(&[
                "book",
                "in flight",
                "results",
                "results/s",
                "failed",
                "seen",
                "refused",
            ]);
            for seen in &status.coordinators {
                let each = &seen.status;
                let refused: Vec<String> =
                    each.refused.iter().map(|(why, count)| format!("{count} {why}")).collect();
                books.row([
                    each.title.clone(),
                    each.in_flight.to_string(),
                    each.results.to_string(),
                    format!("{:.1}", each.results_per_second),
                    each.failed.to_string(),
                    ago(seen.seconds_ago),
                    refused.join(", "),
                ]);
            }
            context.output.table(&books)?;
        }
        if status.workers.is_empty() {
            context.output.line("no worker is there")?;
            let work = Command::new("fleet work").of_no_book().with(["--fleet"]);
            return Ok(context.print_command(TRY, &work)?);
        }
        let mut workers = Table::new(&[
            "worker",
            "version",
            "weights",
            "threads",
            "jobs",
            "million nodes/s",
            "seen",
            "agreement",
        ]);
        for seen in &status.workers {
            let worker = &seen.status;
            let agreement = match (seen.shut_out, seen.checked) {
                (true, checked) => format!("{} of {checked}: shut out", seen.agreed),
                (false, 0) => String::new(),
                (false, checked) => format!("{} of {checked}", seen.agreed),
            };
            workers.row([
                worker.name.clone(),
                worker.version.clone(),
                worker.weights.clone(),
                worker.threads.to_string(),
                worker.jobs.to_string(),
                format!("{:.1}", worker.nodes_per_second as f64 / 1e6),
                ago(seen.seconds_ago),
                agreement,
            ]);
        }
        context.output.table(&workers)?;
        Ok(())
    }
}
