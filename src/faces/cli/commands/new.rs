//! `rosebill new`.

use crate::app::new_book;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::counted::counted;

/// Arguments of `new`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill new --book my.db\n\n\
    A file that exists is never overwritten.")]
pub struct Arguments {
    /// Start with the book that comes with the program instead of an empty one
    #[arg(long)]
    starter: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    let path = context.book_path();
    let positions = new_book(&context.book(), arguments.starter)?;
    if context.output.is_json() {
        let object =
            serde_json::json!({ "book": path.display().to_string(), "positions": positions });
        context.output.object(&object)?;
    } else {
        let positions = counted(positions, "position");
        context.summary(format_args!("created {}: {positions}", path.display()))?;
    }
    Ok(Status::Done)
}
