//! `rosebill restore`.

use std::path::PathBuf;

use super::new::open_or_create;
use crate::cli::{Context, Status};
use crate::ops::snapshot::{restore, save_for_undo};

/// Arguments of `restore`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill restore backup.snapshot --book copy.db\n\n\
    A book that is not there is made. What was in one that is there is replaced; 'rosebill undo' \
    takes that back.")]
pub struct Arguments {
    /// The snapshot
    file: PathBuf,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    // A wrong name must not leave an empty book behind.
    std::fs::File::open(&arguments.file)
        .map_err(|cause| anyhow::anyhow!("snapshot {}: {cause}", arguments.file.display()))?;
    let existed = context.book_path().symlink_metadata().is_ok();
    let mut book = open_or_create(context)?;
    if !arguments.no_undo && book.reader().counts()?.positions > 0 {
        save_for_undo(book.reader())?;
    }
    let restored = restore(&mut book, &arguments.file);
    if restored.is_err() && !existed {
        book.remove()?;
        restored?;
        return Ok(Status::NotFound);
    }
    let positions = restored?;
    if context.output.is_json() {
        context.output.object(&serde_json::json!({ "positions": positions }))?;
    } else {
        context.output.line(format_args!("{positions} positions restored"))?;
    }
    Ok(Status::Done)
}
