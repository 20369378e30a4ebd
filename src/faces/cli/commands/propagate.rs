//! `rosebill propagate`.

use crate::app::amounts::within;
use crate::app::{Propagated, propagate};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::counted::counted;

/// Arguments of `propagate`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill propagate\n\n\
    Values, how sure they are and which moves count are kept right all the time: on a sound book this changes \
    nothing.")]
pub struct Arguments {
    /// Find all links anew, too
    #[arg(long)]
    links: bool,
    /// Threads that compute [default: all processors]
    #[arg(long, value_parser = within::<u16>(1..=1024), conflicts_with = "links")]
    threads: Option<u16>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    let threads = context.threads(arguments.threads.map(usize::from));
    let mut book = context.book().open()?;
    let Propagated { positions, changed, due } = propagate(&mut book, arguments.links, threads)?;
    if context.output.is_json() {
        let object = serde_json::json!({
            "positions": positions,
            "changed": changed,
            "search_due": due,
        });
        context.output.object(&object)?;
    } else {
        let positions = counted(positions, "position");
        context.summary(format_args!("{positions}, {changed} changed"))?;
    }
    Ok(Status::Done)
}
