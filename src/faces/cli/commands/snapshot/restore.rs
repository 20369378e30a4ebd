//! `rosebill snapshot restore`.

use std::path::PathBuf;

use crate::app::restore_file;
use crate::app::snapshot::positions_of_snapshot;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::wrong_file::{Takes, or_right_command};
use crate::files::counted::counted;

/// Arguments of `snapshot restore`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill snapshot restore backup.snapshot --book copy.db\n\n\
    A book that is not there is made. The positions of one that is there are replaced, its games stay; \
    'rosebill undo' takes that back.")]
pub struct Arguments {
    /// The snapshot
    file: PathBuf,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    let book = context.book();
    let busy = context.busy("restoring the book", positions_of_snapshot(&arguments.file));
    let (positions, is_new) =
        restore_file(&book, &arguments.file, !arguments.no_undo).map_err(|error| {
            or_right_command(error.into(), Takes::Snapshots, [arguments.file.as_path()])
        })?;
    drop(busy);
    if is_new {
        context.note(format_args!("created a new book: {}", book.path.display()));
    }
    if context.output.is_json() {
        context.output.object(&serde_json::json!({ "positions": positions }))?;
    } else {
        context.summary(format_args!("{} restored", counted(positions, "position")))?;
    }
    Ok(Status::Done)
}
