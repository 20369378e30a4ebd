//! `rosebill merge`.

use std::path::PathBuf;

use anyhow::Context as _;

use crate::cli::{Context, Status};
use crate::ops::merge;
use crate::ops::snapshot::save_for_undo;
use crate::store::Reader;

/// Arguments of `merge`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill merge other.db\n\n\
    Where both books know a position, a proof beats an estimate, then the deeper and surer search \
    wins, then our own, then the newer one. All files come in or none. 'rosebill undo' takes it \
    back.")]
pub struct Arguments {
    /// The books to take in
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let path = context.book_path();
    let mut book = context.open_book()?;
    let others: Vec<Reader> = arguments.files.iter().map(Reader::open).collect::<Result<_, _>>()?;
    let this = path.canonicalize().ok();
    if let Some(same) = arguments.files.iter().find(|file| file.canonicalize().ok() == this) {
        anyhow::bail!("{} is the book itself", same.display());
    }
    if !arguments.no_undo {
        save_for_undo(book.reader())?;
    }
    let mut reports = Vec::new();
    for (file, other) in arguments.files.iter().zip(&others) {
        let report =
            merge(&mut book, other).with_context(|| format!("nothing of {}", file.display()))?;
        // The next file is compared with links and values that are right.
        book.settle()?;
        reports.push(report);
    }
    book.commit()?;
    for (file, report) in arguments.files.iter().zip(&reports) {
        if context.output.is_json() {
            context.output.object(&serde_json::json!({
                "file": file.display().to_string(),
                "new": report.new,
                "replaced": report.replaced,
                "kept": report.kept,
                "conflicts": report.conflicts,
            }))?;
            continue;
        }
        context.output.line(format_args!(
            "{}: {} new, {} replaced, {} kept, {} conflicts between proofs",
            file.display(),
            report.new,
            report.replaced,
            report.kept,
            report.conflicts
        ))?;
        for (key, ours, theirs) in &report.examples {
            context.output.line(format_args!(
                "  {:?}: proven {}..{} here, {}..{} there",
                key.position(),
                ours.lower,
                ours.upper,
                theirs.lower,
                theirs.upper
            ))?;
        }
    }
    Ok(Status::Done)
}
