//! `rosebill new`.

use anyhow::Context as _;

use crate::cli::{Context, Status};
use crate::ops::take_starter;
use crate::store::Book;

/// Arguments of `new`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill new --book my.db\n\n\
    A file that exists is never overwritten.")]
pub struct Arguments {
    /// Start with the small book that comes with the program instead of an empty one
    #[arg(long)]
    starter: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let path = context.book_path();
    let mut book = create(context)?;
    if arguments.starter {
        take_starter(&mut book)?;
    }
    let positions = book.reader().counts()?.positions;
    if context.output.is_json() {
        let object =
            serde_json::json!({ "book": path.display().to_string(), "positions": positions });
        context.output.object(&object)?;
    } else {
        context.output.line(format_args!("created {}: {positions} positions", path.display()))?;
    }
    Ok(Status::Done)
}

/// Makes the book of this run, and its folder where that is the default one.
pub(super) fn create(context: &Context) -> anyhow::Result<Book> {
    make_folder(context)?;
    context.as_durable(Book::create(context.book_path())?)
}

/// Makes the folder of the book of this run where that is the default one.
pub(super) fn make_folder(context: &Context) -> anyhow::Result<()> {
    if context.settings().book_is_default()
        && let Some(folder) = context.book_path().parent()
    {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    Ok(())
}

/// Opens the book of this run for writing; a missing one is made.
pub(super) fn open_or_create(context: &Context) -> anyhow::Result<Book> {
    if context.book_path().symlink_metadata().is_ok() {
        return context.open_book();
    }
    let book = create(context)?;
    context.note(format_args!("made a new book: {}", context.book_path().display()));
    Ok(book)
}
