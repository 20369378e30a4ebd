//! `rosebill verify --recompute`.

use crate::app::{Propagated, propagate};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::counted::{counted, grouped};

/// Recomputes all values, and with `links` finds all links again.
pub(super) fn run(
    links: bool,
    threads: Option<u16>,
    context: &mut Context,
) -> anyhow::Result<Status> {
    let threads = context.threads(threads.map(usize::from));
    let mut book = context.book().open()?;
    let busy = context.busy("recomputing all values", Some(book.reader().counts()?.positions));
    let Propagated { positions, changed, due } = propagate(&mut book, links, threads)?;
    drop(busy);
    if context.output.is_json() {
        let object = serde_json::json!({
            "positions": positions,
            "changed": changed,
            "search_due": due,
        });
        context.output.object(&object)?;
    } else {
        let positions = counted(positions, "position");
        context.summary(format_args!("{positions}, {} changed", grouped(changed)))?;
    }
    Ok(Status::Done)
}
