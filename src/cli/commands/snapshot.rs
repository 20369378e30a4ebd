//! `rosebill snapshot`.

use std::path::PathBuf;

use crate::cli::{Context, Status};
use crate::ops::snapshot::take_snapshot;
use crate::store::Reader;

/// Arguments of `snapshot`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill snapshot backup.snapshot\n\n\
    It works while the book grows and holds everything that was committed.")]
pub struct Arguments {
    /// The file to write; one that exists is replaced when the new one is complete
    file: PathBuf,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let reader = Reader::open(context.book_path())?;
    let positions = take_snapshot(&reader, &arguments.file)?;
    let bytes = std::fs::metadata(&arguments.file)?.len();
    if context.output.is_json() {
        context.output.object(&serde_json::json!({
            "file": arguments.file.display().to_string(),
            "positions": positions,
            "bytes": bytes,
        }))?;
    } else {
        context.output.line(format_args!(
            "{}: {positions} positions in {bytes} bytes",
            arguments.file.display()
        ))?;
    }
    Ok(Status::Done)
}
