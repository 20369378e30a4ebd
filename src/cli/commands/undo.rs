//! `rosebill undo`.

use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::counted::counted;
use crate::ops::undo;

/// Arguments of `undo`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill undo\n\n\
    Brings back the book as it was before the last import, prune, merge or restore; called again it \
    takes that back. What was grown in between is not in it. Games are not touched: they stay as \
    they are now.")]
pub struct Arguments {}

pub(super) fn run(_: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let mut book = context.book().open()?;
    let before = book.reader().counts()?.positions;
    let positions = undo(&mut book)?;
    if context.output.is_json() {
        let object = serde_json::json!({ "positions": positions, "before": before });
        context.output.object(&object)?;
    } else {
        context.summary(format_args!("{}, as before", counted(positions, "position")))?;
        context.note(format_args!(
            "until now it had {before}, with what was grown since: 'rosebill undo' brings them back"
        ));
    }
    Ok(Status::Done)
}
